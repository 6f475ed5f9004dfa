import { expect, test } from "vitest";
import { trimSpace } from "./space.ts";

test.each([
  { name: "both ends are trimmed", text: " \t\n a b \r\v\f ", trimmed: "a b" },
  { name: "a next-line character is white space", text: "\u0085a\u0085", trimmed: "a" },
  { name: "a byte order mark is not white space", text: "\ufeffa\ufeff", trimmed: "\ufeffa\ufeff" },
  { name: "white space alone becomes empty", text: "\u00a0\u3000\u2028", trimmed: "" },
])("$name", ({ text, trimmed }) => {
  expect(trimSpace(text)).toBe(trimmed);
});
