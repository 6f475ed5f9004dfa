/** Edits without any effect: documentation, messages, and other spellings with the same meaning. */
import type { Structural } from "../schema/structural.ts";
import { canonicalJson } from "../value/text.ts";
import { enforcedFormat, ruleText } from "./schema-text.ts";

/** The number of changes of each such keyword. */
export function noopChanges(old: Structural, next: Structural, minor: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  count(old, next, minor, counts);
  return counts;
}

function count(old: Structural, next: Structural, minor: number, counts: Map<string, number>): void {
  if (old === next) return;
  const add = (keyword: string): void => void counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  for (const keyword of ["title", "description"] as const) if (old[keyword] !== next[keyword]) add(keyword);
  if (textOf(old.example) !== textOf(next.example)) add("example");
  if (JSON.stringify(old.externalDocs) !== JSON.stringify(next.externalDocs)) add("externalDocs");
  if (old.format !== next.format && enforcedFormat(old, minor) === enforcedFormat(next, minor)) add("format");
  if (old.listType !== next.listType && isAtomic(old.listType) && isAtomic(next.listType))
    add("x-kubernetes-list-type");
  if (old.mapType !== next.mapType && isGranular(old.mapType) && isGranular(next.mapType)) add("x-kubernetes-map-type");
  if (hasOtherMessages(old, next)) add("message");
  if (
    old.enum !== undefined &&
    next.enum !== undefined &&
    isReordered(
      old.enum.map((each) => canonicalJson(each)),
      next.enum.map((each) => canonicalJson(each)),
    )
  )
    add("enum");
  if (isReordered(old.required, next.required)) add("required");
  for (const [name, property] of old.properties) {
    const other = next.properties.get(name);
    if (other !== undefined) count(property, other, minor, counts);
  }
  if (old.items !== undefined && next.items !== undefined) count(old.items, next.items, minor, counts);
  const [before, after] = [old.additionalProperties?.schema, next.additionalProperties?.schema];
  if (before !== undefined && after !== undefined) count(before, after, minor, counts);
}

function textOf(value: Parameters<typeof canonicalJson>[0] | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

function isAtomic(type: string | undefined): boolean {
  return type === undefined || type === "atomic";
}

function isGranular(type: string | undefined): boolean {
  return type === undefined || type === "granular";
}

function isReordered(left: readonly string[], right: readonly string[]): boolean {
  return left.join("\0") !== right.join("\0") && [...left].sort().join("\0") === [...right].sort().join("\0");
}

/** Whether the rules are the same and only their messages differ. */
function hasOtherMessages({ validations: old }: Structural, { validations: next }: Structural): boolean {
  return next.some((rule) => {
    const same = old.find((each) => ruleText(each) === ruleText(rule));
    return same !== undefined && JSON.stringify(same) !== JSON.stringify(rule);
  });
}
