import { expect, test } from "vitest";
import { parseWithIssues, SyntaxErrorsMissing, setSyntaxErrors } from "./syntax-errors.ts";

test("messages for syntax errors are missing until they are loaded", () => {
  expect(() => parseWithIssues("a +", {})).toThrow(SyntaxErrorsMissing);
  setSyntaxErrors((source) => `said of ${source}`);
  expect(parseWithIssues("a +", {})).toBe("said of a +");
});
