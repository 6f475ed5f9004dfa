import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import type { WebhookAnswer } from "./answer.ts";
import { denial, type Mode, readResponse } from "./response.ts";
import type { Review } from "./review.ts";

const REVIEW: Review = { version: "v1", uid: "u1", body: "" };

function answer(body: unknown, more: Partial<WebhookAnswer> = {}): WebhookAnswer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { code: 200, contentType: "application/json", body: encodeUtf8(text), ...more };
}

function review(response: object | undefined, more: object = {}): object {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", ...(response && { response }), ...more };
}

const ok = (more: object = {}): object => review({ uid: "u1", allowed: true, ...more });

test.each([
  { name: "an empty object has no response", body: {}, error: "webhook response was absent" },
  { name: "null has no response", body: "null", error: "webhook response was absent" },
  {
    name: "the uid of another request is refused",
    body: review({ uid: "u2", allowed: true }),
    error: 'expected response.uid="u1", got "u2"',
  },
  {
    name: "a response without a kind is refused",
    body: { response: { uid: "u1", allowed: true } },
    error: "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=",
  },
  {
    name: "a patch needs a type",
    body: ok({ patch: "W10=" }),
    error: "webhook returned response.patch but not response.patchType",
  },
  {
    name: "a type needs a patch",
    body: ok({ patchType: "JSONPatch" }),
    error: "webhook returned response.patchType but not response.patch",
  },
  {
    name: "a type is not empty",
    body: ok({ patch: "W10=", patchType: "" }),
    error: 'webhook returned invalid response.patchType of ""',
  },
  {
    name: "a validating webhook does not patch",
    body: ok({ patch: "W10=", patchType: "JSONPatch" }),
    mode: "validating" as const,
    error: "validating webhook may not return response.patch",
  },
])("$name", ({ body, error, mode = "mutating" as Mode }) => {
  expect(readResponse(answer(body), REVIEW, mode)).toEqual({
    error: `received invalid webhook response: ${error}`,
    code: 503,
  });
});

const HEADER = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

// biome-ignore format: a table
test.each([
  { name: "text", sent: answer("hello"), error: `couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${HEADER}`, code: 503 },
  { name: "a truncated document", sent: answer('{"a"'), error: "couldn't get version/kind; json parse error: unexpected end of JSON input", code: 503 },
  { name: "another kind", sent: answer(review(undefined, { kind: "Review" })), error: 'no kind "Review" is registered for version "admission.k8s.io/v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"', code: 503 },
  { name: "another version", sent: answer(review(undefined, { apiVersion: "admission.k8s.io/v1beta1" })), error: "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion", code: 503 },
  { name: "a wrong type", sent: answer(review({ uid: "u1", allowed: "yes" })), error: "json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool", code: 503 },
  { name: "a patch that is not base64", sent: answer(ok({ patch: "!", patchType: "JSONPatch" })), error: "illegal base64 data at input byte 0", code: 503 },
  { name: "no body", sent: answer("", { code: 204 }), error: "0-length response with status code: 204 and content type: application/json", code: 503 },
  { name: "a malformed content type", sent: answer(ok(), { contentType: "a/b c" }), error: "Internal error occurred: mime: unexpected content after media subtype", code: 500 },
  { name: "an error with a text body", sent: answer("out of order", { code: 500, contentType: "text/plain" }), error: 'an error on the server ("out of order") has prevented the request from succeeding', code: 500 },
  { name: "an error with a Status", sent: answer({ apiVersion: "v1", kind: "Status", status: "Failure", message: "no" }, { code: 500 }), error: "no", code: 500 },
  { name: "an error with other JSON", sent: answer("{}", { code: 500 }), error: 'an error on the server ("unknown") has prevented the request from succeeding', code: 500 },
  { name: "a page that does not exist", sent: answer("", { code: 404 }), error: "the server could not find the requested resource", code: 404 },
])("$name is a failed call", ({ sent, error, code }) => {
  expect(readResponse(sent, REVIEW, "mutating")).toEqual({ error: `failed to call webhook: ${error}`, code });
});

test("YAML is decoded regardless of the content type", () => {
  const yaml =
    "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse: {uid: u1, allowed: true, warnings: [w]}\n";
  expect(readResponse(answer(yaml), REVIEW, "validating")).toMatchObject({ isAllowed: true, warnings: ["w"] });
});

test("a v1beta1 answer needs neither kind nor uid nor patch type", () => {
  const sent = answer({ response: { allowed: true, patch: "W10=" } });
  expect(readResponse(sent, { ...REVIEW, version: "v1beta1" }, "mutating")).toMatchObject({ patchType: "JSONPatch" });
  expect(readResponse(sent, { ...REVIEW, version: "v1beta1" }, "validating")).toMatchObject({ patchType: "" });
});

function status(json: object): JsonObject {
  const made = fromPlain(json);
  return isObject(made) ? made : newObject();
}

test.each([
  { name: "nothing", given: undefined, code: 400, message: "without explanation" },
  { name: "a reason", given: { reason: "Because" }, code: 400, message: "Because" },
  { name: "a message", given: { message: "no", reason: "Because", code: 418 }, code: 418, message: "no" },
  { name: "a code of success", given: { message: "no", code: 200, status: "Success" }, code: 400, message: "no" },
  { name: "a code that HTTP does not have", given: { message: "no", code: 1000 }, code: 500, message: "no" },
])("a denial with $name has a code and a message", ({ given, code, message }) => {
  const error = denial("w", given && status(given));
  const colon = given === undefined ? "" : ":";
  expect(error.message).toBe(`admission webhook "w" denied the request${colon} ${message}`);
  expect(error.body).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code });
  expect(error.code).toBe(code);
});
