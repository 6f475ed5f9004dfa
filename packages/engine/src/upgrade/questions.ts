/**
 * Answers the ten questions about an upgrade of one CRD.
 *
 * `safe` is proved, `unsafe` is demonstrated, `unknown` has a reason why it is neither, and `noop` makes no difference
 * for any client.
 */
import type { DefinitionVerdict } from "../crd/validate/validate.ts";
import { formatFieldError } from "../field/format.ts";
import type { JsonObject } from "../value/json.ts";
import { checkUpdateAcceptance } from "./acceptance.ts";
import { entryOf, type Question } from "./catalog.ts";
import type { Verdict } from "./change.ts";
import { newFinding, type UpgradeFinding } from "./finding.ts";
import * as messages from "./messages.ts";
import { type Side, sideOf } from "./side.ts";
import { type SurfaceChange, surfaceChanges } from "./surface.ts";
import { newUpgradeCase, type Step, type UpgradeCase, type UpgradeOptions } from "./upgrade-case.ts";
import { versionFindings } from "./version-findings.ts";
import { crossFindings } from "./versions/between-versions.ts";
import { storageFindings, storedFindings } from "./versions/stored-versions.ts";

/** Everything that a change of a CRD does. */
export interface UpgradeReport {
  /** The API server's answer to the new CRD as an update of the old one. */
  readonly acceptance: DefinitionVerdict;
  readonly findings: readonly UpgradeFinding[];
  readonly answers: Readonly<Record<Question, Verdict>>;
  /** The number of schema nodes that differ. */
  readonly changedNodes: number;
}

/**
 * Compares two CRDs, both decoded with `crd/decode`.
 * @example compareDefinitions(crd, crd, { version: "1.37", gates }).answers.Q1 // "safe"
 */
export function compareDefinitions(old: JsonObject, next: JsonObject, options: UpgradeOptions): UpgradeReport {
  const upgrade = beginUpgrade(old, next, options);
  const findings = [...upgrade.findings()].filter((finding) => finding !== undefined);
  const { acceptance, changedNodes } = upgrade;
  const answers = answersOf(findings);
  // Questions that were not asked have no answer.
  const asked = options.writersOnly === true ? { ...answers, Q5: "unknown" as const, Q8: "unknown" as const } : answers;
  return { acceptance, findings, answers: asked, changedNodes };
}

/** The same one step at a time, for callers that cannot wait for the whole result. */
export function beginUpgrade(old: JsonObject, next: JsonObject, options: UpgradeOptions): Upgrade {
  return new Upgrade(sideOf(old, options), sideOf(next, options), options);
}

const RANK: Readonly<Record<Verdict, number>> = { noop: 0, safe: 1, unknown: 2, unsafe: 3 };

export function answersOf(findings: readonly UpgradeFinding[]): Readonly<Record<Question, Verdict>> {
  const answers: Record<Question, Verdict> = {
    Q1: "safe",
    Q2: "safe",
    Q3: "safe",
    Q4: "safe",
    Q5: "safe",
    Q6: "safe",
    Q7: "safe",
    Q8: "safe",
    Q9: "safe",
    Q10: "safe",
  };
  for (const { questions, verdict, witness } of findings) {
    if (witness?.isQuirk === true) continue;
    for (const question of questions) if (RANK[verdict] > RANK[answers[question]]) answers[question] = verdict;
  }
  return answers;
}

class Upgrade {
  changedNodes = 0;
  readonly acceptance: DefinitionVerdict;
  readonly #case: UpgradeCase;

  constructor(old: Side, next: Side, options: UpgradeOptions) {
    this.acceptance = checkUpdateAcceptance(old, next, options);
    this.#case = newUpgradeCase(old, next, options);
  }

  /** Yields one result per step; undefined if the step found nothing. */
  *findings(): Generator<Step> {
    const { old, next, options } = this.#case;
    yield* this.#acceptance();
    for (const change of surfaceChanges(old.definition, next.definition)) yield this.#surface(change);
    yield* this.#versions();
    yield* storageFindings(this.#case);
    yield* storedFindings(this.#case);
    if (options.writersOnly !== true) yield* crossFindings(this.#case);
  }

  #acceptance(): UpgradeFinding[] {
    return this.acceptance.errors.map((error) =>
      newFinding(entryOf("not-accepted"), {
        verdict: "unsafe",
        definition: this.#case.name,
        message: formatFieldError(error),
        identity: [error.origin, error.path.toString()],
      }),
    );
  }

  #surface(change: SurfaceChange): UpgradeFinding {
    return newFinding(entryOf(change.code), {
      verdict: "unsafe",
      definition: this.#case.name,
      version: change.version,
      message: messages.surfaceText(change),
      identity: [change.detail, change.before ?? "", change.after ?? ""],
    });
  }

  *#versions(): Generator<Step> {
    const { old, next } = this.#case;
    for (const version of old.definition.versions) {
      const { name } = version;
      const kept = next.definition.versions.find((each) => each.name === name);
      // A version that no client can read or write through cannot lose anything.
      if (kept === undefined || (!version.served && !kept.served)) continue;
      const pair = { version: name, before: old.compile(version), after: next.compile(kept) };
      this.changedNodes += yield* versionFindings(this.#case, pair);
    }
  }
}
