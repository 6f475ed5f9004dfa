import { expect, test } from "vitest";
import { parseWithIssues, setWords, WordsMissing } from "./syntax-errors.ts";

test("the words for syntax errors are missing until they have come", () => {
  expect(() => parseWithIssues("a +", {})).toThrow(WordsMissing);
  setWords((source) => `said of ${source}`);
  expect(parseWithIssues("a +", {})).toBe("said of a +");
});
