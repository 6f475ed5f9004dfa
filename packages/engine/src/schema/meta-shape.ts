/** metav1.ObjectMeta as a Go struct: what decoding it refuses and drops, and what stays when it is written back. */
import { decodeGo } from "../field/go-decode.ts";
import {
  alwaysField,
  field,
  type GoDecoded,
  type GoShape,
  type GoStruct,
  goBool,
  goInt64,
  goList,
  goMap,
  goString,
  goStruct,
  goTime,
  namedString,
  pointerField,
} from "../field/go-shape.ts";
import { append } from "../value/append.ts";
import { isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../value/json.ts";

const uid = namedString("types.UID");

/** Raw bytes that must be JSON; only null is left out. */
const fieldsV1: GoShape = { kind: "raw", go: "v1.FieldsV1" };

const ownerReference = goStruct("v1.OwnerReference", () => ({
  apiVersion: alwaysField(goString),
  kind: alwaysField(goString),
  name: alwaysField(goString),
  uid: alwaysField(uid),
  controller: pointerField(goBool),
  blockOwnerDeletion: pointerField(goBool),
}));

const managedFieldsEntry = goStruct("v1.ManagedFieldsEntry", () => ({
  manager: field(goString),
  operation: field(namedString("v1.ManagedFieldsOperationType")),
  apiVersion: field(goString),
  time: pointerField(goTime),
  fieldsType: field(goString),
  fieldsV1: pointerField(fieldsV1),
  subresource: field(goString),
}));

export const objectMeta: GoStruct = goStruct("v1.ObjectMeta", () => ({
  name: field(goString),
  generateName: field(goString),
  namespace: field(goString),
  selfLink: field(goString),
  uid: field(uid),
  resourceVersion: field(goString),
  generation: field(goInt64),
  creationTimestamp: field(goTime),
  deletionTimestamp: pointerField(goTime),
  deletionGracePeriodSeconds: pointerField(goInt64),
  labels: field(goMap(goString)),
  annotations: field(goMap(goString)),
  ownerReferences: field(goList(ownerReference)),
  finalizers: field(goList(goString)),
  managedFields: field(goList(managedFieldsEntry)),
}));

/** Upstream writes the map as JSON first, so that problems come in the order of sorted keys. */
export function decodeMeta(metadata: JsonValue): GoDecoded {
  const decoded = decodeGo(metadata, objectMeta);
  const isFine = decoded.error === undefined && decoded.unknown.length === 0;
  return isFine ? decoded : decodeGo(metadata, objectMeta, { sortKeys: true });
}

/** Field by field, leaving out those that do not decode: how stored objects with broken metadata are still read. */
export function decodeMetaLeniently(metadata: JsonObject): GoDecoded {
  const value = newObject();
  const unknown: string[] = [];
  for (const key of sortedKeys(metadata)) {
    const single = newObject();
    single[key] = metadata[key] as JsonValue;
    const decoded = decodeMeta(single);
    if (decoded.error !== undefined) continue;
    append(unknown, decoded.unknown);
    if (isObject(decoded.value)) Object.assign(value, decoded.value);
  }
  return { value, unknown, error: undefined };
}
