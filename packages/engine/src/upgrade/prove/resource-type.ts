/**
 * The apiVersion and kind of objects. Every version of a CRD sees its own: an object that was written as `v1` and is read
 * as `v2` has the apiVersion of `v2`.
 */
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";

/** The texts by the name of the field. */
export type ResourceType = ReadonlyMap<string, string>;

export function typeOf({ group, version, kind }: CustomResource): ResourceType {
  return new Map([
    ["apiVersion", `${group}/${version}`],
    ["kind", kind],
  ]);
}

/** The texts of the new type that differ from the old one; empty within a version. */
export function retyped(old: CustomResource, next: CustomResource): ResourceType {
  const before = typeOf(old);
  return new Map([...typeOf(next)].filter(([key, text]) => before.get(key) !== text));
}

/** Whether anything that the new CRD requires of the whole object may depend on its type. */
export function readsType({ schema, rules }: CustomResource, changed: ResourceType): boolean {
  if (changed.size === 0 || schema === undefined) return false;
  const branches = [
    ...schema.allOf,
    ...schema.anyOf,
    ...schema.oneOf,
    ...(schema.not === undefined ? [] : [schema.not]),
  ];
  const isDeclared = [...changed.keys()].some((key) => schema.properties.has(key));
  return isDeclared || branches.length > 0 || schema.enum !== undefined || (rules?.rules.length ?? 0) > 0;
}
