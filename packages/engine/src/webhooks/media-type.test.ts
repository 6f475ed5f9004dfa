import { expect, test } from "vitest";
import { mediaTypeProblem } from "./media-type.ts";

test.each([
  ["application/json", undefined],
  ["application/json;", undefined],
  ['application/json; charset="utf-8"', undefined],
  ["application/json; a=b; a=b", undefined],
  ["json", undefined],
  ["json; a=b", undefined],
  ["/json", "mime: no media type"],
  ["a b", "mime: expected slash after first token"],
  ["application/", "mime: expected token after slash"],
  ["application/json, text/plain", "mime: unexpected content after media subtype"],
  ["application/json; a", "mime: invalid media parameter"],
  ["application/json; a=b; a=c", "mime: duplicate parameter name"],
])("%s is parsed as Go parses it", (header, problem) => {
  expect(mediaTypeProblem(header)).toBe(problem);
});
