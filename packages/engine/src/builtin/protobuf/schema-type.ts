/** The struct of schemas in definitions: the one type that special messages lead back to. */
import { pointee, type StructType, structAt, structOfKind } from "../types.ts";

let found: StructType | undefined;

export function schemaType(): StructType {
  found ??= search(structOfKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), new Set());
  if (found === undefined) throw new Error("the data file has no schemas");
  return found;
}

function search(type: StructType | undefined, seen: Set<StructType>): StructType | undefined {
  if (type === undefined || seen.has(type) || type.go === "v1.JSONSchemaProps")
    return type?.go === "v1.JSONSchemaProps" ? type : undefined;
  seen.add(type);
  for (const { type: member } of type.fields) {
    let inner = pointee(member);
    if (inner.kind === "list") inner = pointee(inner.of);
    const result = inner.kind === "struct" ? search(structAt(inner.index), seen) : undefined;
    if (result !== undefined) return result;
  }
  return undefined;
}
