import { describe, expect, test } from "vitest";
import { decodeJson } from "../codec/json.ts";
import { formatFieldError } from "../field/format.ts";
import type { JsonValue } from "../value/json.ts";
import { Correlation } from "./correlate.ts";
import { parseSchema } from "./parse.ts";
import { compileValidator } from "./validate.ts";

function json(text: string): JsonValue {
  const decoded = decodeJson(text);
  if (!("value" in decoded)) throw new Error(decoded.error);
  return decoded.value;
}

function errorsOf(schema: string, value: string): string[] {
  const validator = compileValidator(parseSchema(json(schema)), { minor: 36 });
  return validator.validate(json(value)).map(formatFieldError);
}

describe("a value is refused with the API server's message", () => {
  // biome-ignore format: a table
  test.each([
    { name: "a wrong type carries the type's name", schema: `{"properties":{"a":{"type":"integer"}}}`, value: `{"a":"x"}`, errors: [`a: Invalid value: "string": a in body must be of type integer: "string"`] },
    { name: "an integral float is an integer", schema: `{"properties":{"a":{"type":"integer"}}}`, value: `{"a":1.0}`, errors: [] },
    { name: "a fraction is not an integer, reported twice", schema: `{"properties":{"a":{"type":"integer"}}}`, value: `{"a":1.5}`, errors: [`a: Invalid value: "number": a in body must be of type integer: "number"`, `<nil>: Invalid value: "": Checked value must be of type integer (default format) in a`] },
    { name: "a list passes a formatted string type", schema: `{"properties":{"a":{"type":"string","format":"date"}}}`, value: `{"a":[]}`, errors: [] },
    { name: "maxLength counts characters and says bytes", schema: `{"properties":{"a":{"type":"string","maxLength":1}}}`, value: `{"a":"ab"}`, errors: [`a: Too long: may not be more than 1 byte`] },
    { name: "an emoji is one character", schema: `{"properties":{"a":{"type":"string","maxLength":1}}}`, value: `{"a":"🛡"}`, errors: [] },
    { name: "a pattern is not anchored", schema: `{"properties":{"a":{"pattern":"b"}}}`, value: `{"a":"abc"}`, errors: [] },
    { name: "a bound loses its fraction for integers", schema: `{"properties":{"a":{"type":"number","minimum":2.5}}}`, value: `{"a":1}`, errors: [`a: Invalid value: 1: a in body should be greater than or equal to 2`] },
    { name: "the float64 -2^63 is out of range by its shortest text", schema: `{"properties":{"a":{"type":"integer","minimum":-9223372036854775808}}}`, value: `{"a":0}`, errors: [`<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in a`] },
    { name: "the int64 -2^63 is in range", schema: `{"properties":{"a":{"type":"integer"}}}`, value: `{"a":-9223372036854775808}`, errors: [] },
    { name: "keys of maps follow a dot", schema: `{"properties":{"m":{"additionalProperties":{"type":"string"}}}}`, value: `{"m":{"x/y":1}}`, errors: [`m.x/y: Invalid value: "integer": m.x/y in body must be of type string: "integer"`] },
    { name: "a missing field is required", schema: `{"required":["a"]}`, value: `{}`, errors: [`a: Required value`] },
    { name: "an enum lists what it supports", schema: `{"properties":{"a":{"enum":["x",1]}}}`, value: `{"a":"y"}`, errors: [`a: Unsupported value: "y": supported values: "x", "1"`] },
    { name: "null is in no enum", schema: `{"properties":{"a":{"nullable":true,"enum":[null]}}}`, value: `{"a":null}`, errors: [`a: Unsupported value: null: supported values: "null"`] },
    { name: "an enum knows numbers by value, texts by code point and lists by their kinds of numbers", schema: `{"items":{"enum":[1,2.5,"A",true,[1],{"a":1.0}]}}`, value: `[1,1.0,1.7,2.5,65,true,[1],{"a":1.0}]`, errors: [] },
    { name: "an enum distinguishes a float from an integer inside a list", schema: `{"enum":[[1],{"a":1.0}]}`, value: `[1.0]`, errors: [`<nil>: Unsupported value: [1]: supported values: "[1]", "{\\"a\\":1}"`] },
    { name: "identical findings are reported once", schema: `{"properties":{"a":{"minLength":3,"allOf":[{"minLength":3}]}}}`, value: `{"a":"x"}`, errors: [`a: Invalid value: "x": a in body should be at least 3 chars long`, `<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated`] },
    { name: "a key of a map has its own schema", schema: `{"properties":{"m":{"type":"object","additionalProperties":true,"x-kubernetes-property-names":{"type":"string","pattern":"^[a-z]+$"}}}}`, value: `{"m":{"Bad Key":1,"good":2}}`, errors: [`m[Bad Key]: Invalid value: "Bad Key": m key "Bad Key" in body should match '^[a-z]+$'`] },
  ])("$name", ({ schema, value, errors }) => {
    expect(errorsOf(schema, value).sort()).toEqual([...errors].sort());
  });
});

describe("of several branches the one with the most matches is reported", () => {
  test("the branch whose properties fit better is shown", () => {
    const schema = `{"properties":{"a":{"anyOf":[{"required":["x"]},{"required":["y"],"properties":{"z":{"type":"string"}}}]}}}`;
    expect(errorsOf(schema, `{"a":{"z":"s"}}`)).toEqual([
      `<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)`,
      `a.y: Required value`,
    ]);
  });
});

describe("an update keeps unchanged values", () => {
  const schema = `{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string","maxLength":1},"b":{"type":"string"},"m":{"type":"object","additionalProperties":true,"x-kubernetes-property-names":{"type":"string","maxLength":1}}}}}}`;

  // biome-ignore format: a table
  test.each([
    { name: "an unchanged bad value is forgiven", old: `{"spec":{"a":"long","b":"x"}}`, value: `{"spec":{"a":"long","b":"y"}}`, kept: [], forgiven: ["spec.a: Too long: may not be more than 1 byte"] },
    { name: "a changed bad value is not", old: `{"spec":{"a":"long"}}`, value: `{"spec":{"a":"longer"}}`, kept: ["spec.a: Too long: may not be more than 1 byte"], forgiven: [] },
    { name: "a key that was there is forgiven although its value changed", old: `{"spec":{"m":{"kk":1}}}`, value: `{"spec":{"m":{"kk":2}}}`, kept: [], forgiven: ["spec.m[kk]: Too long: may not be more than 1 byte"] },
    { name: "a new key is not", old: `{"spec":{"m":{"kk":1}}}`, value: `{"spec":{"m":{"kk":1,"ll":1}}}`, kept: ["spec.m[ll]: Too long: may not be more than 1 byte"], forgiven: ["spec.m[kk]: Too long: may not be more than 1 byte"] },
  ])("$name", ({ old, value, kept, forgiven }) => {
    const parsed = parseSchema(json(schema));
    const validator = compileValidator(parsed, { minor: 36 });
    const found = validator.validateUpdate(new Correlation(json(value), json(old), parsed));
    expect(found.kept.map(({ error }) => formatFieldError(error))).toEqual(kept);
    expect(found.forgiven.map(({ error }) => formatFieldError(error))).toEqual(forgiven);
  });
});
