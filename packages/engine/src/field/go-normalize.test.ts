import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject } from "../value/json.ts";
import { decodeGo } from "./go-decode.ts";
import { normalizeGo } from "./go-normalize.ts";
import {
  alwaysField,
  field,
  goBool,
  goInt32,
  goList,
  goMap,
  goString,
  goStruct,
  goTime,
  pointerField,
} from "./go-shape.ts";

const inner = goStruct("v1.Inner", () => ({ name: alwaysField(goString), on: field(goBool) }));
const shape = goStruct("v1.Outer", () => ({
  a: field(goString),
  b: pointerField(goInt32),
  c: field(goList(inner)),
  d: field(goMap(goString)),
  e: alwaysField(goList(goString)),
  f: pointerField(inner),
  g: alwaysField(inner),
  h: field(goTime),
  i: pointerField(goTime),
}));

test.each([
  {},
  { a: "x", e: ["y"], g: { name: "n" } },
  { g: { name: "n", on: true }, e: ["y"], a: "x" },
  { a: "", b: 0, c: [], d: {}, e: [], f: {}, g: { on: false } },
  { c: [{ on: true, name: "x" }, {}, null], d: { k: null, l: "m" }, e: null, f: null, b: null },
  { unknown: 1, a: "x", g: { unknown: 2 } },
  { a: 1, b: "x", c: {}, d: [], e: "x", f: 1, g: [] },
  { b: 2 ** 40, c: [1], d: { k: 1 } },
  { h: "2026-01-02T03:04:05Z", i: null },
  { h: "2026-01-02T03:04:05.678+02:00", i: "2026-01-02T03:04:05Z" },
  { h: "0001-01-01T00:00:00Z", i: "0001-01-01T00:00:00Z" },
  { h: "no time", a: "x" },
])("%j is normalized as if it were decoded again", (plain) => {
  const value = fromPlain(plain);
  if (!isObject(value)) throw new Error("not an object");
  for (const keepEmpty of [false, true]) {
    const decoded = decodeGo(value, shape, { keepEmpty }).value;
    expect(JSON.stringify(normalizeGo(value, shape, { keepEmpty }))).toBe(JSON.stringify(decoded));
    expect(value).toEqual(fromPlain(plain));
    if (isObject(decoded))
      expect(normalizeGo(decoded, shape, { keepEmpty })).toEqual(decodeGo(decoded, shape, { keepEmpty }).value);
  }
});

test("an object in order is not copied", () => {
  const value = fromPlain({ a: "x", e: ["y"], g: { name: "n" } });
  if (!isObject(value)) throw new Error("not an object");
  expect(normalizeGo(value, shape)).toBe(value);
});
