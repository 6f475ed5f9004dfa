import { expect, test } from "vitest";
import { required } from "../field/error.ts";
import { newPath } from "../field/path.ts";
import { canonicalJson } from "../value/text.ts";
import * as status from "./error.ts";

const widgets = { group: "example.com", resource: "widgets" };
const pods = { group: "", resource: "pods" };
const nothing = { group: "", resource: "" };

// biome-ignore format: a table
test.each([
  { error: status.notFound(widgets, "a"),             code: 404, reason: "NotFound",      message: 'widgets.example.com "a" not found' },
  { error: status.notFound(pods, 'a"'),               code: 404, reason: "NotFound",      message: 'pods "a\\"" not found' },
  { error: status.alreadyExists(pods, "a"),           code: 409, reason: "AlreadyExists", message: 'pods "a" already exists' },
  { error: status.generateNameConflict(pods, "a", 1), code: 409, reason: "AlreadyExists", message: 'pods "a" already exists, the server was not able to generate a unique name for the object' },
  { error: status.unauthorized(),                     code: 401, reason: "Unauthorized",  message: "not authorized" },
  { error: status.forbidden(nothing, "", "no"),       code: 403, reason: "Forbidden",     message: "forbidden: no" },
  { error: status.forbidden(pods, "", "no"),          code: 403, reason: "Forbidden",     message: "pods is forbidden: no" },
  { error: status.forbidden(pods, "a", "no"),         code: 403, reason: "Forbidden",     message: 'pods "a" is forbidden: no' },
  { error: status.conflict(pods, "a", "stale"),       code: 409, reason: "Conflict",      message: 'Operation cannot be fulfilled on pods "a": stale' },
  { error: status.applyConflict([], "conflict"),      code: 409, reason: "Conflict",      message: "conflict" },
  { error: status.gone("old"),                        code: 410, reason: "Gone",          message: "old" },
  { error: status.resourceExpired("old"),             code: 410, reason: "Expired",       message: "old" },
  { error: status.badRequest("bad"),                  code: 400, reason: "BadRequest",    message: "bad" },
  { error: status.tooManyRequests("slow", 1),         code: 429, reason: "TooManyRequests", message: "slow" },
  { error: status.serviceUnavailable("down"),         code: 503, reason: "ServiceUnavailable", message: "down" },
  { error: status.methodNotSupported(pods, "patch"),  code: 405, reason: "MethodNotAllowed", message: 'patch is not supported on resources of kind "pods"' },
  { error: status.serverTimeout(pods, "list", 2),     code: 500, reason: "ServerTimeout", message: "The list operation against pods could not be completed at this time, please try again." },
  { error: status.internalError("oops"),              code: 500, reason: "InternalError", message: "Internal error occurred: oops" },
  { error: status.timeout("late", 0),                 code: 504, reason: "Timeout",       message: "Timeout: late" },
  { error: status.tooLargeResourceVersion(9n, 5n, 1), code: 504, reason: "Timeout",       message: "Timeout: Too large resource version: 9, current: 5" },
  { error: status.requestEntityTooLarge("limit is 3145728"), code: 413, reason: "RequestEntityTooLarge", message: "Request entity too large: limit is 3145728" },
  { error: status.unsupportedMediaType(["a/b", "c/d"]), code: 415, reason: "UnsupportedMediaType", message: "the body of the request was in an unknown format - accepted media types include: a/b, c/d" },
  { error: status.notAcceptable(["a/b"]),             code: 406, reason: "NotAcceptable", message: "only the following media types are accepted: a/b" },
])("$code $reason: $message", ({ error, code, reason, message }) => {
  expect(error).toMatchObject({ code, reason, message });
});

test("an invalid object lists equal findings once but keeps every cause", () => {
  const finding = required(newPath("spec", "a"));
  const error = status.invalid({ group: "example.com", kind: "Widget" }, "w", [finding, finding]);
  expect(canonicalJson(status.statusBody(error))).toBe(
    '{"apiVersion":"v1","code":422,"details":{"causes":[{"field":"spec.a","message":"Required value","reason":"FieldValueRequired"},' +
      '{"field":"spec.a","message":"Required value","reason":"FieldValueRequired"}],"group":"example.com","kind":"Widget","name":"w"},' +
      '"kind":"Status","message":"Widget.example.com \\"w\\" is invalid: spec.a: Required value","metadata":{},"reason":"Invalid","status":"Failure"}',
  );
});

test("empty details are left out of the body", () => {
  const body = status.statusBody(status.tooManyRequests("slow", 0));
  expect(canonicalJson(body["details"] ?? null)).toBe("{}");
  expect(status.statusBody(status.badRequest("x"))["details"]).toBeUndefined();
});

test("of a million causes only those that fit into a response are reported", () => {
  const errors = Array.from({ length: 200_000 }, (_, index) => required(newPath("spec").index(index)));
  const { message, details } = status.invalid({ group: "", kind: "Widget" }, "a", errors);
  const count = details?.causes?.length ?? 0;
  expect(count).toBe(2_001);
  expect(message).toContain(`spec[${count - 2}]: Required value, `);
  expect(message).toMatch(/there are more errors than an answer can hold; correct these to see the others\]$/);
});
