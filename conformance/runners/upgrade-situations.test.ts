/**
 * The test cases of other tools, rebuilt as complete CRDs: the true verdict on each, shown by objects, and the reason
 * if the tool disagrees.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import { prepareForCreate } from "@portcullis/engine/internal/crd/prepare";
import { validateDefinition } from "@portcullis/engine/internal/crd/validate/validate";
import {
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import { compareDefinitions } from "@portcullis/engine/internal/upgrade/questions";
import { Replay } from "@portcullis/engine/internal/upgrade/witness/replay";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { wrongWitness } from "../differential/upgrade/trial.ts";
import { RECORDED_VERSION } from "./recorded-version.ts";

interface Situation {
  readonly id: string;
  /** The tool's result: `pass`, `error`, `warning`, or `unhandled` if it refuses because it does not know. */
  readonly says: string;
  /** Absent if the CRD is new. */
  readonly old: object | null;
  readonly new: object;
  readonly want: { readonly verdict: string; readonly findings: readonly string[] };
  /** Why the tool is wrong. */
  readonly why?: string;
}

const ENGINE: EngineOptions = {
  version: RECORDED_VERSION,
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
};

const file = path.join(import.meta.dirname, "../corpora/upgrade/situations.jsonl");
const situations: Situation[] = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

test.each(situations)("$id", ({ old, new: next, want }) => {
  const after = definitionOf(next);
  if (old === null) {
    expect(isTaken(after) ? "new" : "refused").toBe(want.verdict);
    return;
  }
  const before = definitionOf(old);
  const { findings } = compareDefinitions(before, after, ENGINE);
  const found = findings.map(({ code, verdict, path: place }) => `${code} ${verdict} ${place}`.trim());
  expect(found).toEqual(expect.arrayContaining([...want.findings]));
  expect(verdictOf(findings), found.join("\n")).toBe(want.verdict);
  for (const finding of findings) checkEvidence(finding, before, after);
});

const DISAGREEMENT: Readonly<Record<string, readonly string[]>> = {
  pass: ["unsafe", "unknown", "changed", "refused"],
  error: ["safe", "noop", "changed", "new"],
  warning: ["unsafe", "refused"],
  unhandled: ["safe", "noop", "unsafe"],
};

test("every case on which a tool disagrees has a reason", () => {
  const silent = situations.filter(
    ({ says, want, why }) => why === undefined && DISAGREEMENT[says]?.includes(want.verdict) !== false,
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});

// biome-ignore format: a table
test.each([["kapp", 24], ["crdify", 22], ["crd-schema-checker", 68]])("all situations of %s are present", (tool, count) => {
  expect(situations.filter(({ id }) => id.startsWith(`${tool}/`)).length).toBe(count);
});

function definitionOf(json: object): JsonObject {
  const plain = fromPlain(json);
  const decoded = decodeDefinition(isObject(plain) ? plain : {});
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return decoded.value;
}

function isTaken(definition: JsonObject): boolean {
  return validateDefinition(prepareForCreate(definition, ENGINE.gates), undefined, ENGINE).errors.length === 0;
}

/** By what writers see: refused or lost, unknown, other values or other versions, nothing. */
function verdictOf(findings: readonly UpgradeFinding[]): string {
  const has = (verdict: string, ...levels: string[]): boolean =>
    findings.some((each) => each.verdict === verdict && levels.includes(each.level));
  if (has("unsafe", "error")) return "unsafe";
  if (findings.some(({ verdict }) => verdict === "unknown")) return "unknown";
  if (has("unsafe", "warning")) return "changed";
  return findings.every(({ verdict }) => verdict === "noop") ? "noop" : "safe";
}

function checkEvidence(finding: UpgradeFinding, before: JsonObject, after: JsonObject): void {
  const { verdict, change, version, code, effect } = finding;
  if (verdict !== "unsafe" || change === undefined || change.axis === "ownership") return;
  if (change.axis !== "validity") {
    expect(effect?.after).not.toEqual(effect?.before);
    return;
  }
  // For readers the two sides are swapped.
  const [from, to] = code === "upgrade/reader" ? [after, before] : [before, after];
  const [old, next] = [from, to].map((json) => {
    const definition = readDefinition(json);
    const found = definition.versions.find(({ name }) => name === version);
    return found && compileResource(definition, found, ENGINE);
  });
  if (old === undefined || next === undefined) throw new Error("no such version");
  expect(wrongWitness(change, new Replay(old, next))).toEqual([]);
}
