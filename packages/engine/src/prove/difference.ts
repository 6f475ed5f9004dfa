/** Requests that one side denies and the other does not: an example, a proof that there are none, or neither. */

import { compiledPolicy } from "../policy/compile.ts";
import { isExempt } from "../policy/exempt.ts";
import { isCovered } from "./covered.ts";
import { sharedParts } from "./evaluate/abstraction.ts";
import { complete } from "./evaluate/complete.ts";
import { State } from "./evaluate/state.ts";
import { matchRule } from "./match-model.ts";
import { type DenialSource, ModelRun, type PolicySide, sourcesOf } from "./model.ts";
import { expressionsOf } from "./pool.ts";
import { readsNamespace } from "./reads-namespace.ts";
import { aliasesOf } from "./request-model.ts";
import { isNamespaceKind, type ProofKind, type Scenario, scenarioName, scenariosOf } from "./sorts/kinds.ts";
import type { Premise } from "./sorts/sort.ts";
import { allWays, INFEASIBLE } from "./theory/path-search.ts";
import { type Budget, OutOfBudget } from "./theory/time.ts";

export type Verdict<W> =
  | {
      readonly verdict: "none";
      readonly relies: readonly Premise[];
      /** The largest size of each object, in bytes, if the cost of expressions is only known to be small up to it. */
      readonly upTo?: number | undefined;
    }
  | { readonly verdict: "some"; readonly witness: W }
  | { readonly verdict: "unknown"; readonly why: string };

/** A property of a request, checked on one execution path. Throws Infeasible if the request does not have it. */
export interface Question {
  readonly scenario: Scenario;
  readonly name: string;
  readonly ask: (state: State, attempt: TryNow) => void;
  /** Parts of the expressions that need not be evaluated for some proofs. */
  readonly shared?: ReadonlySet<string> | undefined;
}

/** Called if an execution path is likely to have the property already: the remaining checks may take long. */
export type TryNow = () => void;

/** Unwinds to the search with an example. */
class Found<W> extends Error {
  readonly witness: W;
  constructor(witness: W) {
    super("found");
    this.witness = witness;
  }
}

const MAX_ATTEMPTS = 25;

/**
 * Creates a request from the assumptions of an execution path and tries it; undefined if it does not have the property.
 */
export type Concretize<W> = (state: State, question: Question) => W | undefined;

const MAX_OPEN = 60;

/** Whether any request has one of the properties. */
export function decide<W>(questions: readonly Question[], concretize: Concretize<W>, budget: Budget): Verdict<W> {
  const relies = new Set<Premise>();
  const open: string[] = [];
  try {
    for (const question of questions) {
      if (isProvedApart(question, budget, relies)) continue;
      const found: W | undefined = decideOne(question, { concretize, budget, relies, open });
      if (found !== undefined) return { verdict: "some", witness: found };
    }
  } catch (thrown) {
    if (!(thrown instanceof OutOfBudget)) throw thrown;
    return { verdict: "unknown", why: thrown.message };
  }
  const [first] = open;
  return first === undefined ? { verdict: "none", relies: [...relies].sort() } : { verdict: "unknown", why: first };
}

const MAX_APART = 300;

/** Whether the property is impossible whatever the shared parts evaluate to. */
function isProvedApart({ scenario, ask, shared }: Question, budget: Budget, relies: Set<Premise>): boolean {
  if (shared === undefined || shared.size === 0) return false;
  const aliases = aliasesOf(scenario);
  const own = new Set<Premise>();
  let left = MAX_APART;
  const limited: Budget = {
    spend: () => {
      budget.spend();
      if (left-- <= 0) throw new TooManyApart();
    },
  };
  const run = (choices: ConstructorParameters<typeof State>[0]): void => {
    const state = new State(choices, aliases, shared);
    try {
      ask(state, () => undefined);
      complete(state);
    } finally {
      for (const premise of state.relies) own.add(premise);
    }
  };
  try {
    if (!allWays(run, limited).next().done) return false;
  } catch (thrown) {
    if (thrown instanceof TooManyApart) return false;
    throw thrown;
  }
  for (const premise of own) relies.add(premise);
  return true;
}

class TooManyApart extends Error {}

interface Search<W> {
  readonly concretize: Concretize<W>;
  readonly budget: Budget;
  readonly relies: Set<Premise>;
  readonly open: string[];
}

function decideOne<W>(question: Question, { concretize, budget, relies, open }: Search<W>): W | undefined {
  const aliases = aliasesOf(question.scenario);
  let tried = 0;
  let attempt = 0;
  const run = (choices: ConstructorParameters<typeof State>[0]): State => {
    const state = new State(choices, aliases);
    const tryNow = (): void => {
      if (attempt++ >= MAX_ATTEMPTS) return;
      const witness = concretize(state, question);
      if (witness !== undefined) throw new Found(witness);
    };
    try {
      question.ask(state, tryNow);
      complete(state);
    } finally {
      for (const premise of state.relies) relies.add(premise);
    }
    return state;
  };
  /** Requests with terms that no theory covers take longest to find, so the others are tried first. */
  const hard: State[] = [];
  const attemptOne = (state: State): W | undefined => {
    if (tried++ >= MAX_OPEN) throw new OutOfBudget(`${question.name}: too many cases without an example`);
    const witness = concretize(state, question);
    if (witness === undefined) open.push(`${question.name}: neither an example nor a proof`);
    return witness;
  };
  try {
    for (const way of allWays(run, budget)) {
      if (way.kind === "unmodeled") {
        open.push(`${question.name}: ${way.reason} is not modelled`);
        continue;
      }
      if (hard.length >= MAX_HARD) throw new OutOfBudget(`${question.name}: too many cases without an example`);
      if (isHard(way.value) && tried >= TRIED_AT_ONCE) hard.push(way.value);
      else {
        const witness = attemptOne(way.value);
        if (witness !== undefined) return witness;
      }
    }
    return firstOf(hard, attemptOne);
  } catch (thrown) {
    if (thrown instanceof Found) return thrown.witness;
    if (!(thrown instanceof OutOfBudget)) throw thrown;
    const spread = hard.filter((_, at) => at % Math.ceil(hard.length / SPREAD) === 0);
    const witness = firstOf(spread, (state) => concretize(state, question));
    if (witness === undefined) throw thrown;
    return witness;
  }
}

const MAX_HARD = 2000;
const TRIED_AT_ONCE = 3;
const SPREAD = 15;

function isHard({ opaque, derived, derivedLists }: State): boolean {
  return opaque.length + derived.size + derivedLists.size > 0;
}

function firstOf<T, W>(items: readonly T[], attempt: (item: T) => W | undefined): W | undefined {
  for (const item of items) {
    const found = attempt(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One side denies, the other does not. */
export function denialQuestions(denying: PolicySide, other: PolicySide, kinds: readonly ProofKind[]): Question[] {
  const others = denying.environment === other.environment ? sourcesOf(other) : [];
  const sources = sourcesOf(denying).filter((source) => !others.some((each) => isCovered(source, each)));
  const otherParts = other.policies.hooks.flatMap(({ policy }) => expressionsOf(compiledPolicy(policy)));
  return sources.flatMap((source) => {
    const shared = sharedParts(expressionsOf(compiledPolicy(source.hook.policy)), otherParts);
    return matchedScenarios(source, denying, kinds, [other]).map((scenario) => ({
      scenario,
      name: scenarioName(scenario),
      shared,
      ask: (state: State, attempt: TryNow) => askDenial(state, { source, denying, other, scenario }, attempt),
    }));
  });
}

interface Denial {
  readonly source: DenialSource;
  readonly denying: PolicySide;
  readonly other: PolicySide;
  readonly scenario: Scenario;
}

function askDenial(state: State, { source, denying, other, scenario }: Denial, attempt: TryNow): void {
  if (!new ModelRun(state, denying, scenario).denies(source)) throw INFEASIBLE;
  const run = new ModelRun(state, other, scenario);
  const [counterpart, ...rest] = bySimilarity(sourcesOf(other), source);
  if (counterpart !== undefined && run.denies(counterpart)) throw INFEASIBLE;
  if (rest.length > 0) attempt();
  for (const each of rest) if (run.denies(each)) throw INFEASIBLE;
}

/** The counterpart first: if it denies too, nothing else needs to be checked. */
function bySimilarity(sources: readonly DenialSource[], to: DenialSource): DenialSource[] {
  const distance = (source: DenialSource): number => {
    const isTwin = expressionOf(source) === expressionOf(to) && source.kind === to.kind;
    if (isTwin) return 0;
    return source.kind === to.kind && source.index === to.index ? 1 : source.kind === to.kind ? 2 : 3;
  };
  return [...sources].sort((left, right) => distance(left) - distance(right));
}

function expressionOf({ hook, kind, index }: DenialSource): string | undefined {
  if (kind === "validation") return hook.policy.validations[index]?.expression;
  return kind === "annotation" ? hook.policy.auditAnnotations[index]?.valueExpression : "";
}

/** The forms of request that the rules of a policy and a binding may match. */
const scenarios = new WeakMap<ProofKind, Scenario[]>();

/** Returns the same objects each time, so that results can be cached for them. */
function knownScenarios(kind: ProofKind): Scenario[] {
  const made = scenarios.get(kind) ?? scenariosOf(kind);
  scenarios.set(kind, made);
  return made;
}

/** `others` are the sides that the same requests are put to. */
export function matchedScenarios(
  { hook, bound }: Pick<DenialSource, "bound" | "hook">,
  side: PolicySide,
  kinds: readonly ProofKind[],
  others: readonly PolicySide[] = [],
): Scenario[] {
  const isRead = [side, ...others].some(({ policies }) => readsNamespace(policies));
  const rules = hook.policy.matchConstraints?.resourceRules ?? [];
  const narrowed = bound.binding.matchResources;
  const policyOf = (match: typeof narrowed): string => match?.matchPolicy ?? "Equivalent";
  const isMatched = (scenario: Scenario): boolean =>
    rules.some(
      (rule) => matchRule(rule, policyOf(hook.policy.matchConstraints), scenario, side.equivalents) !== undefined,
    ) &&
    (narrowed === undefined ||
      narrowed.resourceRules.length === 0 ||
      narrowed.resourceRules.some(
        (rule) => matchRule(rule, policyOf(narrowed), scenario, side.equivalents) !== undefined,
      ));
  return kinds
    .filter((kind) => !isExempt(kind))
    .flatMap(knownScenarios)
    .filter((scenario) => (isRead || !scenario.isGenerated) && isMatched(scenario))
    .sort(byLikeability);
}

/** Plain creates are the simplest examples. */
function byLikeability(left: Scenario, right: Scenario): number {
  const rank = ({ operation, subresource, isCollection, isGenerated, kind }: Scenario): number =>
    ["CREATE", "UPDATE", "DELETE", "CONNECT"].indexOf(operation) +
    (subresource === "" ? 0 : 10) +
    (isCollection || isGenerated ? 5 : 0) +
    (isNamespaceKind(kind) ? 1 : 0);
  return rank(left) - rank(right);
}
