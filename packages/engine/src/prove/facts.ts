/** Facts about a single validation: whether it never denies, always denies, may fail, or follows from another. */

import type { PolicyVerdict } from "../policy/dispatch.ts";
import type { Decision } from "../policy/evaluate.ts";
import type { BoundBinding, PolicyHook } from "../policy/policy-set.ts";
import { type ComparedSide, type CompareOptions, decideAndAttack, givenParams } from "./compare-policies.ts";
import { costBound } from "./cost/cost-bound.ts";
import { matchedScenarios, type Question, type Verdict } from "./difference.ts";
import type { State } from "./evaluate/state.ts";
import { type DenialSource, ModelRun } from "./model.ts";
import { type Scenario, scenarioName } from "./sorts/kinds.ts";
import type { Premise } from "./sorts/sort.ts";
import { INFEASIBLE } from "./theory/path-search.ts";
import { verdictOf, type Witness } from "./witness.ts";

export interface Fact {
  readonly verdict: "false" | "true" | "unknown";
  /** A request that shows it. */
  readonly witness?: Witness | undefined;
  readonly why?: string | undefined;
  /** The premises of a proof. */
  readonly relies?: readonly Premise[] | undefined;
  /** The largest size of each object, in bytes, up to which no expression certainly reaches a cost limit. */
  readonly upTo?: number | undefined;
}

export interface ImpliedBy extends Fact {
  /** The validation it follows from. */
  readonly by?: number | undefined;
}

export interface ValidationFacts {
  readonly policy: string;
  readonly validation: number;
  readonly expression: string;
  readonly neverDenies: Fact;
  readonly alwaysDenies: Fact;
  readonly mayFailAtRuntime: Fact;
  readonly impliedBy: ImpliedBy;
}

export function validationFacts(side: ComparedSide, options: CompareOptions): ValidationFacts[] {
  return side.policies.hooks.flatMap((hook) =>
    hook.policy.validations.map(({ expression }, validation) => {
      const about = { hook, validation, side, options };
      return {
        policy: hook.policy.name,
        validation,
        expression,
        neverDenies: isNever(denies(about)),
        alwaysDenies: isNever(passes(about)),
        mayFailAtRuntime: isSome(fails(about)),
        impliedBy: impliedBy(about),
      };
    }),
  );
}

/** One validation of a policy. */
export interface About {
  readonly hook: PolicyHook;
  readonly validation: number;
  readonly side: ComparedSide;
  readonly options: CompareOptions;
}

/** A fact that holds if there is no such request. */
function isNever(verdict: Verdict<Witness>): Fact {
  if (verdict.verdict === "none") return { verdict: "true", relies: verdict.relies, upTo: verdict.upTo };
  return verdict.verdict === "some"
    ? { verdict: "false", witness: verdict.witness }
    : { verdict: "unknown", why: verdict.why };
}

function isSome(verdict: Verdict<Witness>): Fact {
  if (verdict.verdict === "none") return { verdict: "false", relies: verdict.relies, upTo: verdict.upTo };
  return verdict.verdict === "some"
    ? { verdict: "true", witness: verdict.witness }
    : { verdict: "unknown", why: verdict.why };
}

/** The same fact, said the other way round. */
export function oppositeOf(fact: Fact): Fact {
  if (fact.verdict === "unknown") return fact;
  return { ...fact, verdict: fact.verdict === "true" ? "false" : "true" };
}

/** Whether a validation denies, by the actions of the binding and the failure policy. */
function deniesIn(about: About, bound: BoundBinding, verdict: PolicyVerdict): boolean {
  const hasDeny = bound.binding.validationActions.includes("Deny");
  return hasDeny && decisionsOf(about, bound, verdict).some(({ action }) => action === "deny");
}

/** `of` limits the forms of request. */
export function denies(about: About, of?: Ask["of"]): Verdict<Witness> {
  return decideFor(about, {
    of,
    ask: (run, source) => run.denies(source),
    shows: (bound, verdict) => deniesIn(about, bound, verdict),
  });
}

/** `of` limits the forms of request. */
export function passes(about: About, of?: Ask["of"]): Verdict<Witness> {
  return decideFor(about, {
    of,
    ask: (run, source) => run.outcomes(source.hook, source.bound, source.index).length > 0 && !run.denies(source),
    shows: (bound, verdict) => decisionsOf(about, bound, verdict).length > 0 && !deniesIn(about, bound, verdict),
  });
}

function fails(about: About): Verdict<Witness> {
  return decideFor(about, {
    ask: (run, source) => run.outcomes(source.hook, source.bound, source.index).includes("E"),
    shows: (bound, verdict) => decisionsOf(about, bound, verdict).some(({ evaluation }) => evaluation === "error"),
  });
}

function impliedBy(asked: About): ImpliedBy {
  const budget = asked.options.budget();
  const about = { ...asked, options: { ...asked.options, budget: () => budget } };
  const others = about.hook.policy.validations.map((_, index) => index).filter((index) => index !== about.validation);
  let unknown: Fact | undefined;
  let witness: Witness | undefined;
  for (const by of others) {
    const verdict = deniesAlone(about, by);
    if (verdict.verdict === "none") return { verdict: "true", by, relies: verdict.relies, upTo: verdict.upTo };
    if (verdict.verdict === "some") witness ??= verdict.witness;
    else unknown = { verdict: "unknown", why: verdict.why };
  }
  if (unknown !== undefined) return unknown;
  return witness === undefined
    ? { verdict: "false", why: "there is no other validation" }
    : { verdict: "false", witness };
}

/** A request that this validation denies and the other does not. */
function deniesAlone(about: About, by: number): Verdict<Witness> {
  const other = { ...about, validation: by };
  return decideFor(about, {
    ask: (run, source) => run.denies(source) && !run.denies({ ...source, index: by }),
    shows: (bound, verdict) => deniesIn(about, bound, verdict) && !deniesIn(other, bound, verdict),
  });
}

export interface Ask {
  /** The forms of request that are asked about; all if undefined. */
  readonly of?: ((scenario: Scenario) => boolean) | undefined;
  /** For an unknown request. */
  readonly ask: (run: ModelRun, source: DenialSource) => boolean;
  /** For a request that the policies evaluated. */
  readonly shows: (bound: BoundBinding, verdict: PolicyVerdict, witness: Witness) => boolean;
}

export function decideFor(
  { hook, validation, side, options }: About,
  { of = () => true, ask, shows }: Ask,
): Verdict<Witness> {
  const questions = hook.bindings.flatMap((bound): Question[] => {
    const source: DenialSource = { hook, bound, kind: "validation", index: validation };
    const scenarios = matchedScenarios(source, side, options.kinds).filter(of);
    return scenarios.map((scenario) => ({
      scenario,
      name: scenarioName(scenario),
      ask: (state: State) => {
        if (!ask(new ModelRun(state, side, scenario), source)) throw INFEASIBLE;
      },
    }));
  });
  const isShown = (witness: Witness): boolean => {
    const verdict = verdictOf(side.policies, side.context, witness);
    return hook.bindings.some((bound) => shows(bound, verdict, witness));
  };
  return decideAndAttack(questions, isShown, {
    ...options,
    upTo: costBound(side.policies, undefined, givenParams(side)),
  });
}

/** The decisions of one validation, one for each param; none if the policy was not evaluated. */
export function decisionsOf(
  { hook, validation }: About,
  { binding }: BoundBinding,
  { traces }: PolicyVerdict,
): Decision[] {
  const count = hook.policy.validations.length;
  return traces
    .filter(({ policy }) => policy === hook.policy.name)
    .flatMap(({ bindings }) => bindings.filter((each) => each.binding === binding.name))
    .flatMap(({ evaluations }) => evaluations)
    .filter(({ steps, decisions }) => steps.validations !== undefined && decisions.length === count)
    .flatMap(({ decisions }) => decisions[validation] ?? []);
}
