import { describe, expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { Float64 } from "../value/json.ts";
import { asVersion } from "../value/server-version.ts";
import type { FieldError } from "./error.ts";
import * as errors from "./error.ts";
import { errorBody, formatFieldError, formatFieldErrors } from "./format.ts";
import { newPath, nilPath } from "./path.ts";

describe("paths", () => {
  // biome-ignore format: a table
  test.each([
    { path: nilPath,                                          text: "<nil>" },
    { path: newPath("spec"),                                  text: "spec" },
    { path: newPath("spec", "a", "b"),                        text: "spec.a.b" },
    { path: newPath("spec").child("a").index(0).child("b"),   text: "spec.a[0].b" },
    { path: newPath("spec").key("a.b/c").key("d"),            text: "spec[a.b/c][d]" },
    { path: nilPath.index(1),                                 text: "[1]" },
    { path: nilPath.child("a"),                               text: "a" },
    { path: newPath(""),                                      text: "[]" },
    { path: newPath("a").child("").child("b"),                text: "a[].b" },
  ])("$text", ({ path, text }) => {
    expect(path.toString()).toBe(text);
  });

  test("are not changed by extending them", () => {
    const spec = newPath("spec");
    spec.child("a");
    expect(spec.toString()).toBe("spec");
  });
});

describe("errors print as Go's", () => {
  const path = newPath("a");
  // biome-ignore format: a table
  test.each([
    { error: errors.notFound(path, "x"),                              text: 'a: Not found: "x"' },
    { error: errors.required(path),                                   text: "a: Required value" },
    { error: errors.required(path, "why"),                            text: "a: Required value: why" },
    { error: errors.duplicate(path, fromPlain({ b: 1, a: "<" })),     text: 'a: Duplicate value: {"a":"\\u003c","b":1}' },
    { error: errors.invalid(path, "é\u200b\n", "bad"),                text: 'a: Invalid value: "é\\u200b\\n": bad' },
    { error: errors.invalid(path, 1e-7, "bad"),                       text: "a: Invalid value: 1e-07: bad" },
    { error: errors.invalid(path, [1e-7], "bad"),                     text: "a: Invalid value: [1e-7]: bad" },
    { error: errors.invalid(path, new Float64(1e22), "bad"),          text: "a: Invalid value: 1e+22: bad" },
    { error: errors.invalid(path, null, "bad"),                       text: "a: Invalid value: null: bad" },
    { error: errors.invalid(path, true, ""),                          text: "a: Invalid value: true" },
    { error: errors.invalid(path, new errors.GoJson('{"Type":""}'), "bad"), text: 'a: Invalid value: {"Type":""}: bad' },
    { error: errors.typeInvalid(path, 1, "bad"),                      text: "a: Invalid value: 1: bad" },
    { error: errors.notSupported(path, "c", ["b", "a"]),              text: 'a: Unsupported value: "c": supported values: "b", "a"' },
    { error: errors.notSupported(path, "c", []),                      text: 'a: Unsupported value: "c"' },
    { error: errors.forbidden(path, "no"),                            text: "a: Forbidden: no" },
    { error: errors.tooLong(path, 1),                                 text: "a: Too long: may not be more than 1 byte" },
    { error: errors.tooLong(path, -1),                                text: "a: Too long: value is too long" },
    { error: errors.tooMany(path, 3, 2),                              text: "a: Too many: 3: must have at most 2 items" },
    { error: errors.tooMany(path, -1, 1),                             text: "a: Too many: must have at most 1 item" },
    { error: errors.internalError(nilPath, "oops"),                   text: "<nil>: Internal error: oops" },
  ])("$text", ({ error, text }) => {
    expect(formatFieldError(error)).toBe(text);
    expect(text.endsWith(errorBody(error))).toBe(true);
  });

  test("duplicates are listed once", () => {
    const one = errors.required(newPath("a"));
    const two = errors.required(newPath("b"));
    expect(formatFieldErrors([])).toBe("");
    expect(formatFieldErrors([one, one])).toBe("a: Required value");
    expect(formatFieldErrors([one, two, one])).toBe("[a: Required value, b: Required value]");
  });
});

test("up to 1.33 lists and objects are printed as Go prints them", () => {
  const listed = (): FieldError => errors.invalid(newPath("a"), { b: [1, null, "x"] }, "bad");
  expect(formatFieldError(listed())).toBe('a: Invalid value: {"b":[1,null,"x"]}: bad');
  const nothing = (): FieldError => errors.invalid(newPath("a"), null, "");
  // Also when the text is made outside of the version.
  expect([listed, nothing].map((error) => formatFieldError(asVersion("1.33", error)))).toEqual([
    'a: Invalid value: map[string]interface {}{"b":[]interface {}{1, interface {}(nil), "x"}}: bad',
    'a: Invalid value: "null"',
  ]);
});
