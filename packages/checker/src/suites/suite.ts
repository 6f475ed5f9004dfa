/** A test suite in any format. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { RequestParts } from "../policy/request.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Matcher } from "./matcher.ts";

export interface Suite {
  readonly file: string;
  readonly name: string;
  readonly cases: readonly SuiteCase[];
  /** The suite, or a part of it, is marked as skipped. */
  readonly skipped?: number;
  /** Written for another tool: it may hold policies that the API server would refuse but that tool runs. */
  readonly isThirdParty?: boolean;
}

/** A suite and the document it was read from. */
export interface PlacedSuite extends Suite {
  readonly document: ManifestDocument;
}

export interface SuiteCase {
  readonly name: string;
  /** Its path in the suite, such as `tests[0]`. */
  readonly path: string;
  /** Policies, bindings and everything they may read. Cases that share the list share what is compiled from it. */
  readonly objects: readonly JsonObject[];
  /** The tool it was written for ignores match rules: a policy that does not match is applied, with a note. */
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
  /** Counts only failures with a matching message. */
  readonly message?: Matcher | undefined;
}

/** Absent fields are not checked. */
export interface Expectation {
  readonly outcome?: ExpectedOutcome | undefined;
  /** Whether any policy was applied. */
  readonly applied?: boolean | undefined;
  /** How many validations failed, whatever the action. */
  readonly violations?: readonly ViolationCount[] | undefined;
  /** The refusal, or a warning. */
  readonly message?: Matcher | undefined;
  readonly reason?: string | undefined;
  readonly code?: number | undefined;
  /** Each must be among the warnings. */
  readonly warnings?: readonly Matcher[] | undefined;
  /** By key; undefined if there must be none. */
  readonly auditAnnotations?: ReadonlyMap<string, Matcher | undefined> | undefined;
}
