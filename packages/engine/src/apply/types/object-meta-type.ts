/** The type of metadata, as the API server derives it from its own OpenAPI document. */
import {
  DEDUCED,
  type MapType,
  type MergeType,
  mapOf,
  newType,
  type ScalarKind,
  type StructField,
  scalarType,
} from "./types.ts";

const string = scalarType("string");
const PREFIX = "io.k8s.apimachinery.pkg.apis.meta.v1.";

const time = newType({ name: `${PREFIX}Time`, scalar: "untyped" });
const fieldsV1 = newType({ name: `${PREFIX}FieldsV1`, map: mapOf(DEDUCED) });

/** Free of unknown members unless asked otherwise. */
function structType(
  name: string,
  fields: { [name: string]: MergeType | ScalarKind },
  more: Partial<MapType>,
): MergeType {
  const entries = Object.entries(fields).map(([field, type]): [string, StructField] => [
    field,
    { type: typeof type === "string" ? scalarType(type) : type, default: undefined },
  ]);
  const map: MapType = { fields: new Map(entries), element: undefined, relationship: "separable", ...more };
  return newType({ name: PREFIX + name, map });
}

/** References are merged by uid, each as a whole; a missing uid counts as the empty text. */
function ownerReference(element: MergeType | undefined): MergeType {
  const required = (): StructField => ({ type: string, default: "" });
  const optional = (): StructField => ({ type: scalarType("boolean"), default: undefined });
  const fields = new Map([
    ["apiVersion", required()],
    ["kind", required()],
    ["name", required()],
    ["uid", required()],
    ["controller", optional()],
    ["blockOwnerDeletion", optional()],
  ]);
  return newType({ name: `${PREFIX}OwnerReference`, map: { fields, element, relationship: "atomic" } });
}

function managedFieldsEntry(more: Partial<MapType>): MergeType {
  const fields = {
    manager: "string",
    operation: "string",
    apiVersion: "string",
    time,
    fieldsType: "string",
    fieldsV1,
    subresource: "string",
  } as const;
  return structType("ManagedFieldsEntry", fields, more);
}

function objectMeta(element: MergeType | undefined): MergeType {
  const more = { element };
  const fields = {
    name: "string",
    generateName: "string",
    namespace: "string",
    selfLink: "string",
    uid: "string",
    resourceVersion: "string",
    generation: "numeric",
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: "numeric",
    labels: newType({ map: mapOf(string) }),
    annotations: newType({ map: mapOf(string) }),
    ownerReferences: newType({
      list: { element: ownerReference(element), relationship: "associative", keys: ["uid"] },
    }),
    finalizers: newType({ list: { element: string, relationship: "associative", keys: [] } }),
    managedFields: newType({ list: { element: managedFieldsEntry(more), relationship: "atomic", keys: [] } }),
  } as const;
  return structType("ObjectMeta", fields, more);
}

export const OBJECT_META: MergeType = objectMeta(undefined);

/** For the custom resources of old that preserve unknown fields everywhere, metadata included. */
export const OPEN_OBJECT_META: MergeType = objectMeta(DEDUCED);
