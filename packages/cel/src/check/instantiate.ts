/** Overloads with type parameters: each use gets fresh type variables. */
import type { Overload } from "../types/decl.ts";
import type { Type } from "../types/type.ts";
import type { Unifier } from "./unify.ts";

export interface Signature {
  readonly params: readonly Type[];
  readonly result: Type;
}

const parameterNames = new WeakMap<Overload, readonly string[]>();

export function instantiate(overload: Overload, unifier: Unifier): Signature {
  const names = namesOf(overload);
  if (names.length === 0) return overload;
  const variables = new Map(names.map((name) => [name, unifier.newVariable()]));
  return {
    params: overload.params.map((type) => replace(type, variables)),
    result: replace(overload.result, variables),
  };
}

function namesOf(overload: Overload): readonly string[] {
  const known = parameterNames.get(overload);
  if (known !== undefined) return known;
  const names = new Set<string>();
  collectNames(overload.result, names);
  for (const type of overload.params) collectNames(type, names);
  const list = [...names];
  parameterNames.set(overload, list);
  return list;
}

function collectNames(type: Type, names: Set<string>): void {
  switch (type.kind) {
    case "param":
      names.add(type.name);
      return;
    case "list":
      collectNames(type.element, names);
      return;
    case "map":
      collectNames(type.key, names);
      collectNames(type.value, names);
      return;
    case "opaque":
      for (const param of type.params) collectNames(param, names);
      return;
    case "type":
      if (type.of !== undefined) collectNames(type.of, names);
      return;
    default:
  }
}

function replace(type: Type, variables: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case "param":
      return variables.get(type.name) ?? type;
    case "list":
      return { kind: "list", element: replace(type.element, variables) };
    case "map":
      return { kind: "map", key: replace(type.key, variables), value: replace(type.value, variables) };
    case "opaque":
      if (type.params.length === 0) return type;
      return { ...type, params: type.params.map((param) => replace(param, variables)) };
    case "type":
      return type.of === undefined ? type : { kind: "type", of: replace(type.of, variables) };
    default:
      return type;
  }
}
