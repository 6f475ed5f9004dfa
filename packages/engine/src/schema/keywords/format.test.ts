import { expect, test } from "vitest";
import { findFormat, isSupportedFormat } from "./format.ts";

test.each([
  {
    format: "k8s-label-key",
    good: ["a", "A_b.c", "example.com/a"],
    bad: ["", "a b", "/a", "a/", "Example/a", "a/b/c"],
  },
  { format: "k8s-label-value", good: ["", "a", "A_b.c", "1"], bad: ["a b", "-a", "a-", "a/b", "x".repeat(64)] },
])("$format accepts what labels of objects accept", ({ format, good, bad }) => {
  const accepts = findFormat(format);
  expect(good.filter((text) => accepts?.(text) !== true)).toEqual([]);
  expect(bad.filter((text) => accepts?.(text) !== false)).toEqual([]);
  expect(isSupportedFormat(format, ["string"], 30)).toBe(true);
  expect(isSupportedFormat(format, ["integer"], 30)).toBe(false);
});
