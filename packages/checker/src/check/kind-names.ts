/** The fields of a kind, for hints. Apart from field-names.ts, because it loads the built-in kinds. */
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { type NamesAt, namesInSchema, namesInShape } from "./field-names.ts";

/** The fields of a kind; undefined if its schema is not known. */
export function kindNames(kind: ResourceKind): NamesAt | undefined {
  if (kind.customSchema !== undefined) return kind.customSchema.schema && namesInSchema(kind.customSchema.schema);
  if (kind.group === "apiextensions.k8s.io") return namesInShape(definitionShape);
  const builtin = builtinResource(kind.group, kind.version, kind.plural);
  return builtin && namesInShape(builtin.shape);
}
