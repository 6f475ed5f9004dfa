/**
 * Merge schemas from an OpenAPI v3 document: how built-in kinds get theirs.
 *
 * Follows kube-openapi pkg/schemaconv/openapi.go. A reference may stand alone or as the only member of `allOf`, and may
 * say how the map it refers to is merged. Lists without a list type follow their patch strategy. Types are made when they
 * are first asked for, since a document has hundreds.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { scalarKind } from "./structural-type.ts";
import {
  DEDUCED,
  type ListType,
  type MapType,
  type MergeType,
  newType,
  type StructField,
  scalarType,
  UNTYPED_ATOMIC,
} from "./types.ts";

/** These two are more than their schemas say. */
const KNOWN: ReadonlyMap<string, MergeType> = new Map([
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", scalarType("untyped")],
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", UNTYPED_ATOMIC],
]);

/** A function from the name of a schema to its type; `schemas` is `components.schemas` of a document. */
export function openApiTypes(schemas: JsonObject): (name: string) => MergeType | undefined {
  const types = new Map<string, MergeType>();
  const typeNamed = (name: string): MergeType | undefined => {
    const made = types.get(name);
    if (made !== undefined) return made;
    const schema = schemas[name];
    if (!isObject(schema) || typeof schema["$ref"] === "string") return undefined;
    const type = newType({ name });
    types.set(name, type);
    const { scalar, list, map } = KNOWN.get(name) ?? convert(schema, { typeNamed, preserve: false });
    return Object.assign(type, { scalar, list, map });
  };
  return typeNamed;
}

interface Context {
  readonly typeNamed: (name: string) => MergeType | undefined;
  /** Whether something above allows unknown fields. */
  readonly preserve: boolean;
}

function convert(schema: JsonObject, outer: Context): MergeType {
  const context = schema["x-kubernetes-preserve-unknown-fields"] === true ? { ...outer, preserve: true } : outer;
  const type = text(schema["type"]);
  switch (type) {
    case "":
      return newType({ scalar: "untyped", list: listType(schema, context), map: mapType(schema, context) });
    case "object":
      return newType({ map: mapType(schema, context) });
    case "array":
      return newType({ list: listType(schema, context) });
    default:
      return scalarType(scalarKind(type, text(schema["format"])));
  }
}

function convertReference(schema: JsonObject, context: Context): MergeType {
  const name = referredName(schema);
  if (name === undefined) return convert(schema, context);
  const type = context.typeNamed(name) ?? newType({ name });
  const relationship = mapRelationship(schema);
  return relationship === undefined ? type : withRelationship(type, relationship);
}

function referredName(schema: JsonObject): string | undefined {
  const { $ref: own, allOf } = schema;
  const only = isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  const reference = text(own) || (isObject(only) ? text(only["$ref"]) : "");
  return reference === "" ? undefined : reference.slice(reference.lastIndexOf("/") + 1);
}

function withRelationship(type: MergeType, relationship: "atomic" | "separable"): MergeType {
  if (type.map !== undefined) return { ...type, map: { ...type.map, relationship } };
  if (type.list === undefined) return type;
  return {
    ...type,
    list: { ...type.list, relationship: relationship === "atomic" ? "atomic" : type.list.relationship },
  };
}

function mapType(schema: JsonObject, context: Context): MapType {
  const fields = new Map<string, StructField>();
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const [name, member] of Object.entries(properties)) {
    if (!isObject(member)) continue;
    fields.set(name, { type: convertReference(member, context), default: member["default"] ?? undefined });
  }
  const element = elementType(schema["additionalProperties"], context, fields.size === 0);
  return { fields, element, relationship: mapRelationship(schema) ?? "separable" };
}

function elementType(additional: JsonValue | undefined, context: Context, hasNoFields: boolean): MergeType | undefined {
  if (additional === undefined) return context.preserve || hasNoFields ? DEDUCED : undefined;
  if (isObject(additional)) return convertReference(additional, context);
  return additional === true ? DEDUCED : undefined;
}

function mapRelationship(schema: JsonObject): "atomic" | "separable" | undefined {
  const kind = schema["x-kubernetes-map-type"];
  if (kind === "atomic") return "atomic";
  return kind === "granular" ? "separable" : undefined;
}

function listType(schema: JsonObject, context: Context): ListType {
  const { items } = schema;
  const element = isObject(items) ? convertReference(items, context) : UNTYPED_ATOMIC;
  return { element, ...listRelationship(schema) };
}

const ATOMIC = { relationship: "atomic", keys: [] } as const;
const SET = { relationship: "associative", keys: [] } as const;

function listRelationship(schema: JsonObject): Omit<ListType, "element"> {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return SET;
    case "map":
      return { relationship: "associative", keys: texts(schema["x-kubernetes-list-map-keys"]) };
    case undefined:
      return patchRelationship(schema);
    default:
      return ATOMIC;
  }
}

function patchRelationship(schema: JsonObject): Omit<ListType, "element"> {
  const strategy = schema["x-kubernetes-patch-strategy"];
  if (strategy !== "merge" && strategy !== "merge,retainKeys") return ATOMIC;
  const key = text(schema["x-kubernetes-patch-merge-key"]);
  return key === "" ? SET : { relationship: "associative", keys: [key] };
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function texts(value: JsonValue | undefined): string[] {
  return isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
