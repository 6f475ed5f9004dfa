import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { findFirst, parseJsonPath } from "./json-path.ts";

function objectFrom(value: object): JsonObject {
  const made = fromPlain(value);
  if (!isObject(made)) throw new Error("not an object");
  return made;
}

function find(path: string, object: JsonObject, left = 200_000): JsonValue | undefined {
  const parsed = parseJsonPath(path);
  if (parsed === undefined) throw new Error(`not a path: ${path}`);
  return findFirst(parsed, object, { left });
}

const object = objectFrom({
  spec: {
    name: "n",
    ports: [
      { name: "http", port: 80, tags: ["a", "b"] },
      { name: "https", port: 443, tags: [] },
    ],
    nested: { name: "inner", deeper: { name: "deepest", only: 1 } },
  },
});

test.each([
  { path: ".spec.name", found: "n" },
  { path: ".spec.none", found: undefined },
  { path: ".spec.ports[1].port", found: 443 },
  { path: ".spec.ports[-1].name", found: "https" },
  { path: ".spec.ports[*].tags[1]", found: "b" },
  { path: ".spec.ports[0,1].port", found: 80 },
  { path: ".spec.ports[1,0].port", found: 443 },
  { path: ".spec.ports[5,1].name", found: "https" },
  { path: '.spec.ports[?(@.name=="https")].port', found: 443 },
  { path: '.spec.ports[?(@.tags[1]=="b")].name', found: "http" },
  { path: "..port", found: 80 },
  { path: ".spec..only", found: 1 },
  { path: "..deeper..name", found: "deepest" },
  { path: "..nested..nothing", found: undefined },
  { path: "..[?(@.port>100)].name", found: "https" },
])("$path finds $found first", ({ path, found }) => {
  expect(find(path, object)).toEqual(found);
});

/** `{"a":{"a":…}}` */
const deep = (levels: number): JsonObject =>
  objectFrom(Array.from({ length: levels }).reduce<object>((a) => ({ a }), {}));

test("a search whose ways double with every level ends", () => {
  expect(find(`${"..a".repeat(40)}.none`, deep(80))).toBeUndefined();
  const lists = objectFrom({ a: Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], 1) });
  expect(find(`.a${"[0,0]".repeat(60)}.none`, lists)).toBeUndefined();
});

test("beyond the budget nothing is found", () => {
  const wide = objectFrom({ list: Array.from({ length: 1_000 }, (_, i) => ({ i })), z: { last: 1 } });
  expect(find("..none", wide)).toBeUndefined();
  expect(find("..last", wide)).toBe(1);
  expect(find("..last", wide, 500)).toBeUndefined();
});

test("a path of very many steps finds nothing", () => {
  expect(find("..".repeat(50_000), deep(3))).toBeUndefined();
});
