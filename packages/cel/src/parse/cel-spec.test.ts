/**
 * The cases that cel-go's own tests and the language's conformance suite carry: for every expression the tree
 * cel-go builds, or the text of its errors. They were recorded without the optional syntax and its macros, and
 * with the low limits that cel-go's parser tests set.
 */
import { tests as checking } from "@bufbuild/cel-spec/testdata/checking.js";
import { tests as comprehension } from "@bufbuild/cel-spec/testdata/comprehension.js";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import { tests as parsing } from "@bufbuild/cel-spec/testdata/parsing.js";
import { expect, test } from "vitest";
import { debugString, withKinds } from "../ast/debug.testing.ts";
import { formatIssues } from "../issue.ts";
import { Source } from "../source.ts";
import { allMacros } from "./macros.ts";
import { macroTable, parseOptions } from "./options.ts";
import { parse } from "./parser.ts";

type Suite = typeof parsing;

const options = parseOptions({
  macros: macroTable(allMacros),
  maxRecursionDepth: 32,
  errorRecoveryLimit: 4,
  errorRecoveryLookaheadLimit: 4,
});

// biome-ignore format: a table
test.each([
  { suite: parsing,       name: "cel-go's parser tests",            cases: 194 },
  { suite: checking,      name: "cel-go's checker tests",           cases: 135 },
  { suite: comprehension, name: "cel-go's comprehension tests",     cases: 92 },
  { suite: conformance,   name: "the language's conformance suite", cases: 2344 },
])("$name parse into the recorded trees and errors", ({ suite, cases }) => {
  const all = casesOf(suite);
  expect(all).toHaveLength(cases);
  for (const { source, expected } of all) expect(outcome(source), source.text).toBe(expected);
});

function casesOf(suite: Suite): { source: Source; expected: string | undefined }[] {
  const own = (suite.tests ?? []).map(({ original, ast, error }) => {
    return { source: new Source(original.expr, original.name ?? ""), expected: ast ?? error };
  });
  return [...own, ...(suite.suites ?? []).flatMap(casesOf)];
}

function outcome(source: Source): string {
  const result = parse(source, options);
  return result.ok ? debugString(result.ast.expr, withKinds) : formatIssues(source, result.issues);
}
