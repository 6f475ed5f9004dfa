/**
 * The published schemas of built-in kinds, made from the Go types they are decoded into.
 *
 * Defaults are published as the types have them: mostly zero values, which say that a field is always written. Texts that
 * describe are left out.
 */
import { PACKAGES } from "../builtin/generated/kinds.ts";
import { kindsOfStruct, type StructField, type StructType, structAt, type TypeExpr } from "../builtin/types.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import type { GroupVersion } from "../value/kind.ts";
import { resourceListSchema, resourceSchema } from "./discovery-schema.ts";
import { fromEntries, object } from "./json.ts";
import {
  DELETE_OPTIONS,
  META_V1,
  PATCH,
  packageName,
  RESOURCE,
  RESOURCE_LIST,
  reference,
  WATCH_EVENT,
} from "./names.ts";
import type { OpenApiVersion } from "./resource.ts";

let packages: readonly (readonly [start: number, name: string])[] | undefined;

export function structName({ line, go }: StructType): string {
  packages ??= PACKAGES.map((text) => {
    const [start = "", path = ""] = text.split(" ");
    return [Number(start), packageName(path)] as const;
  });
  const home = packages.findLast(([start]) => start <= line)?.[1] ?? "";
  return `${home}.${go.slice(go.lastIndexOf(".") + 1)}`;
}

const RUNTIME = "io.k8s.apimachinery.pkg.runtime";

/** Types that decode themselves, by their Go name. */
const SPECIAL_NAMES: Readonly<Record<string, string>> = {
  "v1.Time": `${META_V1}.Time`,
  "v1.MicroTime": `${META_V1}.MicroTime`,
  "v1.Duration": `${META_V1}.Duration`,
  "v1.FieldsV1": `${META_V1}.FieldsV1`,
  "resource.Quantity": "io.k8s.apimachinery.pkg.api.resource.Quantity",
  "intstr.IntOrString": "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  "runtime.RawExtension": `${RUNTIME}.RawExtension`,
};

const APIEXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

/** A name that a reference leads to, by its schema. */
const FIXED: Readonly<Record<string, (version: OpenApiVersion) => JsonObject>> = {
  [`${META_V1}.Time`]: () => object({ type: "string", format: "date-time" }),
  [`${META_V1}.MicroTime`]: () => object({ type: "string", format: "date-time" }),
  [`${META_V1}.Duration`]: () => object({ type: "string" }),
  [`${META_V1}.FieldsV1`]: () => object({ type: "object" }),
  [PATCH]: () => object({ type: "object" }),
  [`${RUNTIME}.RawExtension`]: () => object({ type: "object" }),
  "io.k8s.apimachinery.pkg.api.resource.Quantity": (version) => either(version, ["string", "number"]),
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": (version) =>
    object({ ...either(version, ["integer", "string"]), format: "int-or-string" }),
  [RESOURCE]: resourceSchema,
  [RESOURCE_LIST]: resourceListSchema,
};

/** Version 2 has no alternatives, and calls both a text. */
function either(version: OpenApiVersion, types: readonly string[]): JsonObject {
  return version === 2 ? object({ type: "string" }) : object({ oneOf: types.map((type) => object({ type })) });
}

export type EnumOf = (schema: string, field: string) => readonly string[] | undefined;

export interface SchemaSink {
  /** Called for every schema that is referred to. */
  readonly refer: (name: string, struct: StructType | undefined) => void;
  readonly version: OpenApiVersion;
  /** The values of a field with an enumeration. */
  readonly enumOf?: EnumOf | undefined;
  /** The built-in group versions the document is about; none in a document of custom resources. */
  readonly groupVersions: readonly GroupVersion[];
}

export function fixedSchema(name: string, version: OpenApiVersion): JsonObject | undefined {
  return FIXED[name]?.(version) ?? (name.startsWith(`${APIEXTENSIONS}.`) ? object({}) : undefined);
}

/** Metadata is the part that every kind has, and the one that people look up. */
const META_TEXTS: Readonly<Record<string, string>> = {
  annotations: "Annotations hold whatever tools want to keep with the object. Nothing selects by them.",
  creationTimestamp: "CreationTimestamp is a timestamp: when the server created the object.",
  deletionGracePeriodSeconds: "How long the object may take to end once its deletion was asked for.",
  deletionTimestamp: "DeletionTimestamp is set by the server once somebody asked for the deletion of the object.",
  finalizers: "Finalizers name what has to be done before a deleted object goes away.",
  generateName: "GenerateName is the beginning of the name that the server makes up where no name is given.",
  generation: "Generation counts the changes of the wanted state.",
  labels: "Labels are what selectors look at.",
  managedFields: "ManagedFields says who owns which field.",
  name: "Name of the object, unique among its kind in the namespace.",
  namespace: "Namespace that the object lives in; empty for kinds of the whole cluster.",
  ownerReferences: "OwnerReferences name the objects this one belongs to.",
  resourceVersion: "ResourceVersion changes with every write, and lets a client insist on the state it has seen.",
  uid: "UID distinguishes the object from earlier objects of the same name.",
};

function described(schema: JsonObject, description: string | undefined): JsonObject {
  return description === undefined ? schema : object({ ...schema, description });
}

export function structSchema(struct: StructType, sink: SchemaSink): JsonObject {
  const members = [...struct.members].sort(([a], [b]) => (a < b ? -1 : 1));
  const required = [...struct.members].filter(([, field]) => field.isRequired).map(([name]) => name);
  const texts = struct.go === "v1.ObjectMeta" ? META_TEXTS : {};
  const properties = fromEntries(
    members.map(([name, field]) => {
      const schema = withEnum(fieldSchema(field, sink), sink.enumOf?.(structName(struct), name));
      return [name, described(schema, texts[name])];
    }),
  );
  return object({
    type: "object",
    required: required.length === 0 ? undefined : required,
    properties: members.length === 0 ? undefined : properties,
    "x-kubernetes-map-type": struct.isAtomic ? "atomic" : undefined,
    "x-kubernetes-group-version-kind": kindsExtension(struct, sink),
  });
}

/** Of a list or a map, the items have the values. */
function withEnum(schema: JsonObject, values: readonly string[] | undefined): JsonObject {
  if (values === undefined || values.length === 0) return schema;
  const inner = ["items", "additionalProperties"].find((key) => isObject(schema[key]));
  if (inner === undefined) return object({ ...schema, enum: [...values] });
  return object({ ...schema, [inner]: withEnum(objectIn(schema, inner), values) });
}

function objectIn(schema: JsonObject, key: string): JsonObject {
  const member = schema[key];
  return isObject(member) ? member : object({});
}

function kindsExtension(struct: StructType, sink: SchemaSink): JsonValue | undefined {
  const kinds = kindsOfStruct(struct);
  const name = structName(struct);
  const isEverywhere = name === DELETE_OPTIONS || name === WATCH_EVENT;
  const all = isEverywhere ? everyGroup(kinds[0]?.kind ?? "", sink) : kinds;
  return all.length === 0 ? undefined : all.map(({ group, version, kind }) => object({ group, kind, version }));
}

/**
 * Options of deletion and events of watches are registered in every group version. A document of built-in kinds names its
 * own; others name all there ever were.
 */
function everyGroup(kind: string, { version, groupVersions }: SchemaSink): (GroupVersion & { kind: string })[] {
  const core = { group: "", version: "v1", kind };
  if (version === 3 && groupVersions.length > 0) {
    return [core, ...groupVersions.filter(({ group }) => group !== "").map((own) => ({ ...own, kind }))];
  }
  const lines = version === 2 ? [...GROUP_VERSIONS, ...ONLY_IN_VERSION_2].sort() : GROUP_VERSIONS;
  const others = lines.flatMap((line) => {
    const [group = "", ...versions] = line.split(" ");
    return versions.map((each) => ({ group, version: each, kind }));
  });
  return [core, ...others];
}

const GROUP_VERSIONS: readonly string[] = [
  "admissionregistration.k8s.io v1 v1alpha1 v1beta1",
  "apps v1 v1beta1 v1beta2",
  "authentication.k8s.io v1 v1alpha1 v1beta1",
  "authorization.k8s.io v1 v1beta1",
  "autoscaling v1 v2",
  "batch v1 v1beta1",
  "certificates.k8s.io v1 v1alpha1 v1beta1",
  "coordination.k8s.io v1 v1alpha2 v1beta1",
  "discovery.k8s.io v1 v1beta1",
  "events.k8s.io v1 v1beta1",
  "extensions v1beta1",
  "flowcontrol.apiserver.k8s.io v1 v1beta1 v1beta2 v1beta3",
  "internal.apiserver.k8s.io v1alpha1",
  "networking.k8s.io v1 v1beta1",
  "node.k8s.io v1 v1alpha1 v1beta1",
  "policy v1 v1beta1",
  "rbac.authorization.k8s.io v1 v1alpha1 v1beta1",
  "resource.k8s.io v1 v1alpha3 v1beta1 v1beta2",
  "scheduling.k8s.io v1 v1alpha2 v1beta1",
  "storage.k8s.io v1 v1alpha1 v1beta1",
  "storagemigration.k8s.io v1beta1",
];

const ONLY_IN_VERSION_2: readonly string[] = [
  "admission.k8s.io v1 v1beta1",
  "apiextensions.k8s.io v1 v1beta1",
  "apiregistration.k8s.io v1 v1beta1",
  "imagepolicy.k8s.io v1alpha1",
];

function fieldSchema(field: StructField, sink: SchemaSink): JsonObject {
  const extensions = fieldExtensions(field);
  const type = typeSchema(field.type, sink, sink.version === 2 ? undefined : field.default);
  if (sink.version === 2 && "$ref" in type) return type;
  return object({ ...wrapped(type, sink), ...extensions });
}

function fieldExtensions({ apply, strategies, mergeKey }: StructField): Record<string, JsonValue | undefined> {
  return {
    "x-kubernetes-list-map-keys": apply?.kind === "keyedList" ? [...apply.keys] : undefined,
    "x-kubernetes-list-type": apply && LIST_TYPES[apply.kind],
    "x-kubernetes-map-type": apply && MAP_TYPES[apply.kind],
    "x-kubernetes-patch-merge-key": mergeKey === "" ? undefined : mergeKey,
    "x-kubernetes-patch-strategy": strategies.length === 0 ? undefined : strategies.join(","),
  };
}

const LIST_TYPES: Readonly<Record<string, string>> = { atomicList: "atomic", set: "set", keyedList: "map" };
const MAP_TYPES: Readonly<Record<string, string>> = { atomicMap: "atomic", granularMap: "granular" };

/** A reference beside other keywords stands inside an `allOf`. */
function wrapped(schema: JsonObject, { version }: SchemaSink): JsonObject {
  const { $ref, ...rest } = schema;
  if ($ref === undefined || version === 2) return schema;
  return object({ ...rest, allOf: [object({ $ref })] });
}

function typeSchema(type: TypeExpr, sink: SchemaSink, fallback: JsonValue | undefined): JsonObject {
  switch (type.kind) {
    case "pointer":
      return typeSchema(type.to, sink, fallback);
    case "struct":
      return referTo(structName(structAt(type.index)), structAt(type.index), sink, fallback);
    case "special":
      return specialSchema(type.go, sink, fallback);
    case "list":
      return object({ type: "array", items: itemSchema(type.of, sink), default: fallback });
    case "map":
      return object({ type: "object", additionalProperties: itemSchema(type.of, sink), default: fallback });
    default:
      return object({ ...SCALARS[type.kind], default: fallback });
  }
}

const SCALARS = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  float: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
} as const;

function specialSchema(go: string, sink: SchemaSink, fallback: JsonValue | undefined): JsonObject {
  const short = go.slice(go.lastIndexOf(".") + 1);
  return referTo(SPECIAL_NAMES[go] ?? `${APIEXTENSIONS}.${short}`, undefined, sink, fallback);
}

function referTo(
  name: string,
  struct: StructType | undefined,
  sink: SchemaSink,
  fallback: JsonValue | undefined,
): JsonObject {
  sink.refer(name, struct);
  return object({ $ref: reference(name, sink.version), default: fallback });
}

/** Items have the zero value as default, but for bytes, lists, and types that decode themselves. */
function itemSchema(type: TypeExpr, sink: SchemaSink): JsonObject {
  const schema = typeSchema(type, sink, sink.version === 2 ? undefined : zeroOf(type));
  return "default" in schema ? wrapped(schema, sink) : schema;
}

function zeroOf(type: TypeExpr): JsonValue | undefined {
  switch (type.kind) {
    case "struct":
      return object({});
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float":
      return 0;
    default:
      return undefined;
  }
}
