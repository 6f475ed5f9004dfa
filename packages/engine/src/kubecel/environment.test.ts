import { expect, test } from "vitest";
import { kubernetesEnvironment } from "./environment.ts";
import { AUTHORIZER_TYPE } from "./library/authz.ts";
import type { KubernetesVersion } from "./versions.ts";

const variables = { authorizer: AUTHORIZER_TYPE };

function compiles(expression: string, version: KubernetesVersion, mode: "new" | "stored"): boolean {
  return kubernetesEnvironment({ version, mode, variables }).compile(expression).ok;
}

// biome-ignore format: a table
test.each<{ expression: string; before?: KubernetesVersion; since: KubernetesVersion }>([
  { expression: "url('/a').getHost() == ''",                                                since: "1.25" },
  { expression: "authorizer.path('/a').check('get').allowed()",           before: "1.26",   since: "1.27" },
  { expression: "1 < 2.0",                                                before: "1.27",   since: "1.28" },
  { expression: "optional.of(1).hasValue()",                              before: "1.27",   since: "1.28" },
  { expression: "isQuantity('1')",                                        before: "1.27",   since: "1.28" },
  { expression: "'%s'.format(['a']) == 'a'",                              before: "1.28",   since: "1.29" },
  { expression: "sets.contains([1], [1])",                                before: "1.28",   since: "1.29" },
  { expression: "isIP('1.2.3.4')",                                        before: "1.29",   since: "1.30" },
  { expression: "format.named('uuid').hasValue()",                        before: "1.30",   since: "1.31" },
  { expression: "authorizer.group('').resource('a').fieldSelector('b')",  before: "1.30",   since: "1.31" },
  { expression: "[1].all(i, v, i < v)",                                   before: "1.31",   since: "1.32" },
  { expression: "isSemver('1.2.3', true)",                                before: "1.32",   since: "1.33" },
  { expression: "[2, 1].sort() == [1, 2]",                                before: "1.33",   since: "1.34" },
])("$expression is new in $since, and always accepted once stored", ({ expression, before, since }) => {
  if (before !== undefined) expect(compiles(expression, before, "new")).toBe(false);
  expect(compiles(expression, since, "new")).toBe(true);
  expect(compiles(expression, before ?? since, "stored")).toBe(true);
});

test.each([
  ["1.28", true],
  ["1.29", false],
] as const)("a literal that cannot be a duration compiles in %s: %s", (version, expected) => {
  expect(compiles("duration('x') == duration('x')", version, "new")).toBe(expected);
});

test("literals of mixed types never compile", () => {
  expect(compiles("[1, 'a'].size() == 2", "1.25", "new")).toBe(false);
  expect(compiles("[1, 'a'].size() == 2", "1.36", "stored")).toBe(false);
});

test("environments of a version share their base", () => {
  expect(kubernetesEnvironment({ version: "1.35", mode: "new" })).toBe(
    kubernetesEnvironment({ version: "1.35", mode: "new" }),
  );
});
