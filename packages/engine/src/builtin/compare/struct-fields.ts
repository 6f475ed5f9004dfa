/** The structs of the built-in kinds in the version whose rules apply, for comparing versions. */
import { resourceInfos } from "../resources.ts";
import { type StructType, structAt, structOfKind, type TypeExpr } from "../types.ts";

export interface StructFields {
  /** With its package: `v1.PodSpec`. */
  readonly go: string;
  readonly names: readonly string[];
}

/** By line of the data file, which is the same in all versions. */
export function allStructs(): ReadonlyMap<number, StructFields> {
  const found = new Map<number, StructFields>();
  for (const { struct } of reachable()) {
    found.set(struct.line, { go: struct.go, names: struct.fields.flatMap(({ name }) => (name === "" ? [] : [name])) });
  }
  return found;
}

/** The kinds that contain a struct, by the line of the data file. */
export function kindsUsing(line: number): string[] {
  return [...new Set(reachable().flatMap(({ struct, kind }) => (struct.line === line ? [kind] : [])))];
}

function reachable(): { readonly struct: StructType; readonly kind: string }[] {
  const kinds = resourceInfos().flatMap((info) => [info, ...info.subresources]);
  const distinct = new Map(kinds.map((each) => [`${each.group}/${each.version} ${each.kind}`, each]));
  return [...distinct.values()].flatMap(({ group, version, kind }) => {
    const root = structOfKind(group, version, kind);
    const seen = new Map<number, StructType>();
    if (root !== undefined) visit(root, seen);
    return [...seen.values()].map((struct) => ({ struct, kind }));
  });
}

function visit(struct: StructType, seen: Map<number, StructType>): void {
  if (seen.has(struct.line)) return;
  seen.set(struct.line, struct);
  for (const { type } of struct.fields) visitType(type, seen);
}

function visitType(type: TypeExpr, seen: Map<number, StructType>): void {
  if (type.kind === "struct") visit(structAt(type.index), seen);
  if (type.kind === "pointer") visitType(type.to, seen);
  if (type.kind === "list" || type.kind === "map") visitType(type.of, seen);
}
