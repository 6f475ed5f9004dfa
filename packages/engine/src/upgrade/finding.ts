/** What is told of an upgrade: one finding, and how it is put together from its entry of the catalog. */
import type { BlastRadius } from "./blast-radius.ts";
import type { CatalogEntry, Level, Question } from "./catalog.ts";
import type { Change, Effect, Verdict } from "./change.ts";
import type { UnknownReason } from "./contain/proof.ts";
import { fingerprintOf } from "./policy/fingerprint.ts";
import type { Witness } from "./witness/witness.ts";

export interface UpgradeFinding {
  readonly code: string;
  readonly questions: readonly Question[];
  readonly verdict: Verdict;
  /** How serious it is before any configuration. */
  readonly level: Level;
  readonly definition: string;
  readonly version: string;
  /** In the schema: `.spec.list[*].name`; "" where it is not about a schema. */
  readonly path: string;
  readonly message: string;
  /** The argument of a proof, or why nothing is known. */
  readonly why: string;
  readonly reason: UnknownReason | undefined;
  readonly witness: Witness | undefined;
  readonly effect: Effect | undefined;
  readonly blast: BlastRadius | undefined;
  readonly hint: string;
  readonly fingerprint: string;
  /** What was compared, for checks that go by keyword. */
  readonly change: Change | undefined;
}

export interface FindingParts {
  readonly verdict: Verdict;
  /** The name of the definition. */
  readonly definition: string;
  readonly version?: string;
  readonly path?: string;
  readonly message: string;
  /** What tells it from others of its code at the same place. */
  readonly identity: readonly string[];
}

/** Without a witness, an effect or anything else that only some have: the caller adds it. */
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
