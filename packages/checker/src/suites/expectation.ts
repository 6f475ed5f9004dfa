/** What a test expects, what was observed, and how they differ. */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { applyJsonPatch, readOperations } from "@portcullis/engine/internal/patch/json-patch";
import { applyMergePatch } from "@portcullis/engine/internal/patch/merge-patch";
import { looseEqual } from "@portcullis/engine/internal/value/equal";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { Matcher } from "./matcher.ts";
import { differenceOf, missingFrom, withoutServerFields } from "./stored.ts";

export const OUTCOMES = ["allow", "deny", "warn", "skip", "error", "match"] as const;
/**
 * `skip`: nothing was applied; `error`: an expression or a configuration failed; `match`: a selector matches, or a
 * webhook is asked.
 */
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
  /** Each must match the refusal, or a warning. */
  readonly messages?: readonly Matcher[] | undefined;
  readonly reason?: string | undefined;
  readonly code?: number | undefined;
  /** Each must be among the warnings; an empty list stands for none. */
  readonly warnings?: readonly Matcher[] | undefined;
  /** By key; undefined if there must be none. */
  readonly auditAnnotations?: ReadonlyMap<string, Matcher | undefined> | undefined;
  /** Fields of the stored object; null if a field must be absent. */
  readonly stored?: JsonObject | undefined;
  /** The whole stored object, but for what only the server sets. */
  readonly storedExactly?: JsonObject | undefined;
  /** A merge patch, or a JSON patch, that leads from the object of the request to the one that policies make of it. */
  readonly patch?: JsonValue | undefined;
  /** The exact cost, or the largest that is accepted. */
  readonly cost?: number | { readonly max: number } | undefined;
  /** The value of an expression. */
  readonly value?: JsonValue | undefined;
  /** Fields of the authenticated user. */
  readonly user?: JsonObject | undefined;
  /** By name of the webhook: `asked`, `not asked` or `error`. */
  readonly webhooks?: ReadonlyMap<string, string> | undefined;
}

export interface Observation {
  /** All that apply: a denied request may also be an error. */
  readonly outcomes: readonly ExpectedOutcome[];
  /** Said with the first outcome where another was expected. */
  readonly why: string;
  /** Undefined if a policy was applied; otherwise why none was. */
  readonly notApplied?: string | undefined;
  /** The refusal and the warnings; behind the API server's prefixes too. */
  readonly texts: readonly string[];
  readonly matchesText?: (text: string, wanted: Matcher) => boolean;
  readonly violations?: (message: Matcher | undefined) => number;
  readonly warnings: readonly string[];
  readonly reason?: string | undefined;
  readonly code?: number | undefined;
  readonly auditAnnotations?: ReadonlyMap<string, string>;
  readonly stored?: JsonObject | undefined;
  /** The object before policies changed it. */
  readonly before?: JsonObject | undefined;
  readonly cost?: number | undefined;
  readonly value?: JsonValue | undefined;
  readonly user?: JsonObject | undefined;
  readonly webhooks?: ReadonlyMap<string, string>;
}

/** One line per difference. */
export function compare(expect: Expectation, seen: Observation): string[] {
  return [
    ...outcomeProblems(expect, seen),
    ...violationProblems(expect, seen),
    ...textProblems(expect, seen),
    ...objectProblems(expect, seen),
    ...otherProblems(expect, seen),
  ];
}

const differ = (what: string, wanted: unknown, found: unknown): string => `expected ${what} ${wanted}, got ${found}`;

function outcomeProblems({ outcome, applied }: Expectation, seen: Observation): string[] {
  const problems: string[] = [];
  if (outcome !== undefined && !seen.outcomes.includes(outcome)) {
    problems.push(differ("outcome", outcome, [seen.outcomes[0], ...(seen.why === "" ? [] : [seen.why])].join(": ")));
  }
  if (applied !== undefined && applied !== (seen.notApplied === undefined)) {
    problems.push(seen.notApplied ?? "a policy was applied");
  }
  return problems;
}

function violationProblems({ violations = [] }: Expectation, seen: Observation): string[] {
  return violations.flatMap((wanted) => {
    const count = seen.violations?.(wanted.message) ?? 0;
    if (count >= wanted.min && count <= wanted.max) return [];
    const which = wanted.message === undefined ? "violations" : `violations with message ${wanted.message.text}`;
    return [`expected ${rangeText(wanted)} ${which}, got ${[count, ...seen.texts.slice(0, 1)].join(": ")}`];
  });
}

function rangeText({ min, max }: ViolationCount): string {
  if (min === max) return String(min);
  return max === Infinity ? `at least ${min}` : `${min} to ${max}`;
}

function textProblems(expect: Expectation, seen: Observation): string[] {
  const { texts, warnings, matchesText = (text, wanted) => wanted.matches(text) } = seen;
  const problems = (expect.messages ?? []).flatMap((wanted) =>
    texts.some((text) => matchesText(text, wanted))
      ? []
      : [differ("message", wanted.text, texts.join(" | ") || "none")],
  );
  for (const wanted of expect.warnings ?? []) {
    if (!warnings.some((text) => matchesText(text, wanted)))
      problems.push(differ("warning", wanted.text, warnings.join(" | ") || "none"));
  }
  if (expect.warnings?.length === 0 && warnings.length > 0)
    problems.push(differ("warnings", "none", warnings.join(" | ")));
  const { reason, code } = expect;
  if (reason !== undefined && seen.reason !== reason) problems.push(differ("reason", reason, seen.reason ?? "none"));
  if (code !== undefined && seen.code !== code) problems.push(differ("code", code, seen.code ?? "none"));
  for (const [key, wanted] of expect.auditAnnotations ?? []) {
    const value = seen.auditAnnotations?.get(key);
    const isRight = wanted === undefined ? value === undefined : value !== undefined && wanted.matches(value);
    if (!isRight) problems.push(differ(`audit annotation ${key}`, wanted?.text ?? "none", value ?? "none"));
  }
  return problems;
}

function objectProblems({ stored, storedExactly, patch }: Expectation, seen: Observation): string[] {
  const problems: string[] = [];
  if (stored !== undefined) {
    if (seen.stored === undefined) problems.push("expected a stored object, got none");
    else problems.push(...missingFrom(stored, seen.stored, "stored"));
  }
  if (storedExactly !== undefined) {
    if (seen.stored === undefined) problems.push("expected a stored object, got none");
    else {
      const [wanted, found] = [storedExactly, seen.stored].map((each) => withoutServerFields(each, storedExactly));
      if (wanted !== undefined && found !== undefined) problems.push(...differenceOf(wanted, found, "stored"));
    }
  }
  if (patch !== undefined) problems.push(...patchProblems(patch, seen));
  return problems;
}

function patchProblems(patch: JsonValue, { before, stored }: Observation): string[] {
  if (before === undefined || stored === undefined) return ["expected a patched object, got none"];
  const wanted = applyPatch(before, patch);
  if (typeof wanted === "string") return [`patch: ${wanted}`];
  return differenceOf(withoutServerFields(wanted, wanted), withoutServerFields(stored, wanted), "patched");
}

/** A string says why the patch cannot be applied. */
export function applyPatch(object: JsonObject, patch: JsonValue): JsonObject | string {
  const text = canonicalJson(object);
  try {
    const patched = isArray(patch)
      ? applyJsonPatch(text, readOperations(canonicalJson(patch)))
      : applyMergePatch(text, canonicalJson(patch));
    const made = patched === undefined ? undefined : decodeJson(patched);
    return made?.error === undefined && isObject(made?.value) ? made.value : "the result is not an object";
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
}

function otherProblems(expect: Expectation, seen: Observation): string[] {
  const problems: string[] = [];
  const { cost, value, user } = expect;
  if (typeof cost === "number" && seen.cost !== cost) problems.push(differ("cost", cost, seen.cost ?? "none"));
  if (typeof cost === "object" && (seen.cost ?? 0) > cost.max)
    problems.push(differ("cost", `at most ${cost.max}`, seen.cost));
  if (value !== undefined && (seen.value === undefined || !looseEqual(value, seen.value))) {
    const found = seen.value === undefined ? seen.why || "none" : canonicalJson(seen.value);
    problems.push(differ("value", canonicalJson(value), found));
  }
  if (user !== undefined) {
    if (seen.user === undefined) problems.push(differ("user", canonicalJson(user), "none"));
    else problems.push(...missingFrom(user, seen.user, "user"));
  }
  for (const [name, wanted] of expect.webhooks ?? []) {
    const found = seen.webhooks?.get(name) ?? "no such webhook";
    if (found !== wanted) problems.push(differ(`webhook ${name}`, wanted, found));
  }
  return problems;
}
