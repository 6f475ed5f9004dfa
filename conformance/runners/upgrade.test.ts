/** Schema changes with their true verdict; every unsafe one must be shown by objects. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import {
  type CustomResource,
  compileResource,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { Change } from "@portcullis/engine/internal/upgrade/change";
import { compareResources } from "@portcullis/engine/internal/upgrade/compare";
import { isAccepted, Replay } from "@portcullis/engine/internal/upgrade/witness/replay";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";

interface UpgradeCase {
  readonly id: string;
  readonly old: object;
  readonly new: object;
  readonly want: { readonly verdict: string; readonly keyword: string };
}

const file = path.join(import.meta.dirname, "../corpora/upgrade/cases.jsonl");
const cases: UpgradeCase[] = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

test.each(cases)("$id", ({ old, new: next, want }) => {
  const [before, after] = [resourceOf(old), resourceOf(next)];
  const changes = compareResources(before, after, { minor: 36 });
  expect(verdictOf(changes)).toBe(want.verdict);
  if (want.keyword !== "") expect(changes.map(({ keyword }) => keyword)).toContain(want.keyword);
  expect(changes.filter(({ isContradicted }) => isContradicted === true)).toEqual([]);
  for (const change of changes) checkEvidence(change, new Replay(before, after));
});

/** The worst verdict; ownership under apply is separate, and values accepted by accident are notes. */
function verdictOf(all: readonly Change[]): string {
  const changes = all.map(
    (change): Change => (change.witness?.isQuirk === true ? { ...change, verdict: "safe" } : change),
  );
  const has = (verdict: string, ...axes: string[]): boolean =>
    changes.some((change) => change.verdict === verdict && axes.includes(change.axis));
  if (has("unsafe", "validity", "loss")) return "unsafe";
  if (has("unknown", "validity", "loss")) return "unknown";
  if (has("safe", "validity")) return "safe";
  if (has("unsafe", "value")) return "changed";
  return changes.length === 0 ? "noop" : "safe";
}

function checkEvidence({ verdict, axis, witness, effect }: Change, replay: Replay): void {
  if (verdict !== "unsafe" || axis === "ownership") return;
  if (axis !== "validity") {
    expect(effect?.after).not.toEqual(effect?.before);
    return;
  }
  if (witness === undefined) throw new Error("unsafe without a witness");
  const { old, new: next } = replay;
  if (witness.before !== undefined) {
    expect(isAccepted(replay.update(witness.object, witness.before, old))).toBe(true);
    expect(isAccepted(replay.update(witness.object, witness.before, next))).toBe(false);
    return;
  }
  const stored = replay.rest(witness.object, old);
  expect(isAccepted(stored)).toBe(true);
  if (witness.breaksStored) expect(isAccepted(replay.rest(stored.object, next))).toBe(false);
  if (witness.breaksManifest) expect(isAccepted(replay.create(witness.object, next))).toBe(false);
}

function resourceOf(schema: object): CustomResource {
  const json = fromPlain({
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const definition = readDefinition(isObject(json) ? json : {});
  const [version] = definition.versions;
  if (version === undefined) throw new Error("no version");
  return compileResource(definition, version, {
    version: RECORDED_VERSION,
    gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
  });
}
