import fc from "fast-check";
import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { floatValue, type JsonValue } from "../value/json.ts";
import { asVersion } from "../value/server-version.ts";
import { canonicalJson } from "../value/text.ts";
import { difference, equalSets, intersection, leaves, recursiveDifference, union } from "./algebra.ts";
import { compareElements, fieldElement, indexElement, keyElement, type PathElement, valueElement } from "./element.ts";
import { fieldSet, path } from "./fieldset.testing.ts";
import { formatPath, makePath } from "./path.ts";
import { decodeElement, decodeSet, encodeElement, encodeSet } from "./serialize.ts";
import { EMPTY_SET, type FieldSet, hasPath, isEmptySet, pathsOf, setOf, sizeOfSet } from "./set.ts";

const key = (fields: { [name: string]: JsonValue }): PathElement =>
  keyElement(Object.entries(fields).map(([name, value]) => ({ name, value })));

function texts(set: FieldSet): string[] {
  return [...pathsOf(set)].map(formatPath);
}

/** From texts such as `a.b`, fields only. */
function fields(...paths: string[]): FieldSet {
  return setOf(...paths.map((text) => makePath(...text.split("."))));
}

// biome-ignore format: a table
test.each([
  { path: makePath("spec", "containers", key({ name: "nginx" }), "image"),  text: '.spec.containers[name="nginx"].image' },
  { path: makePath("ports", key({ protocol: "TCP", containerPort: 80 })),   text: '.ports[containerPort=80,protocol="TCP"]' },
  { path: makePath("set", valueElement("x")),                               text: '.set[="x"]' },
  { path: makePath("set", valueElement(floatValue(1e6))),                   text: ".set[=1e+06]" },
  { path: makePath("set", valueElement(1000000)),                           text: ".set[=1000000]" },
  { path: makePath("set", valueElement(true), valueElement(null)),          text: ".set[=true][=null]" },
  { path: makePath("set", valueElement(fromPlain([1, { a: "b", c: 2 }]))),  text: '.set[=[1,a="b"c=2]]' },
  { path: makePath("list", 0, 12),                                          text: ".list[0][12]" },
  { path: makePath('a"b', key({ k: 'q"\n' })),                              text: '.a"b[k="q\\"\\n"]' },
])("$text", ({ path, text }) => {
  expect(formatPath(path)).toBe(text);
});

test("elements are ordered by kind, then by name, keys, value or index", () => {
  const ordered = [
    fieldElement("a"),
    fieldElement("b"),
    fieldElement("\uffff"),
    fieldElement("\u{10000}"),
    key({ a: 2 }),
    key({ a: 10 }),
    key({ a: 10, b: 1 }),
    key({ b: 1 }),
    valueElement(2),
    valueElement(2.5),
    valueElement(10),
    valueElement("a"),
    valueElement(false),
    valueElement(true),
    valueElement([1]),
    valueElement([1, 2]),
    valueElement(fromPlain({ a: 1 })),
    valueElement(fromPlain({ a: 2 })),
    valueElement(null),
    indexElement(2),
    indexElement(10),
  ];
  const shuffled = [...ordered].reverse().sort(compareElements);
  expect(shuffled.map(encodeElement)).toEqual(ordered.map(encodeElement));
});

test("an int64 and a float64 of the same value are one element", () => {
  expect(compareElements(valueElement(1), valueElement(floatValue(1)))).toBe(0);
  expect(sizeOfSet(setOf([valueElement(1)], [valueElement(floatValue(1))]))).toBe(1);
});

// biome-ignore format: a table
test.each([
  { name: "union joins",                                         set: union(fields("a", "b.c"), fields("a.x", "b.c")), want: [".a", ".a.x", ".b.c"] },
  { name: "union with nothing changes nothing",                  set: union(fields("a"), EMPTY_SET),                   want: [".a"] },
  { name: "intersection keeps what both have as members",        set: intersection(fields("a", "b.c", "d"), fields("a", "b", "b.c")), want: [".a", ".b.c"] },
  { name: "intersection does not share a parent with its child", set: intersection(fields("a"), fields("a.b")),        want: [] },
  { name: "difference leaves children of what it removes",       set: difference(fields("a", "a.b"), fields("a")),     want: [".a.b"] },
  { name: "difference leaves the parent of what it removes",     set: difference(fields("a", "a.b"), fields("a.b")),   want: [".a"] },
  { name: "recursive difference removes children too",           set: recursiveDifference(fields("a.b.c", "a.d", "e"), fields("a.b", "e")), want: [".a.d"] },
  { name: "recursive difference removes what is a member below", set: recursiveDifference(fields("a", "a.b"), fields("a", "a.c")), want: [] },
  { name: "leaves drop members that have members below",         set: leaves(fields("a", "a.b", "c")),                 want: [".c", ".a.b"] },
])("$name", ({ set, want }) => {
  expect(texts(set)).toEqual(want);
});

test("members come before their children, in order", () => {
  const set = setOf(makePath("b", "x"), makePath("c"), makePath("a"), makePath("b", valueElement(1)), makePath("b"));
  expect(texts(set)).toEqual([".a", ".b", ".c", ".b.x", ".b[=1]"]);
});

test("the empty path is never a member", () => {
  expect(isEmptySet(setOf([]))).toBe(true);
  expect(hasPath(fields("a"), [])).toBe(false);
});

// biome-ignore format: a table
test.each([
  { name: "fields",                  set: fields("a", "b.c"),                          json: '{"f:a":{},"f:b":{"f:c":{}}}' },
  { name: "a member with members",   set: fields("a", "a.b"),                          json: '{"f:a":{".":{},"f:b":{}}}' },
  { name: "keys in order of names",  set: setOf(makePath(key({ b: "x", a: 1 }))),      json: '{"k:{\\"a\\":1,\\"b\\":\\"x\\"}":{}}' },
  { name: "values",                  set: setOf([valueElement("x")], [valueElement(2.5)], [valueElement(true)]), json: '{"v:\\"x\\"":{},"v:2.5":{},"v:true":{}}' },
  { name: "indices",                 set: setOf(makePath(3)),                          json: '{"i:3":{}}' },
  { name: "angle brackets of a value are escaped",    set: setOf([valueElement("<&>")]),  json: '{"v:\\"\\\\u003c\\\\u0026\\\\u003e\\"":{}}' },
  { name: "angle brackets of a name are not",         set: setOf(makePath("<")),          json: '{"f:<":{}}' },
  { name: "control characters have no short escapes", set: setOf([valueElement("\b\n")]), json: '{"v:\\"\\\\u0008\\\\n\\"":{}}' },
  { name: "exponents have two digits",                set: setOf([valueElement(1e-7)]),   json: '{"v:1e-07":{}}' },
  { name: "nothing",                 set: EMPTY_SET,                                   json: "{}" },
])("$name are written as upstream writes them", ({ set, json }) => {
  expect(canonicalJson(encodeSet(set), { escapeHtml: false })).toBe(json);
});

// biome-ignore format: a table
test.each([
  { fields: {},                                      want: [] },
  { fields: null,                                    want: [] },
  { fields: { "f:a": null },                         want: [".a"] },
  { fields: { "f:a": { ".": 5 } },                   want: [".a"] },
  { fields: { "f:b": {}, "f:a": { ".": {}, "f:c": {} } }, want: [".a", ".b", ".a.c"] },
  { fields: { "z:later": {}, "f:a": {} },            want: [".a"] },
  { fields: { "f:a": { "z:later": {} } },            want: [".a"] },
  { fields: { "v:1": {}, "v:1.0": {} },              want: ["[=1]"] },
  { fields: { "k:{\"b\":1,\"a\":1000000}": {} },     want: ["[a=1e+06,b=1]"] },
  { fields: { "i:+2": {} },                          want: ["[2]"] },
])("$fields is read as $want", ({ fields: json, want }) => {
  const { set } = decodeSet(fromPlain(json));
  expect(set && texts(set)).toEqual(want);
});

// biome-ignore format: a table
test.each([
  { fields: [],                     error: "expect { or n" },
  { fields: { "f:a": 5 },           error: "expect { or n" },
  { fields: { f: {} },              error: "parsing key as path element: key must be 2 characters long:" },
  { fields: { name: {} },           error: "parsing key as path element: missing colon: name" },
  { fields: { "v:p": {} },          error: "parsing key as path element: invalid JSON in path element: p" },
  { fields: { "k:[]": {} },         error: "parsing key as path element: expect { or n" },
  { fields: { "i:x": {} },          error: 'parsing key as path element: strconv.Atoi: parsing "x": invalid syntax' },
])("$fields cannot be read", ({ fields: json, error }) => {
  expect(decodeSet(fromPlain(json)).error).toBe(error);
});

test("elements survive serialisation", () => {
  fc.assert(
    fc.property(path, (elements) => {
      for (const element of elements) {
        const { element: read } = decodeElement(encodeElement(element));
        expect(read && compareElements(read, element)).toBe(0);
      }
    }),
  );
});

test("sets survive serialisation", () => {
  fc.assert(
    fc.property(fieldSet, (set) => {
      const { set: read } = decodeSet(encodeSet(set));
      expect(read && equalSets(read, set)).toBe(true);
    }),
  );
});

test("the operations agree with those on plain sets of paths", () => {
  const plain = (set: FieldSet): Set<string> =>
    new Set([...pathsOf(set)].map((each) => each.map(encodeElement).join("/")));
  fc.assert(
    fc.property(fieldSet, fieldSet, (a, b) => {
      const [left, right] = [plain(a), plain(b)];
      expect(plain(union(a, b))).toEqual(new Set([...left, ...right]));
      expect(plain(intersection(a, b))).toEqual(new Set([...left].filter((each) => right.has(each))));
      expect(plain(difference(a, b))).toEqual(new Set([...left].filter((each) => !right.has(each))));
      expect(equalSets(union(difference(a, b), intersection(a, b)), a)).toBe(true);
      expect([...pathsOf(a)].every((each) => hasPath(a, each))).toBe(true);
    }),
  );
});

test.each([
  { text: 'k:{"name":"a"}x', kept: 'k:{"name":"a"}' },
  { text: 'k:{"name":"}\\""} {}', kept: 'k:{"name":"}\\""}' },
  { text: 'v:"a" b', kept: 'v:"a"' },
  { text: "v:1 2", kept: "v:1" },
])("what follows the value in $text is ignored up to 1.36", ({ text, kept }) => {
  const { element } = asVersion("1.36", () => decodeElement(text));
  expect(element && encodeElement(element)).toBe(kept);
  expect(asVersion("1.37", () => decodeElement(text)).error).toBeDefined();
});
