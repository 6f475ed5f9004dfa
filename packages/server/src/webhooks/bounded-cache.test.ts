import { expect, test } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

test("a full cache forgets the entry that was used least recently", () => {
  const made: string[] = [];
  const cache = new BoundedCache<string, { readonly key: string }>(2);
  const get = (key: string): string => {
    return cache.get(key, () => {
      made.push(key);
      return { key };
    }).key;
  };
  expect(["a", "b", "a", "c", "a", "b"].map(get)).toEqual(["a", "b", "a", "c", "a", "b"]);
  expect(made).toEqual(["a", "b", "c", "b"]);
});
