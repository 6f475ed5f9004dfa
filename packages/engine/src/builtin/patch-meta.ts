/** Go types as strategic merge patches see them. */
import type { PatchField, PatchType } from "../patch/patch-type.ts";
import { type StructField, type StructType, structAt, type TypeExpr } from "./types.ts";

const known = new Map<StructType, PatchType>();

export function patchTypeOf(type: StructType): PatchType {
  const cached = known.get(type);
  if (cached !== undefined) return cached;
  const patchType: PatchType = {
    kind: "struct",
    name: type.go.slice(type.go.lastIndexOf(".") + 1),
    element: undefined,
    field: (name) => fieldOf(type, name),
  };
  known.set(type, patchType);
  return patchType;
}

/** Upstream falls back on a field whose name differs in case. */
function fieldOf({ members }: StructType, name: string): PatchField | undefined {
  const exact = members.get(name);
  if (exact !== undefined) return toPatchField(exact);
  const folded = name.toLowerCase();
  for (const [member, field] of members) if (member.toLowerCase() === folded) return toPatchField(field);
  return undefined;
}

function toPatchField({ type, strategies, mergeKey }: StructField): PatchField {
  return { type: toPatchType(type), strategies, mergeKey };
}

function toPatchType(type: TypeExpr): PatchType {
  switch (type.kind) {
    case "struct":
      return patchTypeOf(structAt(type.index));
    case "pointer":
      return container("ptr", toPatchType(type.to));
    case "list":
      return container("slice", toPatchType(type.of));
    case "map":
      return container("map", toPatchType(type.of));
    case "special":
      return container(type.go === "v1.JSON" ? "slice" : "struct", undefined);
    case "bytes":
      return container("slice", undefined);
    default:
      return container(type.kind === "float" ? "float64" : type.kind, undefined);
  }
}

function container(kind: string, element: PatchType | undefined): PatchType {
  return { kind, name: "", element, field: () => undefined };
}
