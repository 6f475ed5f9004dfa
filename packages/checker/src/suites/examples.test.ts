import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { describe, expect, test } from "vitest";
import { evaluateRequest } from "../policy/evaluate-request.ts";
import { policyCluster } from "../policy/policy-cluster.ts";
import { Coverage, isCovered } from "./coverage.ts";
import { readSuites } from "./suite-read.ts";
import { type CaseResult, newContext, runSuite } from "./suite-run.ts";

const FOLDER = fileURLToPath(new URL("../../../../examples/policies", import.meta.url));
const ENGINE = engineOptions(undefined, undefined);
const NAMES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

test("at least 25 example policies exist", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(25);
});

describe.each(NAMES)("example %s", async (name) => {
  const { suites } = readSuites([path.join(FOLDER, name)]);
  const context = newContext(ENGINE);
  const coverage = new Coverage();
  const results: CaseResult[] = [];
  for (const suite of suites) results.push(...(await runSuite(suite, context, coverage)).results);

  test.each(results)("$name", ({ problems }) => {
    expect(problems).toEqual([]);
  });

  test("has cases on both sides", () => {
    const outcomes = new Set(suites.flatMap(({ cases }) => cases.map(({ expect: { outcome } }) => outcome)));
    expect(outcomes).toContain("allow");
    expect(outcomes.has("deny") || outcomes.has("warn")).toBe(true);
  });

  test.each(suites.flatMap(({ cases }) => cases))(
    "$name: the API server gets as far as asking",
    async ({ subject }) => {
      if (subject.type !== "request") throw new Error("not a request");
      const { objects, request } = subject;
      expect((await evaluateRequest(request, policyCluster(objects, ENGINE))).notes).toEqual([]);
    },
  );

  test("every expression is seen true and false", () => {
    expect(coverage.list().filter((each) => !isCovered(each))).toEqual([]);
  });
});
