/**
 * Published CRDs: a CRD has no findings against itself, and every finding between channels of one project is
 * demonstrated.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { compareDefinitions, type UpgradeReport } from "@portcullis/engine/internal/upgrade/questions";
import { isObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { corpusFolder } from "../../runners/engine/case.ts";
import { readRealDefinition } from "../../runners/engine/real.ts";

const names = readdirSync(path.join(corpusFolder, "real"))
  .filter((name) => name.endsWith(".json.gz"))
  .map((name) => name.replace(/\.json\.gz$/, ""));

function compare(before: string, after: string): UpgradeReport {
  const [old, next] = [before, after].map((name) => {
    const json = readRealDefinition(name);
    return decodeDefinition(isObject(json) ? json : {}).value;
  });
  if (old === undefined || next === undefined) throw new Error("not a definition");
  return compareDefinitions(old, next, {
    version: "1.36",
    gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
    writersOnly: true,
    budget: 1000,
  });
}

test("a CRD does not differ from itself", { timeout: 120_000 }, () => {
  for (const name of names) expect(compare(name, name).findings, name).toEqual([]);
});

const channels = names.filter((name) => name.endsWith("-standard")).map((name) => name.replace(/-standard$/, ""));

test.each(channels)("changes between the channels of %s are proved or demonstrated", { timeout: 60_000 }, (name) => {
  const { findings } = compare(`${name}-experimental`, `${name}-standard`);
  for (const { verdict, change, witness, effect, message } of findings) {
    if (verdict !== "unsafe" || change === undefined || change.axis === "ownership") continue;
    expect(witness ?? effect, message).toBeDefined();
    if (witness !== undefined) expect(witness.errors.length, message).toBeGreaterThan(0);
  }
});
