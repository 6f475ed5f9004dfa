/**
 * Where the new schema changes data: defaults, pruning, dropped nulls, and types that rules read differently.
 * Combinators and rules that read such places may see other data than before.
 */
import { canonicalJson } from "../value/text.ts";
import type { NodePair } from "./pairs.ts";

export interface Effects {
  /** Paths of property names below the node; `*` is an item or a key. */
  readonly paths: readonly (readonly string[])[];
  readonly addsMembers: boolean;
  readonly dropsMembers: boolean;
}

export function effectsBelow(pair: NodePair): Effects {
  const paths: string[][] = [];
  collect(pair, [], paths);
  const own = pair.children.filter(({ path }) => path.length === pair.path.length + 1);
  const named = own.filter(({ path }) => path.at(-1)?.kind === "property");
  const added = [...pair.added].some((name) => pair.new.properties.get(name)?.default !== undefined);
  const isFilled = named.some(({ old, new: next }) => next.default !== undefined && old.default === undefined);
  // A null that was dropped counts as a member once it is kept.
  const keepsNulls = own.some(({ old, new: next }) => !old.nullable && next.nullable);
  return {
    paths,
    addsMembers: added || isFilled || keepsNulls,
    dropsMembers:
      pair.removed.length > 0 ||
      pair.dropsKeys ||
      own.some(
        ({ old, new: next }) =>
          (old.nullable && !next.nullable && next.default === undefined) ||
          (old.default !== undefined && next.default === undefined),
      ),
  };
}

function collect(pair: NodePair, path: readonly string[], paths: string[][]): void {
  if (pair.isSame) return;
  // A new property does not change existing data unless it has a default.
  const filled = pair.added.filter((name) => pair.new.properties.get(name)?.default !== undefined);
  for (const name of [...pair.removed, ...filled]) paths.push([...path, name]);
  if (pair.dropsKeys) paths.push([...path, "*"]);
  for (const child of pair.children) {
    const step = child.path.at(-1);
    const inner = [...path, step?.kind === "property" ? step.name : "*"];
    if (hasOwnEffect(child)) paths.push(inner);
    collect(child, inner, paths);
  }
}

const TYPING = [
  "type",
  "format",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "additionalProperties",
  "default",
  "nullable",
];

function hasOwnEffect({ changed }: NodePair): boolean {
  return changed.some((keyword) => TYPING.includes(keyword));
}

/** Whether the new schema keeps the presence of a property: absent stays absent, present stays present. */
export function isPresenceStable(pair: NodePair, name: string): boolean {
  if (pair.isSame) return true;
  if (pair.removed.includes(name)) return false;
  const [old, next] = [pair.old.properties.get(name), pair.new.properties.get(name)];
  if (old === undefined) return !pair.dropsKeys && next?.default === undefined;
  // Without its own property the data stays, but no default fills it in.
  if (next === undefined) return old.default === undefined;
  const isSameDefault = textOf(old.default) === textOf(next.default);
  return isSameDefault && (!old.nullable || next.nullable);
}

function textOf(value: Parameters<typeof canonicalJson>[0] | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}
