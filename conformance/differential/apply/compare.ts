/** Runs random scripts through the real merge library and through ours. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { CORPUS, errorText, objectText, parseObject, runScript, scriptOf } from "../../runners/apply/script.ts";
import { randomScript } from "./generate.ts";
import { Random } from "./random.ts";

export interface DifferentialRun {
  readonly scripts: number;
  readonly steps: number;
  readonly refused: number;
  /** One text per script with a difference. */
  readonly disagreements: readonly string[];
}

/** `oracle` is the program of `conformance/oracle`, built. */
export function compareWithOracle(oracle: string, count: number, seed: number): DifferentialRun {
  const random = new Random(seed);
  const questions = Array.from({ length: count }, (_, index) =>
    JSON.stringify(randomScript(random, `random/${seed}/${index}`)),
  );
  const answers = ask(oracle, questions).map(parseObject);
  const errors = answers.flatMap((line) => recordedOf(line).errors);
  return {
    scripts: answers.length,
    steps: errors.length,
    refused: errors.filter((error) => error !== null).length,
    disagreements: answers.flatMap(disagreement),
  };
}

function ask(oracle: string, lines: readonly string[]): string[] {
  const asked = spawnSync(oracle, ["apply", path.join(CORPUS, "schemas.json")], {
    input: `${lines.join("\n")}\n`,
    maxBuffer: 2 ** 31,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });
  if (asked.status !== 0) throw new Error(`the oracle failed: ${asked.status} ${asked.error}`);
  return asked.stdout.split("\n").filter((line) => line !== "");
}

interface Recorded {
  readonly errors: readonly (JsonValue | null)[];
  readonly objects: readonly (JsonValue | null)[];
}

function recordedOf(line: JsonObject): Recorded {
  return line["want"] as unknown as Recorded;
}

function disagreement(line: JsonObject): string[] {
  const want = recordedOf(line);
  const got = runScript(scriptOf(line));
  for (const index of want.errors.keys()) {
    const expected = [comparable(errorText(want.errors[index])), objectText(want.objects[index])];
    const actual = [comparable(errorText(got.errors[index])), objectText(got.objects[index])];
    if (expected.join() !== actual.join()) return [describe(line, index, expected, actual)];
  }
  return [];
}

/**
 * Upstream stops at the first undeclared field of a map that it visits in random order, so its other findings are
 * random.
 */
function comparable(error: string): string {
  if (!error.includes("field not declared in schema")) return error;
  return `${error.slice(0, error.search(/errors:|\.[^ ]*: /))}…field not declared in schema`;
}

function describe(line: JsonObject, index: number, expected: readonly string[], actual: readonly string[]): string {
  const steps = (line["steps"] as JsonValue[]).slice(0, index + 1).map((step) => `    ${objectText(step)}`);
  const differences = expected.flatMap((want, part) =>
    want === actual[part] ? [] : [`  want ${want}`, `  got  ${actual[part]}`],
  );
  return [`${line["id"]} step ${index}, schema ${line["schema"]}`, ...steps, ...differences].join("\n");
}
