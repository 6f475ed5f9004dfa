/** A test suite, whichever dialect it was written in. */
import type { JsonObject } from "@portcullis/engine/value/json";
import type { RequestParts } from "../policy/request.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Matcher } from "./matcher.ts";

export interface Suite {
  readonly file: string;
  readonly name: string;
  readonly cases: readonly SuiteCase[];
  /** The suite says itself that it is not to be run, or that parts of it are not. */
  readonly skipped?: number;
  /** Another tool's: it may hold policies that the API server would refuse, which that tool runs all the same. */
  readonly isForeign?: boolean;
}

/** A suite and the document it was read from. */
export interface PlacedSuite extends Suite {
  readonly document: ManifestDocument;
}

export interface SuiteCase {
  readonly name: string;
  /** Where it stands in the suite, such as `tests[0]`. */
  readonly path: string;
  /** Policies, bindings and all they may ask for. Cases that share the list share what is made of it. */
  readonly objects: readonly JsonObject[];
  /** The tool it was written for looks at no rules of policies: one that is about something else is applied, with a note. */
  readonly ignoresRules?: boolean;
  readonly request: RequestParts;
  readonly expect: Expectation;
}

export const OUTCOMES = ["allow", "deny", "warn", "skip", "error"] as const;
/** `skip`: no policy was applied; `error`: an expression or a configuration failed. */
export type ExpectedOutcome = (typeof OUTCOMES)[number];

export interface ViolationCount {
  readonly min: number;
  readonly max: number;
  /** Of those whose message this matches. */
  readonly message?: Matcher | undefined;
}

/** What is absent is not looked at. */
export interface Expectation {
  readonly outcome?: ExpectedOutcome | undefined;
  /** Whether some policy was applied at all. */
  readonly applied?: boolean | undefined;
  /** How many validations failed, whatever became of it. */
  readonly violations?: readonly ViolationCount[] | undefined;
  /** The refusal, or a warning. */
  readonly message?: Matcher | undefined;
  readonly reason?: string | undefined;
  readonly code?: number | undefined;
  /** Each must be among the warnings. */
  readonly warnings?: readonly Matcher[] | undefined;
  /** By key; undefined where there must be none. */
  readonly auditAnnotations?: ReadonlyMap<string, Matcher | undefined> | undefined;
}
