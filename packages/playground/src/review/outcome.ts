/** The result of a review: made by the worker, shown by the page, plain data throughout. */
import type { Fix } from "@portcullis/checker/internal/complete/fix";
import type { Field } from "../modes.ts";

export type Severity = "error" | "warning" | "note";

/** A problem at a place of one of the texts. */
export interface Diagnostic {
  readonly field: Field;
  /** Offsets in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string | undefined;
  readonly rule: string;
  /** Quick fixes, in the text that it is about. */
  readonly fixes?: readonly Fix[] | undefined;
}

/** As the command line reports it; the page lists these. */
export interface Problem extends Diagnostic {
  readonly path: string;
  /** What ratcheting made of it, if it is an update. */
  readonly ratchet?: RatchetNote | undefined;
}

export interface RatchetNote {
  readonly outcome: "forgiven" | "kept";
  readonly reason: string;
}

/** A place in one of the texts. */
export interface TextPlace {
  readonly field: Field;
  readonly from: number;
  readonly to: number;
}

/** `empty`: there is nothing to give a verdict about. */
export type Tone = "accepted" | "refused" | "warned" | "failed" | "empty";

/** A command and what it prints. */
export interface Transcript {
  readonly command: string;
  readonly output: string;
  readonly isRefusal: boolean;
}

export interface Verdict {
  readonly tone: Tone;
  /** A word or two. */
  readonly headline: string;
  /** The rest of the sentence; may be empty. Both are read out by screen readers. */
  readonly summary: string;
  readonly transcripts: readonly Transcript[];
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** One step of the write pipeline, as a difference from the step before. */
export interface Stage {
  readonly title: string;
  readonly about: string;
  readonly lines: readonly DiffLine[];
  readonly changes: number;
}

/** The errors themselves are among the problems. */
export interface RatchetingPanel {
  readonly forgiven: number;
  readonly kept: number;
  /** How many errors the same update has where the feature is off. */
  readonly errorsWithout: number;
}

export interface CostRow {
  readonly path: string;
  readonly rule: string;
  readonly total: string;
  readonly often: string;
  /** Of a rule's budget; above 1 it is refused. */
  readonly ruleShare: number;
  readonly schemaShare: number;
  readonly shareText: string;
  readonly causes: readonly string[];
  /** Where the rule is in the CRD. */
  readonly from: number;
  readonly to: number;
}

export interface CostPanel {
  readonly schemas: readonly {
    readonly title: string;
    readonly share: number;
    readonly shareText: string;
    readonly rules: readonly CostRow[];
  }[];
}

/** Texts to put into another mode. */
export interface Witness {
  readonly label: string;
  readonly mode: "create" | "policy" | "update";
  /** Strict clients are refused when data is dropped; others get a warning, and the data is lost. */
  readonly fieldValidation: "strict" | "warn";
  readonly texts: Readonly<Partial<Record<Field, string>>>;
}

export interface UpgradeRow {
  readonly code: string;
  readonly severity: Severity;
  readonly verdict: string;
  readonly place: string;
  readonly message: string;
  readonly why: string;
  readonly hint: string;
  readonly blast: string | undefined;
  readonly writes: readonly { readonly write: string; readonly outcome: string }[];
  readonly errors: readonly string[];
  /** What happens to stored data, if it changes automatically. */
  readonly effect: readonly DiffLine[] | undefined;
  readonly witnesses: readonly Witness[];
  readonly witnessText: string | undefined;
  readonly from: number;
  readonly to: number;
}

export interface UpgradePanel {
  readonly questions: readonly { readonly id: string; readonly text: string; readonly verdict: string }[];
  readonly rows: readonly UpgradeRow[];
  /** How many changes were proved safe or without effect; they are not listed. */
  readonly hidden: number;
  readonly rollout: readonly { readonly title: string; readonly items: readonly string[] }[];
}

export interface TraceLine {
  readonly depth: number;
  readonly kind: "policy" | "binding" | "step" | "bad";
  readonly text: string;
  readonly value: string | undefined;
  readonly cost: string | undefined;
}

export interface PolicyPanel {
  readonly lines: readonly TraceLine[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  readonly notes: readonly string[];
}

/** One answer of a proof. */
export interface ProofRow {
  readonly title: string;
  readonly answer: string;
  readonly tone: "bad" | "good" | "open";
  /** The request, the premises or the reason. */
  readonly lines: readonly string[];
  readonly witness: Witness | undefined;
}

export interface ProofPanel {
  readonly directions: readonly ProofRow[];
  /** By validation. */
  readonly facts: readonly { readonly validation: string; readonly rows: readonly ProofRow[] }[];
}

export interface CelPanel {
  /** Set if it is too long for the headline. */
  readonly value: string | undefined;
  readonly cost: string;
  /** The explanation: the parts of the expression with their values; nested parts are deeper. */
  readonly parts: readonly CelPartRow[];
}

export interface CelPartRow {
  readonly depth: number;
  readonly text: string;
  readonly value: string;
  readonly isError: boolean;
  readonly isNeeded: boolean;
}

export interface Outcome {
  readonly verdict: Verdict;
  readonly problems: readonly Problem[];
  /** Problems, and places inside expressions, by text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly pipeline: readonly Stage[] | undefined;
  readonly ratcheting: RatchetingPanel | undefined;
  readonly upgrade: UpgradePanel | undefined;
  readonly policy: PolicyPanel | undefined;
  readonly proof: ProofPanel | undefined;
  readonly cel: CelPanel | undefined;
}

/** The place in the schema for each problem, in order: this needs the positions of the whole CRD. */
export type SchemaPlaces = readonly (TextPlace | undefined)[];

/** What takes longer and follows the verdict. */
export interface Details {
  readonly cost: CostPanel | undefined;
}
