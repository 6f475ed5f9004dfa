/** Where values of an API type stand in built-in kinds, for expressions that are scoped to a type. */
import { resourceInfos } from "@portcullis/engine/builtin/resources";
import { type StructType, structAt, structOfKind, type TypeExpr } from "@portcullis/engine/builtin/types";

/** `io.k8s.api.core.v1.Container` in pods: `spec.containers[*]`, `spec.initContainers[*]`. Maps are passed over. */
export function placesOfType(typeName: string, resources: readonly string[]): readonly string[] {
  const go = typeName.split(".").slice(-2).join(".");
  const kinds = resourceInfos().filter(({ plural }) => resources.includes(plural));
  const places = kinds.flatMap(({ group, version, kind }) => {
    const type = structOfKind(group, version, kind);
    return type === undefined ? [] : placesIn(type, go, "", new Set());
  });
  return [...new Set(places)];
}

function placesIn(type: StructType, go: string, path: string, above: ReadonlySet<number>): string[] {
  if (type.go === go) return [path];
  if (above.has(type.index)) return [];
  const inner = new Set([...above, type.index]);
  return [...type.members].flatMap(([name, field]) => {
    const found = structIn(field.type, path === "" ? name : `${path}.${name}`);
    return found === undefined ? [] : placesIn(found.type, go, found.path, inner);
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
