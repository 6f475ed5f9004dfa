/** Results of suites for CI systems: JUnit with one case per test, and findings for failed tests. */
import { escapeXml } from "../output/junit.ts";
import { buildReport, findingAt } from "../report/build.ts";
import type { Report } from "../report/finding.ts";
import type { CaseResult, SuiteResult } from "./suite-run.ts";

/** Only failures, at the place of the case in the suite. */
export function suiteReport(suites: readonly SuiteResult[]): Report {
  const findings = suites.flatMap(({ document, results }) =>
    results
      .filter(({ passed }) => !passed)
      .map(({ name, problems, path }) =>
        findingAt(document, {
          rule: "policy/test",
          severity: "error",
          message: `${name}: ${problems.join("; ")}`,
          path,
        }),
      ),
  );
  const objects = suites.flatMap(({ results }) => results).length;
  return buildReport({ command: "policy test", findings, files: suites.length, objects, withoutSchema: 0 });
}

export function formatSuitesJunit(suites: readonly SuiteResult[]): string {
  const all = suites.flatMap(({ results }) => results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="portcullis policy test" ${counts(all)}>`,
    ...suites.flatMap(({ file, results }) => [
      `  <testsuite name="${escapeXml(file)}" ${counts(results)}>`,
      ...results.flatMap((each) => formatCase(file, each)),
      "  </testsuite>",
    ]),
    "</testsuites>",
  ].join("\n");
}

function counts(results: readonly CaseResult[]): string {
  return `tests="${results.length}" failures="${results.filter(({ passed }) => !passed).length}"`;
}

function formatCase(file: string, { name, passed, problems }: CaseResult): string[] {
  const head = `    <testcase classname="${escapeXml(file)}" name="${escapeXml(name)}"`;
  if (passed) return [`${head}/>`];
  const failures = problems.map((problem) => `      <failure type="policy/test" message="${escapeXml(problem)}"/>`);
  return [`${head}>`, ...failures, "    </testcase>"];
}
