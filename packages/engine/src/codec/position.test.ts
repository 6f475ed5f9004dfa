import { describe, expect, test } from "vitest";
import { locatePath, type SourceNode } from "./position.ts";

function leaf(start: number): SourceNode {
  return { start, end: start, keyStart: start };
}

/** An object with these keys and as many others. */
function objectWith(keys: readonly string[], others: number): SourceNode {
  const names = [...keys, ...Array.from({ length: others }, (_, index) => `other${index}`)];
  return { ...leaf(-1), fields: new Map(names.map((key, index) => [key, leaf(index)])) };
}

describe.each([0, 200])("with %i other fields", (others) => {
  const keys = ["a", "a.b", "a.b/c", "x[0]", "[y", "z]"];
  const root: SourceNode = { ...leaf(-2), fields: new Map([["data", objectWith(keys, others)]]) };

  test.each([
    { path: "data.a", key: "a" },
    { path: "data[a]", key: "a" },
    { path: "data[a.b]", key: "a.b" },
    { path: "data.a.b", key: "a.b" },
    { path: "data[a.b/c]", key: "a.b/c" },
    { path: "data[a.b/c].below[3]", key: "a.b/c" },
    { path: "data.a.c", key: "a" },
    { path: "data[x[0]]", key: "x[0]" },
    { path: "data.x[0]", key: "x[0]" },
    { path: "data[z]]", key: "z]" },
    { path: "data.[y", key: "[y" },
  ])("$path is at `$key`", ({ path, key }) => {
    expect(locatePath(root, path).start).toBe(keys.indexOf(key));
  });

  test("a missing field is at its parent", () => {
    expect(locatePath(root, "data[none]").start).toBe(-1);
    expect(locatePath(root, "none.data").start).toBe(-2);
  });
});

test("a path of dots terminates", () => {
  expect(locatePath(objectWith([], 200), ".".repeat(100_000)).start).toBe(-1);
});
