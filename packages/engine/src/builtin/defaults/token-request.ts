/** Defaults of token requests, which are no resource of their own. Follows pkg/apis/authentication/v1/defaults.go. */
import { isInteger, isObject, type JsonObject, newObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";

export const TOKEN_REQUEST = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };

const HOUR = 3600;

export function withExpiration(request: JsonObject): JsonObject {
  const spec = isObject(request["spec"]) ? request["spec"] : newObject();
  if (isInteger(spec["expirationSeconds"])) return request;
  return withMember(request, "spec", withMember(spec, "expirationSeconds", HOUR));
}
