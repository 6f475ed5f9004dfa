/** A finding about an upgrade, and how it is built from its catalog entry. */
import type { BlastRadius } from "./blast-radius.ts";
import type { CatalogEntry, Level, Question } from "./catalog.ts";
import type { Change, Effect, Verdict } from "./change.ts";
import type { UnknownReason } from "./contain/proof.ts";
import { fingerprintOf } from "./policy/fingerprint.ts";
import type { Witness } from "./witness/witness-check.ts";

/** One effect of a change of a CRD, with the object that shows it or the proof that there is none. */
export interface UpgradeFinding {
  readonly code: string;
  readonly questions: readonly Question[];
  readonly verdict: Verdict;
  /** The severity before any configuration. */
  readonly level: Level;
  readonly definition: string;
  readonly version: string;
  /** Set if it is only about objects that are stored in this version: before and after the upgrade. */
  readonly storedIn?: readonly [string, string];
  /** In the schema: `.spec.list[*].name`; "" if it is not about a schema. */
  readonly path: string;
  readonly message: string;
  /** The argument of a proof, or why the verdict is unknown. */
  readonly why: string;
  readonly reason: UnknownReason | undefined;
  readonly witness: Witness | undefined;
  readonly effect: Effect | undefined;
  readonly blast: BlastRadius | undefined;
  readonly hint: string;
  readonly fingerprint: string;
  /** The compared change, for checks that select by keyword. */
  readonly change: Change | undefined;
}

export interface FindingParts {
  readonly verdict: Verdict;
  /** The name of the CRD. */
  readonly definition: string;
  readonly version?: string;
  readonly path?: string;
  readonly message: string;
  /** Distinguishes it from other findings with the same code at the same place. */
  readonly identity: readonly string[];
}

/** Creates a finding without the optional parts, such as a witness or an effect; the caller adds them. */
export function newFinding(entry: CatalogEntry, parts: FindingParts): UpgradeFinding {
  const { verdict, definition, version = "", path = "", message } = parts;
  return {
    code: entry.code,
    questions: [entry.question],
    verdict,
    level: verdict === "unsafe" ? entry.level : "note",
    definition,
    version,
    path,
    message,
    why: verdict === "unsafe" ? entry.why : "",
    reason: undefined,
    witness: undefined,
    effect: undefined,
    blast: undefined,
    hint: verdict === "unsafe" ? entry.fix : "",
    fingerprint: fingerprintOf([entry.code, definition, version, path, ...parts.identity]),
    change: undefined,
  };
}
