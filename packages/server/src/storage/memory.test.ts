import { describe, expect, test } from "vitest";
import { storeContract } from "./contract.testing.ts";
import { MemoryStore } from "./memory.ts";
import { SortedKeys } from "./sorted-keys.ts";

describe("the memory store", () => {
  storeContract(async () => new MemoryStore());
});

test("many keys stay in order while they are added and removed", () => {
  const keys = new SortedKeys();
  const expected = new Set<string>();
  for (let i = 0; i < 5000; i++) {
    const key = `/k/${(i * 7919) % 5003}`;
    keys.add(key);
    expected.add(key);
    if (i % 3 !== 0) continue;
    const gone = `/k/${((i / 3) * 7919) % 5003}`;
    keys.remove(gone);
    expected.delete(gone);
  }
  expect([...keys.range("/k/")]).toEqual([...expected].sort());
  expect(keys.count("/k/")).toBe(expected.size);
  expect(keys.count("/k/4", "/k/42")).toBe([...keys.range("/k/4", "/k/42")].length);
  expect([...keys.range("/k/4", "/k/42")]).toEqual(
    [...expected].filter((k) => k.startsWith("/k/4") && k >= "/k/42").sort(),
  );
});
