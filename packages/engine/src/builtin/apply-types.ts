/**
 * The merge types of built-in kinds, for server-side apply.
 *
 * Follows what kube-openapi pkg/schemaconv makes of the published schemas: lists are atomic unless they say otherwise,
 * a struct without fields is free-form, and the types that decode themselves each have a schema of their own.
 */
import { parseGroupVersion } from "../apply/types/kind.ts";
import type { Conversion, ResourceTypes } from "../apply/types/typed.ts";
import {
  DEDUCED,
  type ListType,
  type MapType,
  type MergeType,
  type MutableMergeType,
  mapOf,
  newType,
  scalarType,
  UNTYPED_ATOMIC,
} from "../apply/types/types.ts";
import type { JsonObject } from "../value/json.ts";
import { textOf } from "../value/read.ts";
import { fromHub, toHub } from "./convert.ts";
import { builtinKind } from "./kinds/kinds.ts";
import {
  type ApplyRule,
  pointee,
  type StructField,
  type StructType,
  structAt,
  structOfKind,
  type TypeExpr,
} from "./types.ts";

export const builtinTypes: ResourceTypes = {
  typeOf: (apiVersion, kind) => {
    const parsed = parseGroupVersion(apiVersion);
    const type = parsed === undefined ? undefined : structOfKind(parsed.group, parsed.version, kind);
    return type === undefined ? undefined : mergeTypeOf(type);
  },
  convert: convertBuiltin,
};

/** Versions of a kind are converted by the one that is stored; what is of another group, or exists no more, is forgotten. */
function convertBuiltin(object: JsonObject, apiVersion: string): Conversion {
  if (object["apiVersion"] === apiVersion) return { outcome: "converted", object };
  const kind = textOf(object["kind"]);
  const [from, to] = [formOf(textOf(object["apiVersion"]), kind), formOf(apiVersion, kind)];
  if (from === undefined || to === undefined || from.stored !== to.stored) return { outcome: "missing" };
  if (from.kind.group !== to.kind.group) return { outcome: "missing" };
  return { outcome: "converted", object: fromHub(toHub(object, from.hub), to.kind, to.hub) };
}

function formOf(apiVersion: string, kind: string) {
  const parsed = parseGroupVersion(apiVersion);
  const own = parsed && { ...parsed, kind };
  const found = own && builtinKind(own.group, own.version, kind);
  if (own === undefined || found === undefined) return undefined;
  const { group, version, kind: name } = found.hub?.kind ?? own;
  return { kind: own, hub: found.hub, stored: `${group}/${version}/${name}` };
}

const known = new Map<StructType, MergeType>();

function mergeTypeOf(type: StructType): MergeType {
  const cached = known.get(type);
  if (cached !== undefined) return cached;
  const made: MutableMergeType = newType({ name: type.go });
  known.set(type, made);
  made.map = structMap(type, type.isAtomic);
  return made;
}

function structMap(type: StructType, isAtomic: boolean): MapType {
  const fields = new Map(
    [...type.members].map(([name, field]) => [name, { type: fieldType(field), default: field.default }]),
  );
  const element = fields.size === 0 ? DEDUCED : undefined;
  return { fields, element, relationship: isAtomic ? "atomic" : "separable" };
}

function fieldType({ type, apply }: StructField): MergeType {
  const value = pointee(type);
  if (value.kind === "list") return newType({ list: listType(value.of, apply) });
  if (value.kind === "map") return newType({ map: { ...mapOf(valueType(value.of)), relationship: relationOf(apply) } });
  // A field may take a struct as a whole that is merged elsewhere.
  if (value.kind === "struct" && apply !== undefined) {
    const struct = structAt(value.index);
    return newType({ name: struct.go, map: structMap(struct, apply.kind === "atomicMap") });
  }
  return valueType(value);
}

function relationOf(apply: ApplyRule | undefined): MapType["relationship"] {
  return apply?.kind === "atomicMap" ? "atomic" : "separable";
}

function listType(of: TypeExpr, apply: ApplyRule | undefined): ListType {
  const element = valueType(of);
  if (apply?.kind === "keyedList") return { element, relationship: "associative", keys: apply.keys };
  return { element, relationship: apply?.kind === "set" ? "associative" : "atomic", keys: [] };
}

const STRING = scalarType("string");
const NUMERIC = scalarType("numeric");
const BOOLEAN = scalarType("boolean");

function valueType(type: TypeExpr): MergeType {
  switch (type.kind) {
    case "pointer":
      return valueType(type.to);
    case "struct":
      return mergeTypeOf(structAt(type.index));
    case "list":
      return newType({ list: listType(type.of, undefined) });
    case "map":
      return newType({ map: mapOf(valueType(type.of)) });
    case "special":
      return SPECIAL[type.go] ?? ANYTHING;
    case "bool":
      return BOOLEAN;
    case "string":
    case "bytes":
      return STRING;
    default:
      return NUMERIC;
  }
}

/** A schema without a type: any scalar, a list taken as a whole, or free-form members. */
const ANYTHING: MergeType = newType({
  scalar: "untyped",
  list: { element: UNTYPED_ATOMIC, relationship: "atomic", keys: [] },
  map: mapOf(DEDUCED),
});

const SPECIAL: Readonly<Record<string, MergeType>> = {
  "v1.Time": newType({ name: "v1.Time", scalar: "untyped" }),
  "v1.MicroTime": newType({ name: "v1.MicroTime", scalar: "untyped" }),
  "resource.Quantity": newType({ name: "resource.Quantity", scalar: "untyped" }),
  "runtime.RawExtension": newType({ ...UNTYPED_ATOMIC, name: "runtime.RawExtension" }),
  "v1.FieldsV1": newType({ name: "v1.FieldsV1", map: mapOf(DEDUCED) }),
};
