/**
 * Where the new schema changes data rather than judging it: defaults, pruning, dropped nulls, and types that rules read
 * differently. Combinators and rules that look at such places cannot be taken to see what they saw before.
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
  return {
    paths,
    addsMembers: added || named.some(({ old, new: next }) => next.default !== undefined && old.default === undefined),
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
  // A new property changes nothing that is there, unless it brings a default.
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

/** Whether a property can be missing after the new pipeline although it was there, or the reverse. */
export function isPresenceStable(pair: NodePair, name: string): boolean {
  if (pair.isSame) return true;
  if (pair.removed.includes(name)) return false;
  const [old, next] = [pair.old.properties.get(name), pair.new.properties.get(name)];
  if (old === undefined) return !pair.dropsKeys && next?.default === undefined;
  // Without a property of its own the data stays where it is, but nothing fills it in.
  if (next === undefined) return old.default === undefined;
  const isSameDefault = textOf(old.default) === textOf(next.default);
  return isSameDefault && (!old.nullable || next.nullable);
}

function textOf(value: Parameters<typeof canonicalJson>[0] | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

/** Whether a place read by a rule or branch lies on the way to, at or below a changed one. */
export function touches(paths: readonly (readonly string[])[], read: readonly string[]): boolean {
  return paths.some((path) => {
    const shared = Math.min(path.length, read.length);
    for (let i = 0; i < shared; i++) if (path[i] !== read[i] && path[i] !== "*" && read[i] !== "*") return false;
    return true;
  });
}

/** The same for a read that sees only whether a place is there and how many members it has: what lies below is no matter. */
export function touchesShallow(paths: readonly (readonly string[])[], read: readonly string[]): boolean {
  const above = paths.filter((path) => path.length <= read.length);
  const members = paths.filter((path) => path.length === read.length + 1 && path.at(-1) === "*");
  return touches(above, read) || touches(members, read);
}
