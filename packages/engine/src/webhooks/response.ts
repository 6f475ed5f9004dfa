/**
 * The response of an admission webhook: decoded, verified, and turned into a verdict.
 *
 * An answer to a review of version v1beta1 is not checked for uid, kind and patch type. Follows apiserver
 * pkg/admission/plugin/webhook/request/admissionreview.go and errors/statuserror.go.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import {
  field,
  type GoShape,
  type GoStruct,
  goBool,
  goBytes,
  goList,
  goMap,
  goRaw,
  goString,
  goStruct,
  namedString,
  pointerField,
} from "../field/go-shape.ts";
import { StatusError } from "../status/error.ts";
import type { StatusReason } from "../status/reasons.ts";
import { isInteger, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { labelsOf, objectOf, optionalText, textOf, textsOf } from "../value/read.ts";
import { type AnswerError, type ClaimedKind, decodeAnswer, type ReviewKind, type WebhookAnswer } from "./answer.ts";
import * as messages from "./messages.ts";
import { REVIEW_GROUP, REVIEW_KIND, type Review } from "./review.ts";
import { STATUS } from "./status-shape.ts";

/** A verified response. */
export interface WebhookResponse {
  readonly isAllowed: boolean;
  /** The explanation of a denial. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The bytes of a patch; empty if there is none. */
  readonly patch: Uint8Array;
  /** "" if there is no patch. */
  readonly patchType: string;
}

export type Mode = "mutating" | "validating";

/** The response, or the reason why the call failed. */
export function readResponse(answer: WebhookAnswer, review: Review, mode: Mode): WebhookResponse | AnswerError {
  const decoded = decodeAnswer(answer, KINDS[review.version]);
  if (decoded.error !== undefined) return { error: messages.failedToCall(decoded.error), code: decoded.code };
  const response = decoded.review["response"];
  const problem = isObject(response) ? verify(response, decoded.claimed, review, mode) : messages.responseAbsent();
  if (problem !== undefined || !isObject(response)) {
    return { error: messages.invalidResponse(problem ?? ""), code: UNAVAILABLE };
  }
  return responseOf(response, review, mode);
}

const UNAVAILABLE = 503;

function verify(response: JsonObject, claimed: ClaimedKind, { version, uid }: Review, mode: Mode): string | undefined {
  if (version === "v1beta1") return undefined;
  const found = textOf(response["uid"]);
  if (found !== uid) return messages.wrongUid(uid, found);
  const { group, kind } = claimed;
  if (group !== REVIEW_GROUP || claimed.version !== version || kind !== REVIEW_KIND) {
    const expected = `${REVIEW_GROUP}/${version}, Kind=${REVIEW_KIND}`;
    return messages.wrongKind(expected, `${group}/${claimed.version}, Kind=${kind}`);
  }
  const [patch, type] = [textOf(response["patch"]), optionalText(response["patchType"])];
  return mode === "mutating" ? verifyPatch(patch, type) : refusePatch(patch, type);
}

function verifyPatch(patch: string, type: string | undefined): string | undefined {
  if (patch !== "" && type === undefined) return messages.patchWithoutType();
  if (patch === "" && type !== undefined) return messages.typeWithoutPatch();
  return type === "" ? messages.emptyPatchType() : undefined;
}

function refusePatch(patch: string, type: string | undefined): string | undefined {
  if (patch !== "") return messages.validatingPatch();
  return type === undefined ? undefined : messages.validatingPatchType();
}

const NO_BYTES = new Uint8Array(0);

function responseOf(response: JsonObject, { version }: Review, mode: Mode): WebhookResponse {
  const { status, patch } = response;
  const decoded = decodeBase64(mode === "mutating" ? textOf(patch) : "");
  const bytes = decoded.error === undefined ? decoded.value : NO_BYTES;
  const assumed = bytes.length > 0 ? "JSONPatch" : "";
  return {
    isAllowed: response["allowed"] === true,
    status: isObject(status) ? status : undefined,
    warnings: textsOf(response["warnings"]),
    auditAnnotations: labelsOf(response["auditAnnotations"]),
    patch: bytes,
    patchType: version === "v1beta1" ? assumed : textOf(response["patchType"]),
  };
}

const BAD_REQUEST = 400;
const MAX_CODE = 999;
const SERVER_ERROR = 500;

/** Upstream panics on codes that HTTP does not have. */
function codeOf(given: JsonValue | undefined): number {
  const code = isInteger(given) ? Number(given) : 0;
  if (code > MAX_CODE) return SERVER_ERROR;
  return Math.max(code, BAD_REQUEST);
}

/** The refusal that the client gets: the webhook's own Status, completed. */
export function denial(webhook: string, status: JsonObject | undefined): StatusError {
  const given = objectOf(status);
  const code = codeOf(given["code"]);
  const outcome = textOf(given["status"]);
  const message = messages.denied(webhook, textOf(given["message"]) || textOf(given["reason"]));
  const body = objectFrom({
    kind: "Status",
    apiVersion: "v1",
    metadata: objectOf(given["metadata"]),
    status: outcome === "" || outcome === "Success" ? "Failure" : outcome,
    message,
    reason: given["reason"],
    details: given["details"],
    code,
  });
  const retryAfterSeconds = objectOf(given["details"])["retryAfterSeconds"];
  const details = isInteger(retryAfterSeconds) ? { retryAfterSeconds: Number(retryAfterSeconds) } : {};
  // The type of a reason lists upstream's own; a webhook may send any other, which only appears in the body.
  return new StatusError({ code, reason: "" satisfies StatusReason, message, details, body });
}

function objectFrom(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const object: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(members)) if (value !== undefined) object[key] = value;
  return object;
}

const raw = (go: string): GoShape => ({ ...goRaw, go }) as GoShape;

function reviewKind(version: "v1" | "v1beta1"): ReviewKind {
  const response = goStruct(`${version}.AdmissionResponse`, () => ({
    uid: field(namedString("types.UID")),
    allowed: field(goBool),
    status: pointerField(STATUS),
    patch: field(goBytes),
    patchType: pointerField(namedString(`${version}.PatchType`)),
    auditAnnotations: field(goMap(goString)),
    warnings: field(goList(goString)),
  }));
  const shape: GoStruct = goStruct(`${version}.${REVIEW_KIND}`, () => ({
    kind: field(goString),
    apiVersion: field(goString),
    request: pointerField(raw(`${version}.AdmissionRequest`)),
    response: pointerField(response),
  }));
  return { group: REVIEW_GROUP, kind: REVIEW_KIND, version, shape };
}

const KINDS: Readonly<Record<Review["version"], ReviewKind>> = {
  v1: reviewKind("v1"),
  v1beta1: reviewKind("v1beta1"),
};
