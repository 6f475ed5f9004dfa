/** Searches for writes on which two versions of a CRD disagree, with the search behind `crd diff`, and writes them as cases. */
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import { compareDefinitions } from "@portcullis/engine/internal/upgrade/questions";
import type { Witness } from "@portcullis/engine/internal/upgrade/witness/witness-check";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { containing } from "../matcher.ts";
import { withoutServerFields } from "../stored.ts";
import { runWrites } from "../subjects/writes.ts";
import type { WriteAction, WriteStep } from "../suite.ts";
import type { Mutant } from "./mutants.ts";
import type { Search, SearchOptions } from "./search.ts";

/** A case that the original passes and a CRD with one edited rule does not. */
export async function searchRule(
  original: readonly JsonObject[],
  mutated: readonly JsonObject[],
  mutant: Mutant,
  options: SearchOptions,
): Promise<Search> {
  const left = await searchWrite(original, mutated, { mutant, wanted: "allow" }, options);
  if (left.type === "case") return left;
  const right = await searchWrite(original, mutated, { mutant, wanted: "deny" }, options);
  return right.type === "case" || left.type === "equivalent" ? right : left;
}

interface Question {
  readonly mutant: Mutant;
  /** What the original decides: the mutant decides the opposite. */
  readonly wanted: "allow" | "deny";
  /** Part of the name of the case: what the rule does. */
  readonly what?: string;
}

/** A write that the original decides as wanted, and the mutant does not. */
export async function searchWrite(
  original: readonly JsonObject[],
  mutated: readonly JsonObject[],
  { mutant, wanted, what }: Question,
  { context, seconds, now }: SearchOptions,
): Promise<Search> {
  const until = now() + seconds * 1000;
  const [crd, edited] = [decodeDefinition(mutant.original).value, decodeDefinition(mutant.mutated).value];
  const [accepting, refusing] = wanted === "allow" ? [crd, edited] : [edited, crd];
  const options = { ...context.engine, writersOnly: true, isOver: () => now() > until };
  const { findings } = compareDefinitions(accepting, refusing, options);
  for (const { witness } of findings) {
    if (witness === undefined || witness.isQuirk) continue;
    for (const steps of writesOf(witness, wanted, mutant.message)) {
      const passes = async (objects: readonly JsonObject[]): Promise<boolean> =>
        (await runWrites({ type: "writes", objects, steps }, context)).length === 0;
      const isNoticed = (await passes(original)) && !(await passes(mutated));
      if (isNoticed) return { type: "case", test: caseOf(titleOf(mutant, what), steps) };
    }
  }
  return unsettled(findings);
}

function titleOf({ name, path }: Mutant, what: string | undefined): string {
  return what === undefined ? `${name} ${path}` : `${name} ${path} ${what}`;
}

/** The writes that may show a witness: an update, or else a create or a write of the status. */
function writesOf({ object, before, errors, path }: Witness, wanted: "allow" | "deny", message: string | undefined) {
  const shown = withoutServerFields(object, object);
  const [error = ""] = errors;
  const text = message !== undefined && error.includes(message) ? message : error;
  const expect = wanted === "allow" ? { outcome: wanted } : { outcome: wanted, messages: [containing(text)] };
  const written = (action: WriteAction): WriteStep => ({ ...STEP, action, expect });
  const stored = (live: JsonObject): WriteStep => ({
    ...STEP,
    action: { type: "live", object: withoutServerFields(live, live) },
    expect: { outcome: "allow" },
  });
  const verb = path[0] === "status" ? "status" : "update";
  if (before !== undefined) return [[stored(before), written({ type: verb, object: shown })]];
  return [
    [written({ type: "create", object: shown })],
    [stored(withoutStatus(object)), written({ type: "status", object: shown })],
  ];
}

const STEP = { path: "", request: {}, fieldValidation: "Warn" } as const;

function withoutStatus({ status: _status, ...rest }: JsonObject): JsonObject {
  return Object.assign(newObject(), rest);
}

/** No case was found: is there none, or is it not known? */
function unsettled(findings: readonly UpgradeFinding[]): Search {
  const open = findings.find(({ verdict }) => verdict === "unknown");
  if (open !== undefined) return { type: "none", why: open.why };
  const shown = findings.find(({ verdict, level }) => verdict === "unsafe" && level === "error");
  if (shown !== undefined) return { type: "none", why: `only a stored object shows it: ${shown.message}` };
  return { type: "equivalent" };
}

/** The steps as a case of our format. */
function caseOf(name: string, steps: readonly WriteStep[]): JsonObject {
  const test = newObject();
  test["name"] = name;
  const [only, second] = steps;
  if (only !== undefined && second === undefined) return Object.assign(test, stepOf(only));
  const [live, write] = steps;
  if (live?.action.type === "live" && write?.action.type === "update") {
    test["live"] = live.action.object;
    return Object.assign(test, stepOf(write));
  }
  test["steps"] = steps.map(stepOf);
  return test;
}

function stepOf({ action, expect }: WriteStep): JsonObject {
  const step = newObject();
  if ("object" in action) step[action.type] = action.object;
  if (action.type === "live") return step;
  if (expect.outcome !== undefined) step["expect"] = expect.outcome;
  const [message] = expect.messages ?? [];
  if (message !== undefined) step["message"] = Object.assign(newObject(), { contains: message.text });
  return step;
}
