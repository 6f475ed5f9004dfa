import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepCopy, fromPlain, toPlain } from "./copy.ts";
import { deepEqual, looseEqual } from "./equal.ts";
import { percentOf } from "./int-or-string.ts";
import { jsonValue } from "./json.testing.ts";
import {
  Float64,
  integerValue,
  isObject,
  type JsonNumber,
  type JsonValue,
  newObject,
  sortedKeys,
  typeName,
} from "./json.ts";
import { asBigInt, asFloat, compareNumbers, formatNumber, isFloat, isIntegral } from "./number.ts";
import { canonicalJson } from "./text.ts";

const BIG = 9007199254740993n;

describe("objects", () => {
  test("hold keys that are special to JavaScript", () => {
    const object = newObject();
    object["__proto__"] = 1;
    object["constructor"] = 2;
    expect(Object.keys(object)).toEqual(["__proto__", "constructor"]);
    expect(newObject()["__proto__"]).toBeUndefined();
    expect(newObject()["constructor"]).toBeUndefined();
  });

  test("differ from lists and boxes", () => {
    expect([newObject(), [], new Float64(1), null, "x"].map((value) => isObject(value))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("sort keys by their UTF-8 bytes", () => {
    const object = newObject();
    for (const key of ["\u{1f600}", "\uffee", "b", "a", "10", "9"]) object[key] = null;
    expect(sortedKeys(object)).toEqual(["10", "9", "a", "b", "\uffee", "\u{1f600}"]);
  });
});

test.each<{ value: JsonValue; name: string }>([
  { value: null, name: "null" },
  { value: true, name: "boolean" },
  { value: 1, name: "integer" },
  { value: BIG, name: "integer" },
  { value: 1.5, name: "number" },
  { value: new Float64(1), name: "number" },
  { value: "", name: "string" },
  { value: [], name: "array" },
  { value: newObject(), name: "object" },
])("$name is the type of $value", ({ value, name }) => {
  expect(typeName(value)).toBe(name);
});

test("an integer is a number, then a bigint, then a float64", () => {
  expect(integerValue(1n)).toBe(1);
  expect(integerValue(BIG)).toBe(BIG);
  expect(integerValue(2n ** 63n)).toEqual(new Float64(2 ** 63));
  expect(integerValue(-(2n ** 63n))).toBe(-(2n ** 63n));
});

describe("numbers", () => {
  test.each<{ a: JsonNumber; b: JsonNumber; order: number }>([
    { a: 1, b: new Float64(1), order: 0 },
    { a: 1, b: 1.5, order: -1 },
    { a: BIG, b: new Float64(2 ** 53), order: 1 },
    { a: 2 ** 53 - 1, b: BIG, order: -1 },
    { a: 2n ** 63n - 1n, b: new Float64(2 ** 63), order: -1 },
    { a: 0.1, b: new Float64(0), order: 1 },
  ])("compare exactly: $a and $b", ({ a, b, order }) => {
    expect(compareNumbers(a, b)).toBe(order);
    expect(compareNumbers(b, a)).toBe(0 - order);
  });

  test.each<{ value: JsonNumber; text: string }>([
    { value: 1, text: "1" },
    { value: BIG, text: "9007199254740993" },
    { value: new Float64(1), text: "1" },
    { value: new Float64(1e21), text: "1e+21" },
    { value: new Float64(100000000), text: "1e+08" },
    { value: 0.000001, text: "1e-06" },
    { value: 1.5, text: "1.5" },
  ])("print as Go's %v: $text", ({ value, text }) => {
    expect(formatNumber(value)).toBe(text);
  });

  test("are integral or not, and floats or not", () => {
    expect([1, 1.5, new Float64(2), BIG].map(isIntegral)).toEqual([true, false, true, true]);
    expect([1, 1.5, new Float64(2), BIG].map(isFloat)).toEqual([false, true, true, false]);
    expect([1, 1.5, new Float64(1e21), BIG].map(asBigInt)).toEqual([1n, undefined, 10n ** 21n, BIG]);
    expect(asFloat(BIG)).toBe(9007199254740992);
  });
});

describe("equality", () => {
  const object = (entries: Record<string, unknown>): JsonValue => fromPlain(entries);
  test.each<{ name: string; a: JsonValue; b: JsonValue; strict: boolean; loose: boolean }>([
    { name: "int and float", a: 1, b: new Float64(1), strict: false, loose: true },
    { name: "nested int and float", a: [new Float64(1)], b: [1], strict: false, loose: true },
    { name: "float and float", a: new Float64(1), b: new Float64(1), strict: true, loose: true },
    { name: "number and text", a: new Float64(1), b: "1", strict: false, loose: false },
    { name: "null and absent", a: object({ a: null }), b: object({}), strict: false, loose: false },
    { name: "other key", a: object({ a: 1 }), b: object({ b: 1 }), strict: false, loose: false },
    { name: "order of keys", a: object({ a: 1, b: 2 }), b: object({ b: 2, a: 1 }), strict: true, loose: true },
    { name: "list and object", a: [], b: newObject(), strict: false, loose: false },
    { name: "length", a: [1], b: [1, 2], strict: false, loose: false },
    { name: "bigint", a: BIG, b: BIG + 0n, strict: true, loose: true },
  ])("$name", ({ a, b, strict, loose }) => {
    expect(deepEqual(a, b)).toBe(strict);
    expect(deepEqual(b, a)).toBe(strict);
    expect(looseEqual(a, b)).toBe(loose);
    expect(looseEqual(b, a)).toBe(loose);
  });
});

describe("copies", () => {
  test("equal their originals and share nothing", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const copy = deepCopy(value);
        expect(deepEqual(copy, value)).toBe(true);
        if (isObject(value) || Array.isArray(value)) expect(copy).not.toBe(value);
      }),
    );
  });

  test("survive any depth", () => {
    let deep: JsonValue = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(deepEqual(deepCopy(deep), deep)).toBe(true);
    expect(canonicalJson(deep)).toHaveLength(200_002);
  });
});

describe("plain data", () => {
  test("becomes values", () => {
    const value = fromPlain({ a: 1, b: 1e17, c: 1e30, d: undefined, e: [undefined, -0], __proto__: { hidden: 1 } });
    expect(canonicalJson(value)).toBe('{"a":1,"b":100000000000000000,"c":1e+30,"e":[null,0]}');
    expect(isObject(value) && value["b"]).toBe(100000000000000000n);
    expect(isObject(value) && value["c"]).toEqual(new Float64(1e30));
  });

  test.each([Number.NaN, () => 1, Symbol("x")])("that is not JSON is a bug: %s", (data) => {
    expect(() => fromPlain([data])).toThrow(Error);
  });

  test("comes back without boxes", () => {
    expect(toPlain(fromPlain({ a: [1, BIG, "x", null], b: new Float64(2) }))).toEqual({
      a: [1, BIG, "x", null],
      b: 2,
    });
  });
});

describe("canonical text", () => {
  test.each<{ value: JsonValue; text: string }>([
    { value: fromPlain({ b: 1, a: [true, null] }), text: '{"a":[true,null],"b":1}' },
    { value: "<a & b>\u2028", text: String.raw`"\u003ca \u0026 b\u003e\u2028"` },
    { value: 1e-7, text: "1e-7" },
    { value: new Float64(1e21), text: "1e+21" },
    { value: new Float64(100), text: "100" },
    { value: [], text: "[]" },
    { value: newObject(), text: "{}" },
  ])("$text", ({ value, text }) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test("does not escape HTML on request", () => {
    expect(canonicalJson("<&>", { escapeHtml: false })).toBe('"<&>"');
  });
});

test("percentages differ from other texts", () => {
  expect(["25%", "-1%", "25", "a%"].map(percentOf)).toEqual([25, -1, undefined, undefined]);
});

test.each([99, 100, 101, 20_000])("a value that nests %d levels deep is written", (levels) => {
  let value: JsonValue = 1;
  for (let i = 0; i < levels; i++)
    value = i % 2 === 0 ? [value, "x"] : Object.assign(newObject(), { b: value, a: null });
  const text = canonicalJson(value);
  expect(text.match(/[[{]/g)?.length).toBe(levels);
  expect(text.replace(/[^[\]{}]/g, "").replace(/[[{]+[\]}]+/, "")).toBe("");
});
