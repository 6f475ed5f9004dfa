/** Finds the paths of an API type in built-in kinds, for expressions that are scoped to a type. */
import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { type StructType, structAt, structOfKind, type TypeExpr } from "@portcullis/engine/internal/builtin/types";
import { structName } from "@portcullis/engine/internal/openapi/builtin-schema";

/** `io.k8s.api.core.v1.Container` in pods: `spec.containers[*]`, `spec.initContainers[*]`. Maps are skipped. */
export function placesOfType(typeName: string, resources: readonly string[]): readonly string[] {
  const kinds = resourceInfos().filter(({ plural }) => resources.includes(plural));
  const places = kinds.flatMap(({ group, version, kind }) => {
    const type = structOfKind(group, version, kind);
    return type === undefined ? [] : placesIn(type, typeName, "", new Set());
  });
  return [...new Set(places)];
}

function placesIn(type: StructType, wanted: string, path: string, above: ReadonlySet<number>): string[] {
  if (structName(type) === wanted) return [path];
  if (above.has(type.index)) return [];
  const inner = new Set([...above, type.index]);
  return [...type.members].flatMap(([name, field]) => {
    const found = structIn(field.type, path === "" ? name : `${path}.${name}`);
    return found === undefined ? [] : placesIn(found.type, wanted, found.path, inner);
  });
}

function structIn(type: TypeExpr, path: string): { readonly type: StructType; readonly path: string } | undefined {
  switch (type.kind) {
    case "pointer":
      return structIn(type.to, path);
    case "list":
      return structIn(type.of, `${path}[*]`);
    case "struct":
      return { type: structAt(type.index), path };
    default:
      return undefined;
  }
}
