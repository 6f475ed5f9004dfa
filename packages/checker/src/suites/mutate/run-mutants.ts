/** Runs the cases of a suite with mutants in place of policies and CRDs: a mutant that no case notices is a gap. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../../input/usage-error.ts";
import type { SuiteContext } from "../subjects/context.ts";
import { refusedCrds } from "../subjects/writes.ts";
import type { PlacedSuite, SuiteCase } from "../suite.ts";
import { isPassed } from "../suite-run.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { type Search, searchDifference } from "./search.ts";
import { searchRule } from "./search-crd.ts";

export interface Survivor {
  readonly file: string;
  readonly mutant: Mutant;
  /** A case that would notice it, or why none was found. */
  readonly found: Search;
}

export interface MutationResult {
  /** Mutants that the API server would accept and that decide otherwise. */
  readonly total: number;
  readonly noticed: number;
  /** Proved to decide as the original. */
  readonly equivalent: number;
  readonly survivors: readonly Survivor[];
}

export interface MutationOptions {
  readonly context: SuiteContext;
  /** Seconds to search for a case that notices a mutant. */
  readonly seconds: number;
  readonly now: () => number;
}

const NONE: MutationResult = { total: 0, noticed: 0, equivalent: 0, survivors: [] };

export async function mutateSuite(suite: PlacedSuite, options: MutationOptions): Promise<MutationResult> {
  const usable = await passingCases(suite, options.context);
  let result = NONE;
  for (const object of subjectsOf(usable)) {
    const cases = usable.filter((each) => objectsOf(each).includes(object));
    for (const mutant of mutantsOf(object)) {
      result = joined(result, await tryMutant(mutant, cases, suite, options));
    }
  }
  return result;
}

export function joined(left: MutationResult, right: MutationResult): MutationResult {
  return {
    total: left.total + right.total,
    noticed: left.noticed + right.noticed,
    equivalent: left.equivalent + right.equivalent,
    survivors: [...left.survivors, ...right.survivors],
  };
}

export const NO_MUTANTS = NONE;

async function tryMutant(
  mutant: Mutant,
  cases: readonly SuiteCase[],
  suite: PlacedSuite,
  options: MutationOptions,
): Promise<MutationResult> {
  const { context } = options;
  const swap = swapOf(mutant);
  const [first] = cases;
  if (first === undefined || !(await isAccepted(mutant, swap(objectsOf(first)), context))) return NONE;
  if (await isNoticed(cases, suite, swap, context)) return { ...NONE, total: 1, noticed: 1 };
  const objects = objectsOf(first);
  const search = isCrd(mutant.original) ? searchRule : searchDifference;
  const found = await search(objects, swap(objects), mutant, options);
  if (found.type === "equivalent") return { ...NONE, equivalent: 1 };
  return { ...NONE, total: 1, survivors: [{ file: suite.file, mutant, found }] };
}

/** Puts the mutant in the place of the original. Cases that share a list of objects still do. */
function swapOf({ original, mutated }: Mutant): Swap {
  const swapped = new Map<readonly JsonObject[], readonly JsonObject[]>();
  return (objects) => {
    const known = swapped.get(objects) ?? objects.map((each) => (each === original ? mutated : each));
    swapped.set(objects, known);
    return known;
  };
}

type Swap = (objects: readonly JsonObject[]) => readonly JsonObject[];

async function isNoticed(
  cases: readonly SuiteCase[],
  suite: PlacedSuite,
  swap: Swap,
  context: SuiteContext,
): Promise<boolean> {
  for (const each of cases) if (!(await passes(withObjects(each, swap(objectsOf(each))), suite, context))) return true;
  return false;
}

/** The cases that pass. A case that fails anyway cannot notice a mutant. */
export async function passingCases(suite: PlacedSuite, context: SuiteContext): Promise<readonly SuiteCase[]> {
  const passing: SuiteCase[] = [];
  for (const each of suite.cases) if (await passes(each, suite, context)) passing.push(each);
  return passing;
}

/** Whether a case that uses the original fails with the mutant. */
export function noticesMutant(
  mutant: Mutant,
  suite: PlacedSuite,
  passing: readonly SuiteCase[],
  context: SuiteContext,
): Promise<boolean> {
  const using = passing.filter((each) => objectsOf(each).includes(mutant.original));
  return isNoticed(using, suite, swapOf(mutant), context);
}

/** A mutant that does not compile is not counted. */
async function isAccepted(
  { mutated }: Mutant,
  objects: readonly JsonObject[],
  context: SuiteContext,
): Promise<boolean> {
  if (isCrd(mutated)) return (await refusedCrds(objects, context)).length === 0;
  return (await context.cluster(objects)).refused.length === 0;
}

async function passes(each: SuiteCase, suite: PlacedSuite, context: SuiteContext): Promise<boolean> {
  try {
    return await isPassed(each, suite, context);
  } catch (thrown) {
    if (thrown instanceof UsageError) return false;
    throw thrown;
  }
}

export function isCrd({ kind }: JsonObject): boolean {
  return kind === "CustomResourceDefinition";
}

/** What a case is evaluated with. */
export function objectsOf({ subject }: SuiteCase): readonly JsonObject[] {
  return subject.type === "request" || subject.type === "writes" ? subject.objects : [];
}

function withObjects(each: SuiteCase, objects: readonly JsonObject[]): SuiteCase {
  const { subject } = each;
  return subject.type === "request" || subject.type === "writes" ? { ...each, subject: { ...subject, objects } } : each;
}

/** Each object once, in the order of the cases. */
function subjectsOf(cases: readonly SuiteCase[]): ReadonlySet<JsonObject> {
  return new Set(cases.flatMap(objectsOf));
}
