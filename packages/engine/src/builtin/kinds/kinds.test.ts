import { expect, test } from "vitest";
import { builtinResources } from "../builtin.ts";
import { pointee, type StructType, structAt, structOfKind, type TypeExpr } from "../types.ts";
import { builtinKind } from "./kinds.ts";

const kinds = builtinResources().map(({ group, version, kind }) => {
  const [rules, struct] = [builtinKind(group, version, kind), structOfKind(group, version, kind)];
  if (rules === undefined || struct === undefined) throw new Error(`no built-in kind ${kind}`);
  return { key: rules.key, rules, struct };
});

test.each(kinds)("the defaults of $key are for Go types that it contains", ({ rules, struct }) => {
  const contained = new Set([...structsIn(struct)].map(({ go }) => go));
  expect(Object.keys(rules.defaults ?? {}).filter((go) => !contained.has(go))).toEqual([]);
});

test.each(kinds)("the fields that $key names exist", ({ rules, struct }) => {
  const { generation, podSpec = [], resetFields = {}, selectableFields } = rules;
  const paths = [
    ...(generation?.members ?? []).map((name) => [name]),
    ...(generation?.metadata ?? []).map((name) => ["metadata", name]),
    podSpec,
    ...Object.values(resetFields).flat(),
    ...(selectableFields?.fields ?? [])
      .flatMap((field) => (typeof field === "string" ? [field] : (field.paths ?? [field.name])))
      .map((path) => path.split(".")),
  ];
  expect(paths.filter((path) => !hasPath(struct, path)).map((path) => path.join("."))).toEqual([]);
});

function* structsIn(struct: StructType, seen = new Set<number>()): Generator<StructType> {
  if (seen.has(struct.index)) return;
  seen.add(struct.index);
  yield struct;
  for (const { type } of struct.fields) {
    const inner = structOf(type);
    if (inner !== undefined) yield* structsIn(inner, seen);
  }
}

/** The struct behind pointers, lists and maps. */
function structOf(type: TypeExpr): StructType | undefined {
  if (type.kind === "struct") return structAt(type.index);
  if (type.kind === "pointer") return structOf(type.to);
  return type.kind === "list" || type.kind === "map" ? structOf(type.of) : undefined;
}

function hasPath(struct: StructType, path: readonly string[]): boolean {
  let current: StructType | undefined = struct;
  for (const name of path) {
    const field = current?.members.get(name);
    if (field === undefined) return false;
    const type = pointee(field.type);
    current = type.kind === "struct" ? structAt(type.index) : undefined;
  }
  return true;
}
