/**
 * The AdmissionReview that is sent to a webhook, as the API server encodes it: built-in objects with their members in the
 * order of the Go structs, custom resources with sorted ones.
 *
 * Follows apiserver pkg/admission/plugin/webhook/request/admissionreview.go.
 */

import { shapeOf } from "../builtin/shapes.ts";
import { structOfKind } from "../builtin/types.ts";
import { goJsonText } from "../field/go-json.ts";
import { field, type GoShape, goBool, goList, goMap, goRaw, goString, goStruct } from "../field/go-shape.ts";
import { requestObject } from "../policy/activation.ts";
import { type AdmissionAttributes, parseGroupVersion } from "../policy/attributes.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { metaText, withMeta } from "../value/metadata.ts";
import { textOf } from "../value/read.ts";
import { since } from "../value/server-version.ts";
import type { VersionedObjects } from "./conditions.ts";
import type { Invocation } from "./select.ts";

export const REVIEW_GROUP = "admission.k8s.io";
export const REVIEW_KIND = "AdmissionReview";

export interface Review {
  readonly version: "v1" | "v1beta1";
  readonly uid: string;
  /** JSON with a trailing newline. */
  readonly body: string;
}

/** Undefined if the webhook supports none of the versions. */
export function createReview(
  { webhook, resource, kind }: Invocation,
  attributes: AdmissionAttributes,
  { object, oldObject }: Pick<VersionedObjects, "object" | "oldObject">,
  newUid: () => string,
): Review | undefined {
  const version = webhook.reviewVersions.find((each) => each === "v1" || each === "v1beta1");
  if (version !== "v1" && version !== "v1beta1") return undefined;
  const uid = newUid();
  const request = requestObject(attributes, { resource, kind });
  Object.assign(request, { uid, object: asEncoded(object, attributes.operation), oldObject: oldObject ?? null });
  const head = `{"kind":"${REVIEW_KIND}","apiVersion":"${REVIEW_GROUP}/${version}"`;
  return { version, uid, body: `${head},"request":${requestText(request)}}\n` };
}

function requestText(request: JsonObject): string {
  return goJsonText(request, {
    ...REQUEST,
    fields: () =>
      new Map(
        [...REQUEST.fields()].map(([name, each]) => [name, { ...each, shape: shapeFor(each.shape, request[name]) }]),
      ),
  });
}

/** Up to 1.33 the creation time is written before it is set: of built-in objects, and of custom ones on update. */
function asEncoded(object: JsonObject | undefined, operation: string): JsonValue {
  if (object === undefined || since("1.34") || !isObject(object["metadata"])) return object ?? null;
  const isAlwaysWritten = operation === "UPDATE" || shapeFor(goRaw, object) !== goRaw;
  if (!isAlwaysWritten || metaText(object, "creationTimestamp") !== "") return object;
  return withMeta(object, { creationTimestamp: null });
}

/** The shape of a member that may have any kind, by its actual kind. */
function shapeFor(shape: GoShape, value: JsonValue | undefined): GoShape {
  if (shape !== goRaw || !isObject(value)) return shape;
  const kind = textOf(value["kind"]);
  const options = OPTIONS[kind];
  if (options !== undefined && value["apiVersion"] === "meta.k8s.io/v1") return options;
  const groupVersion = parseGroupVersion(textOf(value["apiVersion"]));
  const type = groupVersion && structOfKind(groupVersion.group, groupVersion.version, kind);
  return type === undefined ? shape : shapeOf(type);
}

const groupVersionKind = goStruct("v1.GroupVersionKind", () => ({
  group: field(goString),
  version: field(goString),
  kind: field(goString),
}));

const groupVersionResource = goStruct("v1.GroupVersionResource", () => ({
  group: field(goString),
  version: field(goString),
  resource: field(goString),
}));

const userInfo = goStruct("v1.UserInfo", () => ({
  username: field(goString),
  uid: field(goString),
  groups: field(goList(goString)),
  extra: field(goMap(goList(goString))),
}));

const REQUEST = goStruct("v1.AdmissionRequest", () => ({
  uid: field(goString),
  kind: field(groupVersionKind),
  resource: field(groupVersionResource),
  subResource: field(goString),
  requestKind: field(groupVersionKind),
  requestResource: field(groupVersionResource),
  requestSubResource: field(goString),
  name: field(goString),
  namespace: field(goString),
  operation: field(goString),
  userInfo: field(userInfo),
  object: field(goRaw),
  oldObject: field(goRaw),
  dryRun: field(goBool),
  options: field(goRaw),
}));

const typeMeta = { kind: field(goString), apiVersion: field(goString) };
const dryRun = field(goList(goString));
const writeOptions = goStruct("v1.CreateOptions", () => ({
  ...typeMeta,
  dryRun,
  fieldManager: field(goString),
  fieldValidation: field(goString),
}));

const deleteOptions = goStruct("v1.DeleteOptions", () => ({
  ...typeMeta,
  gracePeriodSeconds: field(goRaw),
  preconditions: field(
    goStruct("v1.Preconditions", () => ({ uid: field(goString), resourceVersion: field(goString) })),
  ),
  orphanDependents: field(goBool),
  propagationPolicy: field(goString),
  dryRun,
}));

const OPTIONS: Readonly<Record<string, GoShape>> = {
  CreateOptions: writeOptions,
  UpdateOptions: writeOptions,
  DeleteOptions: deleteOptions,
};
