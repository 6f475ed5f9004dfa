/**
 * The merge schema of a custom resource.
 *
 * Follows kube-openapi pkg/schemaconv/openapi.go and the builder of apiextensions pkg/controller/openapi: the root and
 * every embedded resource get the type of metadata. A schema without a type allows every form, int-or-string included;
 * `x-kubernetes-preserve-unknown-fields` holds for everything below it.
 */
import type { Structural } from "../../schema/structural.ts";
import { OBJECT_META, OPEN_OBJECT_META } from "./object-meta-type.ts";
import {
  DEDUCED,
  type ListType,
  type MapType,
  type MergeType,
  mapOf,
  newType,
  type ScalarKind,
  type StructField,
  scalarType,
  UNTYPED_ATOMIC,
} from "./types.ts";

export interface StructuralTypeOptions {
  /** `spec.preserveUnknownFields` of the definition. */
  readonly preserveUnknownFields: boolean;
}

/** Without a schema everything is free-form, metadata included. */
export function customResourceType(schema: Structural | undefined, options: StructuralTypeOptions): MergeType {
  if (schema === undefined) return newType({ map: mapOf(DEDUCED) });
  const context = { preserve: options.preserveUnknownFields, openMetadata: options.preserveUnknownFields };
  return convert(schema, context, true);
}

interface Context {
  readonly preserve: boolean;
  readonly openMetadata: boolean;
}

function convert(schema: Structural, outer: Context, isResource: boolean): MergeType {
  const context = schema.preserveUnknownFields === true ? { ...outer, preserve: true } : outer;
  switch (schema.type) {
    case "":
      return newType({
        scalar: "untyped",
        list: listType(schema, context),
        map: mapType(schema, context, isResource),
      });
    case "object":
      return newType({ map: mapType(schema, context, isResource) });
    case "array":
      return newType({ list: listType(schema, context) });
    default:
      return scalarType(scalarKind(schema.type, schema.format));
  }
}

/** A text with a format is any scalar; only `byte` is still a text. */
function scalarKind(type: string, format: string): ScalarKind {
  switch (type) {
    case "integer":
    case "number":
      return "numeric";
    case "boolean":
      return "boolean";
    case "string":
      return format === "" || format === "byte" ? "string" : "untyped";
    default:
      return "untyped";
  }
}

function mapType(schema: Structural, context: Context, isResource: boolean): MapType {
  const fields = new Map<string, StructField>();
  for (const [name, member] of schema.properties) {
    fields.set(name, { type: convert(member, context, member.embeddedResource), default: member.default });
  }
  if (isResource) addResourceFields(fields, context);
  const relationship = schema.mapType === "atomic" ? "atomic" : "separable";
  return { fields, element: elementType(schema, context, fields.size === 0), relationship };
}

function addResourceFields(fields: Map<string, StructField>, context: Context): void {
  for (const name of ["apiVersion", "kind"]) fields.set(name, { type: scalarType("string"), default: undefined });
  fields.set("metadata", { type: context.openMetadata ? OPEN_OBJECT_META : OBJECT_META, default: undefined });
}

function elementType(schema: Structural, context: Context, hasNoFields: boolean): MergeType | undefined {
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return context.preserve || hasNoFields ? DEDUCED : undefined;
  const inner = additionalProperties.schema;
  if (inner !== undefined) return convert(inner, context, inner.embeddedResource);
  return additionalProperties.allows ? DEDUCED : undefined;
}

function listType(schema: Structural, context: Context): ListType {
  const { items, listType: kind, listMapKeys } = schema;
  const element = items === undefined ? UNTYPED_ATOMIC : convert(items, context, items.embeddedResource);
  if (kind === "set") return { element, relationship: "associative", keys: [] };
  if (kind === "map") return { element, relationship: "associative", keys: listMapKeys };
  return { element, relationship: "atomic", keys: [] };
}
