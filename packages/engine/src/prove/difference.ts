/** Requests that one side denies and the other does not: an example, a proof that there are none, or neither. */

import { isExempt } from "../policy/exempt.ts";
import { isCovered } from "./covered.ts";
import { complete } from "./evaluate/complete.ts";
import { State } from "./evaluate/state.ts";
import { matchRule } from "./match-model.ts";
import { type DenialSource, ModelRun, type PolicySide, sourcesOf } from "./model.ts";
import { readsNamespace } from "./reads-namespace.ts";
import { aliasesOf } from "./request-model.ts";
import { isNamespaceKind, type ProofKind, type Scenario, scenarioName, scenariosOf } from "./sorts/kinds.ts";
import type { Premise } from "./sorts/sort.ts";
import { allWays, type Budget, INFEASIBLE, OutOfBudget } from "./theory/path-search.ts";

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
  try {
    for (const way of allWays(run, budget)) {
      if (way.kind === "unmodeled") {
        open.push(`${question.name}: ${way.reason} is not modelled`);
        continue;
      }
      if (tried++ >= MAX_OPEN) throw new OutOfBudget(`${question.name}: too many cases without an example`);
      const witness = concretize(way.value, question);
      if (witness !== undefined) return witness;
      open.push(`${question.name}: neither an example nor a proof`);
    }
  } catch (thrown) {
    if (thrown instanceof Found) return thrown.witness;
    throw thrown;
  }
  return undefined;
}

/** One side denies, the other does not. */
export function denialQuestions(denying: PolicySide, other: PolicySide, kinds: readonly ProofKind[]): Question[] {
  const others = denying.environment === other.environment ? sourcesOf(other) : [];
  const sources = sourcesOf(denying).filter((source) => !others.some((each) => isCovered(source, each)));
  return sources.flatMap((source) =>
    matchedScenarios(source, denying, kinds, [other]).map((scenario) => ({
      scenario,
      name: scenarioName(scenario),
      ask: (state: State, attempt: TryNow) => askDenial(state, { source, denying, other, scenario }, attempt),
    })),
  );
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
