/**
 * Whether a requirement of the new CRD at a place holds for every object that the old one accepts.
 *
 * The question is: is there a manifest, and a value at the place, that the old schema and rules accept and the new
 * requirement refuses? If the solver (`symbolic/solve.ts`) finds that there is none, the requirement is proved.
 */

import { defaultCompatibilityVersion } from "../../kubecel/versions.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import { compileRuleTree } from "../../rules/tree.ts";
import { EMPTY_SCHEMA, newSchema, type Structural } from "../../schema/structural.ts";
import type { Model } from "../../symbolic/facts.ts";
import { and, FALSE, type Formula, implies, not, or, TRUE } from "../../symbolic/formula.ts";
import { type Answer, solve } from "../../symbolic/solve.ts";
import type { SchemaStep } from "../pairs.ts";
import type { LocalCheck } from "../witness/local-check.ts";
import { childNode, elementNode, isCorrelated, isSteadyPair, type Node } from "./node.ts";
import { Knowledge, type RulePremises } from "./premises.ts";
import { isSameListMap, isSeenAlike } from "./reading.ts";
import { type ResourceType, readsType, retyped, typeOf } from "./resource-type.ts";
import type { SideName, SideView } from "./side-view.ts";

export interface ProofAnswer {
  readonly isProved: boolean;
  /** Whether the search was given up before a decision. */
  readonly isSpent: boolean;
  /** Values that the theories allow: where to look for a witness. */
  readonly model: Model | undefined;
}

export interface ProverOptions {
  readonly check: LocalCheck;
  /** Whether the questions are about stored objects only, not about manifests. */
  readonly isStored?: boolean | undefined;
  /** The maximum number of branches for one question. */
  readonly steps?: number | undefined;
}

export class Prover {
  /** The type of objects as the new CRD sees it, as far as it differs and is read. */
  readonly changedType: ResourceType;
  readonly #old: CustomResource;
  readonly #root: Node;
  readonly #options: ProverOptions;

  constructor(old: CustomResource, next: CustomResource, options: ProverOptions) {
    this.#old = old;
    this.#options = options;
    const changed = retyped(old, next);
    this.changedType = readsType(next, changed) ? changed : new Map();
    this.#root = {
      path: "",
      old: old.schema ?? EMPTY_SCHEMA,
      new: next.schema ?? EMPTY_SCHEMA,
      isRoot: true,
      mayBeDropped: next.hasStatus && !old.hasStatus,
      steps: [],
      parent: undefined,
      isUnsteady: false,
      retyped: this.changedType,
    };
  }

  /** Whether a status that was written with the object is dropped now. */
  get losesStatus(): boolean {
    return this.#root.mayBeDropped;
  }

  /** Whether the questions are about stored objects only, not about manifests. */
  get isStored(): boolean {
    return this.#options.isStored === true;
  }

  /** Whether the new requirements for keys of a map, rules included, follow from the old ones. */
  key(before: Structural, after: Structural): boolean {
    if (after.validations.length > 0 && !isSeenAlike(before, after)) return false;
    const root: Node = {
      path: "key",
      old: before,
      new: after,
      isRoot: false,
      mayBeDropped: false,
      steps: [],
      parent: undefined,
      isUnsteady: false,
    };
    const knowledge = new Knowledge({
      root,
      oldRules: undefined,
      check: this.#options.check,
      transitions: false,
      rules: "none",
      type: new Map(),
    });
    const texts = new Set(before.validations.map(({ rule }) => rule));
    const known = [
      knowledge.keywords(knowledge.view("old")).all(before, root),
      ...this.#keyRules(before).map((rule) => knowledge.rule(rule, root, "old")?.yes ?? TRUE),
    ];
    const wanted = [
      knowledge.keywords(knowledge.view("new")).all(after, root),
      ...this.#keyRules(after)
        .filter(({ rule }) => !texts.has(rule.rule))
        .map((rule) => knowledge.rule(rule, root, "new")?.yes ?? FALSE),
    ];
    const { facts } = knowledge;
    return solve([...known, not(and(...wanted))], { steps: KEY_STEPS, facts }).kind === "impossible";
  }

  /** A key is always a CEL string, whatever its format. Stored rules are compiled alike in every version. */
  #keyRules(schema: Structural): readonly CompiledRule[] {
    const options = { version: defaultCompatibilityVersion(), isStored: () => true, isResourceRoot: false };
    return compileRuleTree(newSchema({ ...schema, format: "" }), options)?.rules ?? [];
  }

  /** One keyword of the new schema at a place; `detail` is the name of a required field. */
  keyword(path: readonly SchemaStep[], keyword: string, detail: string): ProofAnswer {
    return this.#ask(path, { transitions: false }, "new", (knowledge, view) => {
      const formulas = knowledge.keywords(view);
      return (node, isNull) => {
        if (node.new === undefined) return TRUE;
        if (isNull) return this.#options.check.matches(node.new, null) ? TRUE : FALSE;
        const isField = keyword === "required" && detail !== "";
        return isField ? formulas.required(detail, node) : formulas.keyword(keyword, node.new, node);
      };
    });
  }

  /** Whether no manifest that the old CRD accepts has a null at the place, or leaves it out. */
  isNever(path: readonly SchemaStep[], state: "null" | "absent"): boolean {
    const last = path.at(-1);
    if (last?.kind !== "property") return false;
    const answer = this.#ask(path.slice(0, -1), { transitions: false }, "old", (_, view) => (node) => {
      const child = childNode(node, last.name);
      if (child === undefined) return FALSE;
      view.raw(node, last.name);
      return not(state === "null" ? and(view.has(child), view.isNull(child)) : not(view.has(child)));
    });
    return answer.isProved;
  }

  /** `before` are the old rules of the same place. */
  rule(path: readonly SchemaStep[], rule: CompiledRule, before: readonly CompiledRule[]): ProofAnswer {
    if (rule.usesOldSelf && !this.isCorrelatedAlike(path)) return { isProved: false, isSpent: false, model: undefined };
    if (this.isRepeated(path, rule, before)) return { isProved: true, isSpent: false, model: undefined };
    const isTransition = rule.usesOldSelf && rule.rule.optionalOldSelf !== true;
    const asking = { transitions: rule.usesOldSelf, isTransition, isFilledKnown: !rule.usesOldSelf };
    return this.#ask(path, asking, "new", (knowledge) => (node, isNull) => {
      if (isNull) return TRUE;
      const holds = knowledge.rule(rule, node, "new")?.yes ?? FALSE;
      return isTransition ? implies(knowledge.hadValue(node), holds) : holds;
    });
  }

  /** Whether an update compares the same items of lists with each other: the keys of list maps decide. */
  isCorrelatedAlike(path: readonly SchemaStep[]): boolean {
    let at: Node | undefined = this.#root;
    for (const step of path) {
      if (at?.old === undefined || at.new === undefined) return false;
      if (step.kind === "item" && !isSameListMap(at.old, at.new)) return false;
      at = step.kind === "property" ? childNode(at, step.name) : elementNode(at, at.path);
    }
    return true;
  }

  /** Whether an old rule requires the same of the same data. */
  isRepeated(path: readonly SchemaStep[], rule: CompiledRule, before: readonly CompiledRule[]): boolean {
    const knowledge = this.#knowledge(false, "none");
    const node = placeholder(this.#root, path);
    const name = node && knowledge.ruleName(rule, node, "new");
    return name !== undefined && before.some((each) => knowledge.ruleName(each, node ?? this.#root, "old") === name);
  }

  #knowledge(transitions: boolean, rules: RulePremises, path?: readonly SchemaStep[]): Knowledge {
    const { check, isStored } = this.#options;
    const type = typeOf(this.#old);
    const { rules: oldRules, scale: oldScale } = this.#old;
    return new Knowledge({ root: this.#root, oldRules, oldScale, check, transitions, rules, type, isStored, path });
  }

  /** Starts with few premises: most proofs only need the schema of the place. */
  #ask(
    path: readonly SchemaStep[],
    { transitions, isTransition = false, isFilledKnown = true }: Asking,
    side: SideName,
    put: Put,
  ): ProofAnswer {
    let last: Answer = { kind: "spent" };
    for (const { rules, steps } of STAGES) {
      const knowledge = this.#knowledge(transitions, rules, path);
      const view = knowledge.view(side);
      const refused = violation({ view, isFilledKnown, isTransition }, this.#root, path, put(knowledge, view));
      last = solve([refused, ...knowledge.premises()], {
        steps: this.#options.steps ?? steps,
        facts: knowledge.facts,
      });
      if (last.kind === "impossible" || this.#old.rules === undefined) break;
    }
    return {
      isProved: last.kind === "impossible",
      isSpent: last.kind === "spent",
      model: last.kind === "possible" ? last.model : undefined,
    };
  }
}

interface Asking {
  /** Whether transition rules of the old CRD ran in the writes that the question is about. */
  readonly transitions: boolean;
  /** Whether the question is about values that are compared with those of an old object. */
  readonly isTransition?: boolean;
  /** Whether default values were checked when the CRD was accepted; they were not checked against an old value. */
  readonly isFilledKnown?: boolean;
}

interface Where {
  readonly view: SideView;
  readonly isFilledKnown: boolean;
  readonly isTransition: boolean;
}

/** Builds the goal for each node that the path leads to. */
type Put = (knowledge: Knowledge, view: SideView) => Goal;

const KEY_STEPS = 500;

const STAGES: readonly { readonly rules: RulePremises; readonly steps: number }[] = [
  { rules: "none", steps: 300 },
  { rules: "own", steps: 400 },
  { rules: "near", steps: 500 },
  { rules: "all", steps: 1200 },
];

/** The node that a path leads to, with placeholder names for elements. */
function placeholder(root: Node, path: readonly SchemaStep[]): Node | undefined {
  let at: Node | undefined = root;
  for (const step of path) {
    if (at === undefined) return undefined;
    at = step.kind === "property" ? childNode(at, step.name) : elementNode(at, `${at.path}[*]`);
  }
  return at;
}

/** What must hold for the value of the node, or for a null in its place. */
type Goal = (node: Node, isNull: boolean) => Formula;

/** There is a value at the path that the goal refuses. */
function violation(where: Where, node: Node, path: readonly SchemaStep[], goal: Goal): Formula {
  const [step, ...rest] = path;
  if (step === undefined) return not(goal(node, false));
  if (step.kind !== "property") return elementViolation(where, node, rest, goal);
  const cases = where.view.raw(node, step.name).map(({ when, is }) => {
    if (is.kind === "node") return and(when, violation(where, is.node, rest, goal));
    if (is.kind === "constant") return where.isFilledKnown ? FALSE : when;
    const child = is.kind === "null" && rest.length === 0 ? childNode(node, step.name) : undefined;
    return child === undefined ? FALSE : and(when, not(goal(child, true)));
  });
  return or(...cases);
}

function elementViolation(where: Where, node: Node, rest: readonly SchemaStep[], goal: Goal): Formula {
  const { view, isTransition } = where;
  const range = view.range(node);
  if (range === undefined) return TRUE;
  const body = (element: string): Formula => {
    const inner = view.elementOf(node, element);
    // Nulls are not modelled if the two CRDs treat them differently.
    if (inner === undefined || !isSteadyPair(inner.old, inner.new, node)) return TRUE;
    const isNull = inner.old?.nullable === true || inner.old?.type === "" ? view.isNull(inner) : FALSE;
    const nullRefused = rest.length === 0 ? not(goal(inner, true)) : FALSE;
    const refused = or(and(isNull, nullRefused), and(not(isNull), violation(where, inner, rest, goal)));
    return isTransition ? and(isCorrelated(inner), refused) : refused;
  };
  return { op: "some", range, body };
}
