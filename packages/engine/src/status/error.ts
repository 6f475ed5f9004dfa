/**
 * Refusals of a request: one constructor a kind, with the code, reason, message and details Kubernetes gives it.
 *
 * Follows apimachinery api/errors. A zero or empty detail is left out of the body, as Go's omitempty does.
 */
import { quote } from "@portcullis/gostd/quote";
import { type FieldError, invalid as invalidField } from "../field/error.ts";
import { aggregate, errorBody } from "../field/format.ts";
import { moreErrors } from "../field/messages.ts";
import { nilPath } from "../field/path.ts";
import type { JsonObject, JsonValue } from "../value/json.ts";
import { newObject } from "../value/json.ts";
import { CAUSE_RESOURCE_VERSION_TOO_LARGE, type StatusReason } from "./reasons.ts";

/** One of the reasons of a refusal, with the field it is about. */
export interface StatusCause {
  readonly type: string;
  readonly message: string;
  readonly field: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusInit {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
  /** The whole Status where somebody else wrote it: a webhook. Code and message are the ones above. */
  readonly body?: JsonObject | undefined;
  /** What is wrong with which field, for callers that show it at its place. */
  readonly fieldErrors?: readonly FieldError[];
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Thrown by the pipeline and the server; turned into a response in one place.
 * @example refusal instanceof StatusError && refusal.code // 422
 */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  readonly body: JsonObject | undefined;
  readonly fieldErrors: readonly FieldError[];

  constructor(init: StatusInit) {
    super(init.message);
    this.code = init.code;
    this.reason = init.reason;
    this.details = init.details;
    this.body = init.body;
    this.fieldErrors = init.fieldErrors ?? [];
  }
}

/**
 * The `Status` object a client receives.
 * @example refusal && statusBody(refusal)["reason"] // "Invalid"
 */
export function statusBody(error: StatusError): JsonObject {
  if (error.body !== undefined) return error.body;
  const body = newObject();
  body["kind"] = "Status";
  body["apiVersion"] = "v1";
  body["metadata"] = newObject();
  body["status"] = "Failure";
  setText(body, "message", error.message);
  setText(body, "reason", error.reason);
  if (error.details !== undefined) body["details"] = detailsBody(error.details);
  body["code"] = error.code;
  return body;
}

function detailsBody(details: StatusDetails): JsonObject {
  const body = newObject();
  setText(body, "name", details.name);
  setText(body, "group", details.group);
  setText(body, "kind", details.kind);
  setText(body, "uid", details.uid);
  const causes = details.causes ?? [];
  if (causes.length > 0) body["causes"] = causes.map(causeBody);
  if (details.retryAfterSeconds) body["retryAfterSeconds"] = details.retryAfterSeconds;
  return body;
}

function causeBody(cause: StatusCause): JsonValue {
  const body = newObject();
  setText(body, "reason", cause.type);
  setText(body, "message", cause.message);
  setText(body, "field", cause.field);
  return body;
}

function setText(body: JsonObject, key: string, text: string | undefined): void {
  if (text !== undefined && text !== "") body[key] = text;
}

/** `widgets.example.com`, or the bare resource in the core group. */
export function formatGroupResource(resource: GroupResource): string {
  return resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
}

export function formatGroupKind(kind: GroupKind): string {
  return kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
}

export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(resource)} ${quote(name)} not found`;
  return new StatusError({ code: 404, reason: "NotFound", message, details: detailsOf(resource, name) });
}

export function alreadyExists(resource: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(resource)} ${quote(name)} already exists`;
  return new StatusError({ code: 409, reason: "AlreadyExists", message, details: detailsOf(resource, name) });
}

export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): StatusError {
  const message = `${formatGroupResource(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...detailsOf(resource, name), retryAfterSeconds };
  return new StatusError({ code: 409, reason: "AlreadyExists", message, details });
}

export function unauthorized(reason = ""): StatusError {
  return new StatusError({ code: 401, reason: "Unauthorized", message: reason || "not authorized" });
}

export function forbidden(resource: GroupResource, name: string, cause: string): StatusError {
  const message = `${forbiddenSubject(resource, name)}forbidden: ${cause}`;
  return new StatusError({ code: 403, reason: "Forbidden", message, details: detailsOf(resource, name) });
}

function forbiddenSubject(resource: GroupResource, name: string): string {
  if (resource.group === "" && resource.resource === "") return "";
  const text = formatGroupResource(resource);
  return name === "" ? `${text} is ` : `${text} ${quote(name)} is `;
}

export function conflict(resource: GroupResource, name: string, cause: string): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quote(name)}: ${cause}`;
  return new StatusError({ code: 409, reason: "Conflict", message, details: detailsOf(resource, name) });
}

export function applyConflict(causes: readonly StatusCause[], message: string): StatusError {
  return new StatusError({ code: 409, reason: "Conflict", message, details: { causes } });
}

export function gone(message: string): StatusError {
  return new StatusError({ code: 410, reason: "Gone", message });
}

export function resourceExpired(message: string): StatusError {
  return new StatusError({ code: 410, reason: "Expired", message });
}

/** Causes keep every finding; the message lists equal texts once. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const subject = `${formatGroupKind(kind)} ${quote(name)} is invalid`;
  const { shown, causes } = fittingErrors(errors);
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const message = shown.length === 0 ? subject : `${subject}: ${aggregate(texts)}`;
  const details = { group: kind.group, kind: kind.kind, name, causes };
  return new StatusError({ code: 422, reason: "Invalid", message, details, fieldErrors: shown });
}

/**
 * How many findings, and how much text, an answer shows: an object of the greatest size can be wrong in a million places,
 * and writing them down would take seconds.
 */
const MAX_SHOWN = 2_000;
const MAX_TEXT = 2 ** 22;

interface ShownErrors {
  readonly shown: readonly FieldError[];
  readonly causes: readonly StatusCause[];
}

/** All of them, or the first and a message that there are more. Their texts can be long, so each is made once. */
function fittingErrors(errors: readonly FieldError[]): ShownErrors {
  const causes: StatusCause[] = [];
  let size = 0;
  for (const [index, error] of errors.entries()) {
    if (index === MAX_SHOWN || size > MAX_TEXT) {
      return { shown: [...errors.slice(0, index), MORE], causes: [...causes, causeOf(MORE)] };
    }
    const cause = causeOf(error);
    size += cause.message.length;
    causes.push(cause);
  }
  return { shown: errors, causes };
}

const MORE = invalidField(nilPath, "", moreErrors(), "limit");

function causeOf(error: FieldError): StatusCause {
  return { type: error.type, message: errorBody(error), field: error.path.toString() };
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: "BadRequest", message });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({ code: 429, reason: "TooManyRequests", message, details: { retryAfterSeconds } });
}

export function serviceUnavailable(message: string): StatusError {
  return new StatusError({ code: 503, reason: "ServiceUnavailable", message });
}

export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${quote(formatGroupResource(resource))}`;
  return new StatusError({ code: 405, reason: "MethodNotAllowed", message, details: detailsOf(resource, "") });
}

export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  const subject = formatGroupResource(resource);
  const message = `The ${operation} operation against ${subject} could not be completed at this time, please try again.`;
  const details = { ...detailsOf(resource, operation), retryAfterSeconds };
  return new StatusError({ code: 500, reason: "ServerTimeout", message, details });
}

export function internalError(cause: string): StatusError {
  const details = { causes: [{ type: "", message: cause, field: "" }] };
  return new StatusError({ code: 500, reason: "InternalError", message: `Internal error occurred: ${cause}`, details });
}

export function timeout(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: ${message}`,
    details: { retryAfterSeconds },
  });
}

export function tooLargeResourceVersion(minimum: bigint, current: bigint, retryAfterSeconds: number): StatusError {
  const cause = { type: CAUSE_RESOURCE_VERSION_TOO_LARGE, message: "Too large resource version", field: "" };
  const message = `Timeout: Too large resource version: ${minimum}, current: ${current}`;
  return new StatusError({ code: 504, reason: "Timeout", message, details: { retryAfterSeconds, causes: [cause] } });
}

export function requestEntityTooLarge(message: string): StatusError {
  return new StatusError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: ${message}`,
  });
}

/** The body is of a type no decoder takes. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new StatusError({ code: 415, reason: "UnsupportedMediaType", message });
}

/** No encoder makes what the client accepts. */
export function notAcceptable(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return new StatusError({ code: 406, reason: "NotAcceptable", message });
}

function detailsOf(resource: GroupResource, name: string): StatusDetails {
  return { group: resource.group, kind: resource.resource, name };
}

/** An error that upstream gives neither a reason nor details. */
export function bareError(message: string): StatusError {
  return new StatusError({ code: 500, reason: "", message });
}
