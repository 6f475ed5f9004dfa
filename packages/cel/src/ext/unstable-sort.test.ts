import { expect, test } from "vitest";
import { unstableOrder } from "./unstable-sort.ts";

// Fingerprints of what Go's sort.Slice made of the same keys.
test.each([
  { count: 13, distinct: 5, pattern: "random", fingerprint: 2484082299 },
  { count: 100, distinct: 5, pattern: "random", fingerprint: 1298667701 },
  { count: 3000, distinct: 2, pattern: "random", fingerprint: 856619005 },
  { count: 777, distinct: 50, pattern: "half shuffled", fingerprint: 1581880165 },
  { count: 20_000, distinct: 1_000_000, pattern: "nearly sorted", fingerprint: 1517784531 },
] as const)("equal keys fall as in Go: $count keys, $distinct distinct, $pattern", (sample) => {
  const keys = makeKeys(sample.count, sample.distinct, sample.pattern);
  const order = unstableOrder(sample.count, (a, b) => (keys[a] ?? 0) < (keys[b] ?? 0));
  expect(order.reduce((hash, index) => (Math.imul(hash, 31) + index) >>> 0, 17)).toBe(sample.fingerprint);
});

function makeKeys(count: number, distinct: number, pattern: "random" | "half shuffled" | "nearly sorted"): number[] {
  let state = (count * 31 + distinct) >>> 0;
  return Array.from({ length: count }, (_, index) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const random = (state >>> 8) % distinct;
    if (pattern === "nearly sorted") return index % 37 === 0 ? random : index % distinct;
    if (pattern === "random" || index > Math.trunc(count / 2)) return random;
    return Math.trunc(((index * 7919) % count) / 3);
  });
}
