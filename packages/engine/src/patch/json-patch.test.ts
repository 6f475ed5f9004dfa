import { Panic } from "@portcullis/cel/internal";
import { expect, test } from "vitest";
import { applyJsonPatch, readOperations } from "./json-patch.ts";

const DOCUMENT = '{"z":{"c":1,"a":[1,2,3],"b":"<"},"k":{"y":1,"x":2},"n":null}';

const patch = (operations: string, document = DOCUMENT): string | undefined =>
  applyJsonPatch(document, readOperations(operations));

const op = (name: string, path: string, value?: string): string =>
  `[{"op":"${name}","path":"${path}"${value === undefined ? "" : `,"value":${value}`}}]`;

test.each<[string, string, string | undefined]>([
  [
    "sorts the keys of what it reaches into and leaves the rest",
    op("add", "/z/d", "4"),
    '{"k":{"y":1,"x":2},"n":null,"z":{"a":[1,2,3],"b":"\\u003c","c":1,"d":4}}',
  ],
  [
    "keeps a value as it was sent, repeated keys included",
    op("add", "/k", ' { "b" : 1, "a":2, "b":3 }'),
    '{"k":{"b":1,"a":2,"b":3},"n":null,"z":{"c":1,"a":[1,2,3],"b":"\\u003c"}}',
  ],
  [
    "adds before an index",
    op("add", "/z/a/1", "9"),
    '{"k":{"y":1,"x":2},"n":null,"z":{"a":[1,9,2,3],"b":"\\u003c","c":1}}',
  ],
  ["adds at the end", op("add", "/z/a/-", "9"), '{"k":{"y":1,"x":2},"n":null,"z":{"a":[1,2,3,9],"b":"\\u003c","c":1}}'],
  [
    "counts negative indices from one past the end when adding",
    op("add", "/z/a/-1", "9"),
    '{"k":{"y":1,"x":2},"n":null,"z":{"a":[1,2,3,9],"b":"\\u003c","c":1}}',
  ],
  [
    "removes by a negative index",
    op("remove", "/z/a/-1"),
    '{"k":{"y":1,"x":2},"n":null,"z":{"a":[1,2],"b":"\\u003c","c":1}}',
  ],
  [
    "sets a member that is not there",
    op("replace", "/k/w", "0"),
    '{"k":{"w":0,"x":2,"y":1},"n":null,"z":{"c":1,"a":[1,2,3],"b":"\\u003c"}}',
  ],
  ["replaces the document", op("replace", "", '{"b":1,"a":{"d":1,"c":1}}'), '{"a":{"d":1,"c":1},"b":1}'],
  [
    "an absent value is null",
    op("add", "/q"),
    '{"k":{"y":1,"x":2},"n":null,"q":null,"z":{"c":1,"a":[1,2,3],"b":"\\u003c"}}',
  ],
  [
    "unescapes parts of a path in one pass",
    op("add", "/k/a~01", "1"),
    '{"k":{"a~1":1,"x":2,"y":1},"n":null,"z":{"c":1,"a":[1,2,3],"b":"\\u003c"}}',
  ],
  ["a missing parent fails", op("add", "/no/a", "1"), undefined],
  ["an empty path fails", op("add", "", "{}"), undefined],
  ["an index past the end fails", op("add", "/z/a/9", "1"), undefined],
  ["removing what is not there fails", op("remove", "/k/no"), undefined],
  ["a scalar is not a document", op("replace", "", "1"), undefined],
  ["an unknown operation fails", op("frob", "/k", "1"), undefined],
  ["a null is not an operation", "[null]", undefined],
  ["a path through a scalar fails", op("add", "/z/c/x", "1"), undefined],
])("%s", (_, operations, expected) => {
  expect(patch(operations)).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["objects are equal whatever their order", op("test", "/k", '{"x":2,"y":1}'), true],
  ["numbers are compared as written", op("test", "/k/y", "1.0"), false],
  ["texts are compared as written", op("test", "/z/b", '"<"'), true],
  ["escapes make a difference", op("test", "/z/b", '"\\u003c"'), false],
  ["a missing member equals null", op("test", "/k/no", "null"), true],
  ["a missing member equals nothing", op("test", "/k/no"), true],
  ["a null equals null", op("test", "/n", "null"), true],
  ["lists are compared by place", op("test", "/z/a", "[1,2,3]"), true],
  ["a longer list differs", op("test", "/z/a", "[1,2,3,4]"), false],
  ["the whole document", op("test", "", DOCUMENT), true],
  ["a value is not nothing", op("test", "/k"), false],
])("test: %s", (_, operations, passes) => {
  expect(patch(operations) !== undefined).toBe(passes);
});

test("a tested value is written with sorted keys", () => {
  expect(patch(op("test", "/k", '{"y":1,"x":2}'))).toBe(
    '{"k":{"x":2,"y":1},"n":null,"z":{"c":1,"a":[1,2,3],"b":"\\u003c"}}',
  );
});

test("a value is moved and copied", () => {
  const operations = '[{"op":"move","from":"/k","path":"/z/m"},{"op":"copy","from":"/z/m/x","path":"/n"}]';
  expect(patch(operations)).toBe('{"n":2,"z":{"a":[1,2,3],"b":"\\u003c","c":1,"m":{"x":2,"y":1}}}');
});

test("copies may add no more than three megabytes", () => {
  const document = `{"a":"${"x".repeat(1024 * 1024)}"}`;
  const copies = (count: number): string =>
    `[${Array.from({ length: count }, (_, index) => `{"op":"copy","from":"/a","path":"/b${index}"}`).join(",")}]`;
  expect(patch(copies(2), document)).toBeDefined();
  expect(patch(copies(3), document)).toBeUndefined();
});

test("a nil pointer upstream is a panic", () => {
  expect(() => patch(op("replace", ""))).toThrow(Panic);
  expect(() => patch(op("test", "/l", "[null]"), '{"l":[null]}')).toThrow(Panic);
});

test("depth needs no stack and linear time", () => {
  const deep = `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`;
  const path = "/a".repeat(8999);
  expect(patch(op("add", `${path}/b`, "2"), deep)?.length).toBe(deep.length + 6);
  expect(patch(op("test", "", deep), deep)).toBe(deep);
});
