/** Pairs the CRDs of two sides by name; a CRD without a partner may have been renamed. */
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { SourceDefinition, SourceSet } from "./sources.ts";

export interface Matching {
  readonly pairs: readonly DefinitionPair[];
  readonly added: readonly SourceDefinition[];
  readonly removed: readonly SourceDefinition[];
  readonly renamed: readonly DefinitionPair[];
}

export interface DefinitionPair {
  readonly old: SourceDefinition;
  readonly new: SourceDefinition;
}

export function matchDefinitions(old: SourceSet, next: SourceSet): Matching {
  const pairs: DefinitionPair[] = [];
  const removed: SourceDefinition[] = [];
  for (const before of old.definitions.values()) {
    const after = next.definitions.get(before.name);
    if (after === undefined) removed.push(before);
    else pairs.push({ old: before, new: after });
  }
  const added = [...next.definitions.values()].filter(({ name }) => !old.definitions.has(name));
  const renamed = removed.flatMap((before) => {
    const after = added.find((each) => isSameApi(before, each));
    return after === undefined ? [] : [{ old: before, new: after }];
  });
  return {
    pairs,
    renamed,
    added: added.filter((each) => !renamed.some((pair) => pair.new === each)),
    removed: removed.filter((each) => !renamed.some((pair) => pair.old === each)),
  };
}

/** The same kind under another plural or in another group. */
function isSameApi(before: SourceDefinition, after: SourceDefinition): boolean {
  const [one, other] = [readDefinition(before.json), readDefinition(after.json)];
  return one.names.kind === other.names.kind && (one.group === other.group || one.names.plural === other.names.plural);
}
