import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { engineOptions } from "../commands/engine-options.ts";
import { Coverage, isCovered } from "./coverage.ts";
import { makeRequest } from "./request.ts";
import { readSuites } from "./suite-read.ts";
import { runSuite } from "./suite-run.ts";
import { buildWorld } from "./world.ts";

const FOLDER = fileURLToPath(new URL("../../../../examples/policies", import.meta.url));
const ENGINE = engineOptions(undefined, undefined);
const NAMES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

test("there are enough examples", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(25);
});

describe.each(NAMES)("example %s", (name) => {
  const suites = readSuites([path.join(FOLDER, name)]);
  const coverage = new Coverage();
  const results = suites.flatMap((suite) => runSuite(suite, ENGINE, coverage).results);

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
    ({ objects, request }) => {
      expect(makeRequest(request, buildWorld(objects, ENGINE).kinds).notes()).toEqual([]);
    },
  );

  test("every expression is seen true and false", () => {
    expect(coverage.list().filter((each) => !isCovered(each))).toEqual([]);
  });
});
