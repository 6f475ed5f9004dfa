/**
 * Pairs of schemas with a verdict determined by creating objects on kube-apiserver: a breaking change is never called
 * safe, and a harmless one is never refused. The scoreboard lists undecided pairs.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { DEFAULT_POLICY, gradeFinding } from "@portcullis/engine/internal/upgrade/policy/policy";
import { compareDefinitions } from "@portcullis/engine/internal/upgrade/questions";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";
import { committedScoreboard, score } from "./scoreboard.ts";

interface SchemaPair {
  readonly id: string;
  readonly truth: string;
  readonly old: JsonValue;
  readonly new: JsonValue;
}

const ENGINE = {
  version: RECORDED_VERSION,
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
} as const;
const MOST_UNKNOWN = 0.05;

const file = path.join(import.meta.dirname, "../corpora/upgrade/pairs.jsonl");
const pairs = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map(parsePair);
const verdicts = new Map<string, string>();

test.each(pairs)("$id, which is $truth, gets no wrong verdict", { timeout: 30_000 }, (pair) => {
  const { findings } = compareDefinitions(definitionOf(pair.old), definitionOf(pair.new), ENGINE);
  expect(findings.filter(({ change }) => change?.isContradicted === true)).toEqual([]);
  const failing = findings.filter((finding) => gradeFinding(finding, DEFAULT_POLICY, "2026-01-01").level === "error");
  const isUnsafe = failing.some(({ verdict }) => verdict === "unsafe");
  const verdict = isUnsafe ? "unsafe" : failing.length > 0 ? "unknown" : "safe";
  verdicts.set(pair.id, verdict);
  if (pair.truth === "breaks") expect(verdict).not.toBe("safe");
  if (pair.truth === "harmless") expect(verdict).not.toBe("unsafe");
});

test("the results match the committed ones, and few are undecided", () => {
  const open = [...verdicts].filter(([, verdict]) => verdict === "unknown").map(([id]) => id);
  const passed = [...verdicts.keys()].filter((id) => !open.includes(id));
  const current = score("1.36.4", new Map([["pairs", { passed, failed: open }]]));
  expect(committedScoreboard("upgrade-pairs", current)).toEqual(current);
  expect(open.length / verdicts.size).toBeLessThanOrEqual(MOST_UNKNOWN);
});

/** Some pairs have numbers beyond 2^53, so the decoder of the engine reads them. */
function parsePair(line: string): SchemaPair {
  const decoded = decodeJson(line);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error(line);
  const { id, truth, old = null, new: next = null } = decoded.value;
  return { id: String(id), truth: String(truth), old, new: next };
}

function definitionOf(schema: JsonValue): JsonObject {
  const version = Object.assign(newObject(), { name: "v1", served: true, storage: true });
  version["schema"] = Object.assign(newObject(), { openAPIV3Schema: schema });
  const names = Object.assign(newObject(), {
    plural: "widgets",
    kind: "Widget",
    singular: "widget",
    listKind: "WidgetList",
  });
  const spec = Object.assign(newObject(), { group: "example.com", scope: "Namespaced", names, versions: [version] });
  const metadata = Object.assign(newObject(), { name: "widgets.example.com" });
  const json = Object.assign(newObject(), {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata,
    spec,
  });
  return decodeDefinition(json).value;
}
