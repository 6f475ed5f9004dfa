/**
 * ConversionReview: what is sent to a conversion webhook, and what is made of its answer.
 *
 * Follows apiextensions pkg/apiserver/conversion/webhook_converter.go and client-go rest/request.go. An answer to a
 * review of version v1beta1 is not checked for kind and uid.
 */
import {
  field,
  type GoShape,
  type GoStruct,
  goList,
  goRaw,
  goString,
  goStruct,
  namedString,
  pointerField,
} from "@portcullis/engine/internal/field/go-shape";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { type ClaimedKind, decodeAnswer, type WebhookAnswer } from "@portcullis/engine/internal/webhooks/answer";
import { STATUS } from "@portcullis/engine/internal/webhooks/status-shape";
import * as messages from "./messages.ts";

const GROUP = "apiextensions.k8s.io";
const KIND = "ConversionReview";

export type ReviewVersion = "v1" | "v1beta1";

/** The first version that both sides know. */
export function chooseReviewVersion(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === "v1" || version === "v1beta1");
}

export interface ReviewRequest {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly object: JsonObject;
}

export function encodeReview({ version, uid, desiredApiVersion, object }: ReviewRequest): string {
  const head = { kind: KIND, apiVersion: `${GROUP}/${version}` };
  const request = { uid, desiredAPIVersion: desiredApiVersion };
  const start = `${JSON.stringify(head).slice(0, -1)},"request":${JSON.stringify(request).slice(0, -1)}`;
  const response = '"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}';
  return `${start},"objects":[${canonicalJson(object)}]},${response}}\n`;
}

/** The converted objects, or why there are none. */
export type ReviewResult =
  | { readonly objects: readonly JsonValue[]; readonly error?: undefined }
  | { readonly error: string; readonly isMalformed: boolean };

export function decodeReview(answer: WebhookAnswer, { version, uid }: ReviewRequest): ReviewResult {
  const decoded = decodeAnswer(answer, { group: GROUP, kind: KIND, version, shape: SHAPES[version] });
  if (decoded.error !== undefined) return { error: decoded.error, isMalformed: false };
  return verifyReview(decoded.review, decoded.claimed, version, uid);
}

function verifyReview(
  review: JsonObject,
  { kind, group, version }: ClaimedKind,
  wanted: ReviewVersion,
  uid: string,
): ReviewResult {
  const malformed = (error: string): ReviewResult => ({ error, isMalformed: true });
  const isStrict = wanted === "v1";
  if (isStrict && (kind !== KIND || group !== GROUP || version !== wanted)) {
    const found = `${group}/${version}, Kind=${kind}`;
    return malformed(messages.expectedReview(`${GROUP}/${wanted}, Kind=${KIND}`, found));
  }
  const response = review["response"];
  if (!isObject(response)) return malformed(messages.noResponse());
  const found = textOf(response["uid"]);
  if (isStrict && found !== uid) return malformed(messages.wrongUid(uid, found));
  const result = isObject(response["result"]) ? response["result"] : undefined;
  const status = textOf(result?.["status"]);
  if (status !== "Success") return malformed(textOf(result?.["message"]) || messages.notSuccess(status));
  const objects = response["convertedObjects"];
  return { objects: isArray(objects) ? objects : [] };
}

const raw = (go: string): GoShape => ({ ...goRaw, go }) as GoShape;

function reviewShape(version: ReviewVersion): GoStruct {
  const response = goStruct(`${version}.ConversionResponse`, () => ({
    uid: field(namedString("types.UID")),
    convertedObjects: field(goList(raw("runtime.RawExtension"))),
    result: field(STATUS),
  }));
  return goStruct(`${version}.${KIND}`, () => ({
    kind: field(goString),
    apiVersion: field(goString),
    request: pointerField(raw(`${version}.ConversionRequest`)),
    response: pointerField(response),
  }));
}

const SHAPES: Readonly<Record<ReviewVersion, GoStruct>> = { v1: reviewShape("v1"), v1beta1: reviewShape("v1beta1") };
