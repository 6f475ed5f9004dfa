/** From a decoded body to a draft of the resource: coerced, defaulted, its unknown and duplicate fields judged. */
import { strictDecoding, unknownFieldUnescaped } from "../codec/messages.ts";
import { badRequest } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { decodeResource } from "./coerce.ts";
import * as messages from "./messages.ts";
import type { DecodedBody, WriteRequest } from "./request.ts";

/** Throws the API server's refusal where the body cannot be a resource of this kind. */
export function decodeDraft(body: DecodedBody, request: WriteRequest): JsonObject {
  const { resource, fieldValidation } = request;
  if (resource.deprecationWarning !== undefined) request.warn(resource.deprecationWarning);
  const { outline } = body;
  const coerced = decodeResource(body.object, resource, { trackUnknown: fieldValidation !== "Ignore", outline });
  if (coerced.error !== undefined) {
    throw badRequest(messages.cannotHandle(resource.kind, resource.version, coerced.error));
  }
  checkVersion(coerced.object, request);
  const findings =
    fieldValidation === "Ignore" ? [] : [...body.strictErrors, ...coerced.unknown.map(unknownFieldUnescaped)];
  if (fieldValidation === "Strict" && findings.length > 0) {
    throw badRequest(messages.cannotHandle(resource.kind, resource.version, strictDecoding(findings)));
  }
  findings.forEach(request.warn);
  return coerced.object;
}

/** A body of another group or version is refused at once; one of another kind only when it is validated. */
function checkVersion(object: JsonObject, { resource }: WriteRequest): void {
  const expected = `${resource.group}/${resource.version}`;
  const apiVersion = typeof object["apiVersion"] === "string" ? object["apiVersion"] : "";
  if (apiVersion !== expected) throw badRequest(messages.versionMismatch(apiVersion, expected));
}
