import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const lines = (...parts: string[]): string => parts.join("\n");
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

// Recorded from github.com/pmezard/go-difflib v1.0.0.
test.each([
  {
    name: "one changed line is between three lines of context",
    before: lines(...many(9)),
    after: lines(...many(9).with(4, "other")),
    diff: "@@ -2,7 +2,7 @@\n line 1\n line 2\n line 3\n-line 4\n+other\n line 5\n line 6\n line 7\n",
  },
  {
    name: "changes far from one another make hunks of their own",
    before: lines(...many(20)),
    after: lines("first", ...many(20), "last"),
    diff: "@@ -1,3 +1,4 @@\n+first\n line 0\n line 1\n line 2\n@@ -18,3 +19,4 @@\n line 17\n line 18\n line 19\n+last\n",
  },
  { name: "equal texts have no difference", before: "a\nb", after: "a\nb", diff: "" },
  { name: "a text of one line is counted without a length", before: "a", after: "b", diff: "@@ -1 +1 @@\n-a\n+b\n" },
])("$name", ({ before, after, diff }) => {
  expect(unifiedDiff(before, after)).toBe(diff);
});
