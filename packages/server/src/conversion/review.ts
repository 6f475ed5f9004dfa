/**
 * ConversionReview: what is sent to a conversion webhook, and what is made of its answer.
 *
 * Follows apiextensions pkg/apiserver/conversion/webhook_converter.go and client-go rest/request.go. An answer to a
 * review of version v1beta1 is not checked for kind and uid.
 */
import { decodeJson } from "@portcullis/engine/codec/json";
import { decodeYaml } from "@portcullis/engine/codec/yaml";
import { decodeGo } from "@portcullis/engine/field/go-decode";
import {
  field,
  type GoShape,
  type GoStruct,
  goInt32,
  goList,
  goRaw,
  goString,
  goStruct,
  namedString,
  pointerField,
} from "@portcullis/engine/field/go-shape";
import { parseError, readTypeMeta, type TypeMeta } from "@portcullis/engine/review/type-meta";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/value/json";
import { textOf } from "@portcullis/engine/value/metadata";
import { canonicalJson } from "@portcullis/engine/value/text";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import type { WebhookAnswer } from "./call-webhook.ts";
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
  const call = (error: string): ReviewResult => ({ error, isMalformed: false });
  if (answer.code < 200 || answer.code > 206) return call(refusalOf(answer));
  if (answer.body.length === 0) return call(messages.emptyAnswer(answer.code, answer.contentType || JSON_TYPE));
  const parsed = parseText(answer.body);
  if (parsed.error !== undefined) return call(parseError(parsed.error));
  const meta = readTypeMeta({ value: parsed.value });
  if (meta.error !== undefined) return call(meta.error);
  const problem = kindProblem(meta, version);
  if (problem !== undefined) return call(problem);
  const decoded = decodeGo(parsed.value, SHAPES[version]);
  if (decoded.error !== undefined) return call(decoded.error);
  const review = isObject(decoded.value) ? decoded.value : undefined;
  return judge(review, meta, version, uid);
}

const JSON_TYPE = "application/json";

type Parsed = { readonly value: JsonValue; readonly error?: undefined } | { readonly error: string };

/** YAML where it does not look like JSON. */
function parseText(bytes: Uint8Array): Parsed {
  const looksLikeJson = /^\s*\{/.test(decodeUtf8(bytes.subarray(0, 1024)));
  const decoded = looksLikeJson ? decodeJson(bytes) : decodeYaml(bytes, { duplicates: false });
  return decoded.error === undefined ? { value: decoded.value } : { error: decoded.error };
}

/** Whether the client's scheme can make a review of it. */
function kindProblem({ kind, apiVersion, group, version }: TypeMeta, wanted: ReviewVersion): string | undefined {
  const [itsKind, itsVersion] = [kind || KIND, apiVersion || `${GROUP}/${wanted}`];
  const isReview = itsKind === KIND && (apiVersion === "" || group === GROUP);
  if (isReview && itsVersion === `${GROUP}/${wanted}`) return undefined;
  const target = `${wanted}.${KIND}`;
  if (isReview && (version === "v1" || version === "v1beta1"))
    return messages.unknownConversion(`${version}.${KIND}`, target);
  if (itsKind === "Status" && itsVersion === "v1") return messages.unknownConversion("v1.Status", target);
  return messages.unregisteredKind(itsKind, itsVersion);
}

function judge(
  review: JsonObject | undefined,
  { kind, group, version }: TypeMeta,
  wanted: ReviewVersion,
  uid: string,
): ReviewResult {
  const malformed = (error: string): ReviewResult => ({ error, isMalformed: true });
  const isStrict = wanted === "v1";
  if (isStrict && (kind !== KIND || group !== GROUP || version !== wanted)) {
    const found = `${group}/${version}, Kind=${kind}`;
    return malformed(messages.expectedReview(`${GROUP}/${wanted}, Kind=${KIND}`, found));
  }
  const response = review?.["response"];
  if (!isObject(response)) return malformed(messages.noResponse());
  const found = textOf(response["uid"]);
  if (isStrict && found !== uid) return malformed(messages.wrongUid(uid, found));
  const result = isObject(response["result"]) ? response["result"] : undefined;
  const status = textOf(result?.["status"]);
  if (status !== "Success") return malformed(textOf(result?.["message"]) || messages.notSuccess(status));
  const objects = response["convertedObjects"];
  return { objects: isArray(objects) ? objects : [] };
}

const MAX_TEXT_BYTES = 2048;

/** A Status in the body speaks for itself. */
function refusalOf({ code, contentType, body }: WebhookAnswer): string {
  const parsed = body.length === 0 ? undefined : parseText(body);
  const value = parsed?.error === undefined ? parsed?.value : undefined;
  if (isObject(value) && value["kind"] === "Status" && value["apiVersion"] === "v1" && value["status"] === "Failure") {
    return textOf(value["message"]);
  }
  const isText = contentType === "" || /^text\//i.test(contentType.trim());
  return messages.serverError(code, isText ? decodeUtf8(body.subarray(0, MAX_TEXT_BYTES)).trim() : "unknown");
}

const raw = (go: string): GoShape => ({ ...goRaw, go }) as GoShape;

const status = goStruct("v1.Status", () => ({
  kind: field(goString),
  apiVersion: field(goString),
  metadata: field(raw("v1.ListMeta")),
  status: field(goString),
  message: field(goString),
  reason: field(namedString("v1.StatusReason")),
  details: pointerField(raw("v1.StatusDetails")),
  code: field(goInt32),
}));

function reviewShape(version: ReviewVersion): GoStruct {
  const response = goStruct(`${version}.ConversionResponse`, () => ({
    uid: field(namedString("types.UID")),
    convertedObjects: field(goList(raw("runtime.RawExtension"))),
    result: field(status),
  }));
  return goStruct(`${version}.${KIND}`, () => ({
    kind: field(goString),
    apiVersion: field(goString),
    request: pointerField(raw(`${version}.ConversionRequest`)),
    response: pointerField(response),
  }));
}

const SHAPES: Readonly<Record<ReviewVersion, GoStruct>> = { v1: reviewShape("v1"), v1beta1: reviewShape("v1beta1") };
