/**
 * Likely gaps in a policy. A request that a validation denies is changed into one with the same effect: in an init
 * container, by an update, as another kind. If the policies admit it, that is a gap.
 */
import { compiledPolicy } from "../../policy/compile.ts";
import type { PolicyHook } from "../../policy/policy-set.ts";
import type { ComparedSide, CompareOptions } from "../compare-policies.ts";
import { matchedScenarios } from "../difference.ts";
import { type About, decideFor, decisionsOf, denies } from "../facts.ts";
import { readsOf } from "../pool.ts";
import type { Scenario } from "../sorts/kinds.ts";
import { limitedBy, OutOfBudget } from "../theory/time.ts";
import { verdictOf, type Witness } from "../witness.ts";
import { gapAttempts } from "./gap-attempts.ts";
import type { GapAttempt, GapKind } from "./gap-base.ts";
import { connectAttempts, deleteAttempts, scaleAttempts } from "./gap-parts.ts";

export interface Gap {
  readonly policy: string;
  readonly validation: number;
  readonly gap: GapKind;
  readonly text: string;
  /** The request that is admitted, or that fails. */
  readonly witness: Witness;
}

/** A validation for which not everything could be tried. */
export interface Undecided {
  readonly policy: string;
  readonly validation: number;
  readonly why: string;
}

export interface PolicyGaps {
  readonly gaps: readonly Gap[];
  readonly undecided: readonly Undecided[];
}

export function policyGaps(side: ComparedSide, options: CompareOptions): PolicyGaps {
  const [gaps, undecided]: [Gap[], Undecided[]] = [[], []];
  for (const hook of side.policies.hooks) {
    for (const validation of hook.policy.validations.keys()) {
      const budget = options.budget();
      const about = { hook, validation, side, options: { ...options, budget: () => budget } };
      const why = limitedBy(budget, () => searchGaps(about, gaps));
      if (why !== undefined) undecided.push({ policy: hook.policy.name, validation, why });
    }
  }
  return { gaps, undecided };
}

/** Returns the reason if not everything could be tried. */
function searchGaps(about: About, found: Gap[]): string | undefined {
  try {
    return validationGaps(about, found);
  } catch (thrown) {
    if (!(thrown instanceof OutOfBudget)) throw thrown;
    return thrown.message;
  }
}

/** Each way round the validation is reported once. */
function validationGaps(about: About, found: Gap[]): string | undefined {
  const { hook, validation, options, side } = about;
  const named = { policy: hook.policy.name, validation };
  const [attempts, why] = attemptsFor(about);
  const texts = new Set<string>();
  for (const { gap, text, request, isHarmful } of attempts) {
    if (texts.has(text)) continue;
    const attributes = options.replay.admit(request);
    if (attributes === undefined || isHarmful?.(attributes) === false) continue;
    const witness = { attributes, namespace: request.namespaceObject, params: request.params };
    if (!verdictOf(side.policies, side.context, witness).allowed) continue;
    texts.add(text);
    found.push({ ...named, gap, text, witness });
  }
  const failing = failingDelete(about);
  if (failing !== undefined) found.push({ ...named, gap: "delete", text: deleteText(hook), witness: failing });
  return why;
}

/** What to try, and the reason if it is not known whether the validation denies anything. */
function attemptsFor(about: About): [GapAttempt[], string | undefined] {
  const attempts: GapAttempt[] = [];
  let why: string | undefined;
  for (const { of, make } of formsOf(about)) {
    const verdict = denies(about, of);
    if (verdict.verdict === "some") attempts.push(...make(about, verdict.witness));
    if (verdict.verdict === "unknown") why ??= verdict.why;
  }
  return [attempts, why];
}

/** Forms of request to start from, and what to make of one that is denied. */
interface GapForm {
  readonly of: (scenario: Scenario) => boolean;
  readonly make: (about: About, denied: Witness) => GapAttempt[];
}

const FORMS: readonly GapForm[] = [
  {
    of: ({ operation, subresource }) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
    make: gapAttempts,
  },
  {
    of: ({ operation, subresource, isCollection }) => subresource === "" && operation === "DELETE" && !isCollection,
    make: deleteAttempts,
  },
  { of: ({ operation }) => operation === "CONNECT", make: connectAttempts },
];

const REPLICAS = ["spec", "replicas"];

/** The first form gives one kind; the replicas of each kind have an address of their own. */
function formsOf(about: About): GapForm[] {
  const paths = readsOf(compiledPolicy(about.hook.policy), about.validation);
  if (!paths.some((path) => REPLICAS.every((key, at) => path[at] === key))) return [...FORMS];
  const kinds = new Set(matchedBy(about).flatMap(({ kind }) => (kind.subresources.has("scale") ? [kind] : [])));
  const scales = [...kinds].map((kind) => ({
    of: (scenario: Scenario) =>
      scenario.kind === kind && scenario.subresource === "" && scenario.operation === "CREATE",
    make: scaleAttempts,
  }));
  return [...FORMS, ...scales];
}

function matchedBy({ hook, side, options }: About): Scenario[] {
  return hook.bindings.flatMap((bound) => matchedScenarios({ hook, bound }, side, options.kinds));
}

/** `object` is null on delete. */
function failingDelete(about: About): Witness | undefined {
  const isDeletion = ({ operation }: Scenario): boolean => operation === "DELETE";
  if (!matchedBy(about).some(isDeletion)) return undefined;
  const verdict = decideFor(about, {
    of: isDeletion,
    ask: (run, source) => run.outcomes(source.hook, source.bound, source.index).includes("E"),
    shows: (bound, decided) => decisionsOf(about, bound, decided).some(({ evaluation }) => evaluation === "error"),
  });
  return verdict.verdict === "some" ? verdict.witness : undefined;
}

function deleteText({ policy }: PolicyHook): string {
  const effect = policy.failurePolicy === "Ignore" ? "the validation has no effect" : "every such deletion is denied";
  return `object is null when something is deleted, so the expression fails: ${effect}`;
}
