/**
 * Compares two sets of policies: which requests only the new one denies, and which only the old one did.
 *
 * A witness was evaluated by both. A proof holds for all requests, given its premises; an independent search attacks it
 * before it is reported.
 */
import type { ParamRef } from "../policy/binding.ts";
import type { PolicyContext } from "../policy/dispatch.ts";
import { findParamResource } from "../policy/params.ts";
import { PolicySet } from "../policy/policy-set.ts";
import { attack } from "./attack.ts";
import { costBound, type GivenParams, LARGEST_REQUEST } from "./cost/cost-bound.ts";
import { isCoveredAtSameCost } from "./covered.ts";
import {
  type Concretize,
  decide,
  denialQuestions,
  matchedScenarios,
  type Question,
  type Verdict,
} from "./difference.ts";
import { type PolicySide, sourcesOf } from "./model.ts";
import { differInMutations } from "./mutations.ts";
import type { ProofKind } from "./sorts/kinds.ts";
import { limitedBy, OutOfBudget, type QuestionBudget } from "./theory/time.ts";
import { type Replay, verdictOf, type Witness, witnessesOf } from "./witness.ts";

export interface ComparedSide extends PolicySide {
  readonly context: PolicyContext;
}

export interface Comparison {
  readonly newlyDenied: Verdict<Witness>;
  readonly newlyAllowed: Verdict<Witness>;
}

export interface CompareOptions {
  readonly kinds: readonly ProofKind[];
  readonly replay: Replay;
  /** Starts the budget of a question, such as a direction. */
  readonly budget: () => QuestionBudget;
  /** The size of objects up to which no expression reaches a cost limit. */
  readonly upTo?: number | undefined;
}

export function comparePolicies(old: ComparedSide, next: ComparedSide, options: CompareOptions): Comparison {
  return {
    newlyDenied: decideDirection(next, old, options),
    newlyAllowed: decideDirection(old, next, options),
  };
}

/** Whether some request is denied by the first and not by the second. */
export function decideDirection(denying: ComparedSide, other: ComparedSide, given: CompareOptions): Verdict<Witness> {
  const verdict = decideForSameObjects(denying, other, given);
  return verdict.verdict === "none" && areMutatedDifferently(denying, other, given) ? OTHER_OBJECTS : verdict;
}

const OTHER_OBJECTS: Verdict<Witness> = {
  verdict: "unknown",
  why: "mutating policies differ, and what they change is not modelled",
};

function areMutatedDifferently(denying: ComparedSide, other: ComparedSide, { kinds }: CompareOptions): boolean {
  const scenarios = sourcesOf(denying).flatMap((source) => matchedScenarios(source, denying, kinds, [other]));
  return differInMutations(denying.mutations, other.mutations, scenarios, denying.equivalents);
}

/** As if mutating policies changed nothing. */
function decideForSameObjects(denying: ComparedSide, other: ComparedSide, given: CompareOptions): Verdict<Witness> {
  const budget = given.budget();
  const options = { ...given, budget: () => budget };
  const questions = denialQuestions(denying, other, options.kinds);
  const shows = (witness: Witness): boolean =>
    !verdictOf(denying.policies, denying.context, witness).allowed &&
    verdictOf(other.policies, other.context, witness).allowed;
  const [own, others] = [denying.policies, other.policies];
  if (isAllCovered(denying, other)) return decideAndAttack(questions, shows, options);
  const bound = costBound(own, others, givenParams(denying));
  const upTo = Math.min(bound, costBound(others, own, givenParams(other)));
  // The cost of the other side does not matter if this one never denies.
  const isSilent = upTo < bound && neverDenies(denying, options);
  return decideAndAttack(questions, shows, { ...options, upTo: isSilent ? bound : upTo });
}

const FEW_WAYS = 200;
const FEW = 0.2;

/** False if it takes long to find out. */
function neverDenies(side: ComparedSide, { kinds, budget }: CompareOptions): boolean {
  let left = FEW_WAYS;
  const spend = (): void => {
    if (left-- <= 0) throw new OutOfBudget("few ways");
  };
  const nothing = { ...side, environment: `${side.environment} without policies`, policies: new PolicySet([], []) };
  const questions = denialQuestions(side, nothing, kinds);
  const decided = limitedBy(budget().part(FEW), () => decide(questions, () => undefined, { spend }));
  return decided.verdict === "none";
}

/** Whether the other side denies everything that this one denies, whatever it costs. */
function isAllCovered(denying: PolicySide, other: PolicySide): boolean {
  const others = sourcesOf(other);
  return (
    denying.environment === other.environment &&
    sourcesOf(denying).every((source) => others.some((each) => isCoveredAtSameCost(source, each)))
  );
}

/** All objects that may be params of a policy, if no others exist. */
export function givenParams({ params, namespaces, unknownParams }: PolicySide): GivenParams {
  return ({ policy }) => {
    if (policy.paramKind === undefined || unknownParams?.(policy.paramKind, ANY_PARAM) !== undefined) return undefined;
    const { resource } = findParamResource(policy, params);
    return resource && ["", ...namespaces].flatMap((namespace) => resource.list(namespace));
  };
}

const ANY_PARAM: ParamRef = { name: "", namespace: "", selector: undefined, parameterNotFoundAction: "Allow" };

/** `shows` evaluates a request with the policies themselves. */
export function decideAndAttack(
  questions: readonly Question[],
  shows: (witness: Witness) => boolean,
  { replay, budget, upTo = LARGEST_REQUEST }: CompareOptions,
): Verdict<Witness> {
  const concretize: Concretize<Witness> = (state, { scenario }) => {
    for (const witness of witnessesOf(state, scenario, replay)) if (shows(witness)) return witness;
    return undefined;
  };
  const time = budget();
  const decided = limitedBy(time.part(PROOF), () => decide(questions, concretize, time.part(PATHS)));
  if (decided.verdict === "some") return decided;
  const attacked = limitedBy(time, () => attackInTime(questions, shows, replay));
  if (attacked?.verdict === "some") return attacked;
  return decided.verdict === "none" ? (attacked ?? withinCost(decided, upTo)) : decided;
}

/** The share of the time until all paths must be found. */
const PATHS = 0.7;
/** The share of the time for a proof; the rest is for the attack on it. */
const PROOF = 0.8;

/** Undefined if the attack found nothing. A proof that could not be attacked is not believed. */
function attackInTime(
  questions: readonly Question[],
  shows: (witness: Witness) => boolean,
  replay: Replay,
): Verdict<Witness> | undefined {
  try {
    const witness = attack(questions, shows, replay);
    return witness && { verdict: "some", witness };
  } catch (thrown) {
    if (!(thrown instanceof OutOfBudget)) throw thrown;
    return { verdict: "unknown", why: thrown.message };
  }
}

/** A proof for smaller objects than these is of little use. */
const LEAST = 4096;

/** A proof holds as long as no expression reaches a cost limit, which is an error. */
function withinCost(decided: Verdict<Witness>, upTo: number): Verdict<Witness> {
  if (decided.verdict !== "none" || upTo >= LARGEST_REQUEST) return decided;
  if (upTo < LEAST) return { verdict: "unknown", why: `objects of more than ${upTo} bytes may exceed a cost limit` };
  return { verdict: "none", relies: [...decided.relies, "cost" as const].sort(), upTo };
}
