import { expect, test } from "vitest";
import { fromJson, JsonList, JsonMap } from "./json.ts";
import { Bytes, CelError, Double, MapValue, Uint } from "./value.ts";

test.each([
  { name: "a whole number is an int", data: 5, value: 5 },
  { name: "minus zero is zero", data: -0, value: 0 },
  { name: "a fraction is a double", data: 0.5, value: new Double(0.5) },
  { name: "a number too large to be exact is a double", data: 1e20, value: new Double(1e20) },
  { name: "a small bigint is a plain int", data: 5n, value: 5 },
  { name: "a large bigint stays", data: 2n ** 60n, value: 2n ** 60n },
  { name: "a bigint beyond 64 bits is a double", data: 2n ** 64n, value: new Double(2 ** 64) },
  { name: "bytes", data: new Uint8Array([1]), value: new Bytes(new Uint8Array([1])) },
  { name: "a missing value is null", data: undefined, value: null },
  { name: "a value stays itself", data: new Uint(1), value: new Uint(1) },
])("$name", ({ data, value }) => {
  expect(fromJson(data)).toEqual(value);
});

test("only own keys of an object count", () => {
  const map = new JsonMap(JSON.parse('{"__proto__": 1, "a": {"b": [true]}}'));
  expect(map.get("__proto__")).toBe(1);
  expect([map.get("toString"), map.get("constructor"), map.hasField("hasOwnProperty")]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect([map.size, map.keys()]).toEqual([2, ["__proto__", "a"]]);
});

test("nested data is converted when read", () => {
  const map = fromJson({ list: [{ a: 1 }] });
  const list = map instanceof MapValue ? map.get("list") : undefined;
  const first = list instanceof JsonList ? list.at(0) : undefined;
  expect(first instanceof MapValue ? first.get("a") : undefined).toBe(1);
});

test("the adapter converts the embedder's boxes at any depth", () => {
  class Box {
    readonly value = 3;
  }
  const adapt = (data: object) => (data instanceof Box ? new Double(data.value) : undefined);
  const list = fromJson([[new Box()]], adapt);
  const inner = list instanceof JsonList ? list.at(0) : undefined;
  expect(inner instanceof JsonList ? inner.at(0) : undefined).toEqual(new Double(3));
});

test("a Map may have keys of any kind", () => {
  const map = fromJson(new Map([[1, "a"]]));
  expect(map instanceof MapValue ? map.get(new Uint(1)) : undefined).toBe("a");
});

test("a function is not data", () => {
  expect(fromJson(() => 1)).toBeInstanceOf(CelError);
});
