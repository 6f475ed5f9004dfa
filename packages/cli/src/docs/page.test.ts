import { expect, test } from "vitest";
import { matchesOutput, readPage } from "./page.testing.ts";

test("files, commands with outputs, scripts and skipped blocks are distinguished", () => {
  const page = readPage(
    "p.md",
    "text\n```yaml title=a/b.yaml\nx: 1\n```\n```console\n$ one two\nsaid\nmore\n$ three\n```\n<!-- not run: needs a cluster -->\n```sh\nkubectl get x\n```\n```sh\ntrue\n```\n```yaml\ny: 2\n```\n",
  );
  expect(page.files).toEqual({ "a/b.yaml": "x: 1\n" });
  expect(page.steps).toEqual([
    { kind: "console", line: 6, command: "one two", output: "said\nmore" },
    { kind: "console", line: 9, command: "three", output: "" },
    { kind: "sh", line: 15, text: "true\n" },
  ]);
  expect(page.notRun).toEqual([{ line: 12, reason: "needs a cluster" }]);
});

test.each([
  { expected: "a", actual: "a", matches: true },
  { expected: "a", actual: "b", matches: false },
  { expected: "a…c", actual: "a b c", matches: true },
  { expected: "a\n…\nz", actual: "a\nb\nc\nz", matches: true },
  { expected: "a\n…", actual: "a\nb\nc", matches: true },
  { expected: "…\nz", actual: "a\ny", matches: false },
  { expected: "a.c", actual: "abc", matches: false },
])("$expected against $actual", ({ expected, actual, matches }) => {
  expect(matchesOutput(expected, actual)).toBe(matches);
});
