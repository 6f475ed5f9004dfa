/**
 * The AdmissionReview that is sent to a webhook, as the API server encodes it.
 *
 * Follows apiserver pkg/admission/plugin/webhook/request/admissionreview.go.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import { requestObject } from "../policy/activation.ts";
import type { AdmissionAttributes } from "../policy/attributes.ts";
import type { JsonObject, JsonValue } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import type { VersionedObjects } from "./conditions.ts";
import type { Invocation } from "./select.ts";

export const REVIEW_GROUP = "admission.k8s.io";
export const REVIEW_KIND = "AdmissionReview";

export interface Review {
  readonly version: "v1" | "v1beta1";
  readonly uid: string;
  /** JSON, with a line break at its end. */
  readonly body: string;
}

/** Undefined where the webhook knows none of the versions. */
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
  Object.assign(request, { uid, object: object ?? null, oldObject: oldObject ?? null });
  return { version, uid, body: encodeReview(version, request) };
}

/** Members of the request in the order of the Go struct; what is inside of them is sorted by key. */
function encodeReview(version: Review["version"], request: JsonObject): string {
  const members = Object.entries(request).map(([key, value]) => `${memberName(key)}:${encodeMember(key, value)}`);
  const head = `{"kind":"${REVIEW_KIND}","apiVersion":"${REVIEW_GROUP}/${version}"`;
  return `${head},"request":{${members.join(",")}}}\n`;
}

const WITH_STRUCT_ORDER: ReadonlySet<string> = new Set([
  "kind",
  "resource",
  "requestKind",
  "requestResource",
  "userInfo",
]);

function encodeMember(key: string, value: JsonValue): string {
  if (!WITH_STRUCT_ORDER.has(key) || typeof value !== "object" || value === null) return canonicalJson(value);
  const members = Object.entries(value).map(([name, each]) => `${memberName(name)}:${canonicalJson(each)}`);
  return `{${members.join(",")}}`;
}

function memberName(name: string): string {
  return jsonString(name, { escapeHtml: true });
}
