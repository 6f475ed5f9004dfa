/** The messages of admission webhooks, as in kube-apiserver. */
import { quote } from "@portcullis/gostd/quote";

// Responses that cannot be decoded. Follows client-go rest/request.go.

export const emptyAnswer = (code: number, type: string): string =>
  `0-length response with status code: ${code} and content type: ${type}`;
export const unregisteredKind = (kind: string, apiVersion: string): string =>
  `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"`;
export const unknownConversion = (from: string, to: string): string =>
  `converting (${from}) to (${to}): unknown conversion`;
export const missingMediaType = (): string => "mime: no media type";
export const missingSlash = (): string => "mime: expected slash after first token";
export const missingSubtype = (): string => "mime: expected token after slash";
export const afterSubtype = (): string => "mime: unexpected content after media subtype";
export const duplicateParameter = (): string => "mime: duplicate parameter name";
export const invalidParameter = (): string => "mime: invalid media parameter";

/** Codes for which the client replaces the message of the server. */
const BY_CODE: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [504, "the server was unable to return a response in the time allotted, but may still be processing the request"],
]);

/** `text` is the body, or `unknown` if the body is not text. */
export function serverError(code: number, text: string): string {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  if (code === 403 || code === 415) return text;
  if (code === 406) {
    const isSilent = text === "" || text === "unknown";
    return isSilent ? "the server was unable to respond with a content type that the client supports" : text;
  }
  if (code >= 500) return `an error on the server (${quote(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

// Reviews that are not valid. Follows pkg/admission/plugin/webhook/request/admissionreview.go.

export const responseAbsent = (): string => "webhook response was absent";
export const wrongUid = (expected: string, found: string): string =>
  `expected response.uid=${quote(expected)}, got ${quote(found)}`;
export const wrongKind = (expected: string, found: string): string =>
  `expected webhook response of ${expected}, got ${found}`;
export const patchWithoutType = (): string => "webhook returned response.patch but not response.patchType";
export const typeWithoutPatch = (): string => "webhook returned response.patchType but not response.patch";
export const emptyPatchType = (): string => 'webhook returned invalid response.patchType of ""';
export const validatingPatch = (): string => "validating webhook may not return response.patch";
export const validatingPatchType = (): string => "validating webhook may not return response.patchType";

// Errors of calls.

export const failedCalling = (webhook: string, reason: string): string =>
  `failed calling webhook ${quote(webhook)}: ${reason}`;
export const failedToCall = (error: string): string => `failed to call webhook: ${error}`;
export const invalidResponse = (error: string): string => `received invalid webhook response: ${error}`;
export const undecodablePatch = (error: string): string => `received undecodable patch in webhook response: ${error}`;
export const unsupportedPatchType = (type: string): string => `unsupported patch type ${quote(type)}`;
export const noClient = (error: string): string => `could not get REST client: ${error}`;
export const noReview = (): string =>
  "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)";
export const noSideEffects = (): string => "Webhook SideEffects is nil";
export const dryRunUnsupported = (webhook: string): string =>
  `admission webhook ${quote(webhook)} does not support dry run`;
export const nothingToPatch = (webhook: string): string =>
  `admission webhook ${quote(webhook)} attempted to modify the object, which is not supported for this operation`;
export const requestTimeout = (): string => "request did not complete within requested timeout";
export const deadlineExceeded = (): string => `${requestTimeout()} - context deadline exceeded`;

// Denials. Follows pkg/admission/plugin/webhook/errors/statuserror.go.

export function denied(webhook: string, explanation: string): string {
  const start = `admission webhook ${quote(webhook)} denied the request`;
  return explanation === "" ? `${start} without explanation` : `${start}: ${explanation}`;
}

// Converting changed objects back. Follows apiextensions pkg/apiserver/conversion/converter.go.

export const notSuitable = (kind: string, target: string): string =>
  `${kind} is unstructured and is not suitable for converting to ${quote(target)}`;
export const invalidSource = (apiVersion: string): string =>
  `request to convert CR from an invalid group/version: ${apiVersion}`;

// Our own explanations.

export const exemptKind = (): string => "webhooks are never asked about this kind";
export const conditionFalse = (name: string): string => `the match condition \`${name}\` is false`;
export const conditionsFailed = (): string => "a match condition failed, which is ignored";
