import { createHash as nodeHash } from "node:crypto";
import { expect, test } from "vitest";
import { createHash } from "./sha256.ts";

test.each(["", "abc", "é🛡", "x".repeat(55), "x".repeat(56), "x".repeat(64), "y".repeat(1000)])(
  "the hash of %j is that of Node",
  (text) => {
    expect(createHash("sha256").update(text).digest("hex")).toBe(nodeHash("sha256").update(text).digest("hex"));
  },
);
