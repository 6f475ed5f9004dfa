/**
 * Attributes: a variable (or the result of some expression, or the branches of a conditional) and the steps
 * taken into it, `a.b[0].?c`. Follows cel-go interpreter/attributes.go.
 *
 * An attribute is resolved as a whole, which decides both its cost and its meaning: each step costs 1, the
 * attribute itself 1 more; but where it is a branch of `?:` or the index in `[…]`, upstream resolves it without
 * observing it and that 1 is not charged. Steps after `?:` are taken inside the branches. After an optional
 * step all later ones are optional too; steps that find nothing cost nothing.
 */

import { hasCelGo } from "../../types/cel-go.ts";
import type { Type } from "../../types/type.ts";
import { isOptional } from "../../types/type.ts";
import { noSuchOverload } from "../../values/messages.ts";
import { CelError } from "../../values/value.ts";
import type { Run } from "../frame.ts";
import { type Plan, type Planning, readVariable, type Variable } from "../plan.ts";
import { SELECT_COST } from "../price.ts";
import type { Qualifier } from "./qualifier.ts";
import { reboxed } from "./rebox.ts";
import { planUnconditional } from "./unconditional.ts";
import { testRun, walk } from "./walk.ts";

export interface Attribute {
  readonly root: Root;
  readonly qualifiers: readonly Qualifier[];
  readonly type: Type;
  /** `has(…)`: the last qualifier is a presence test. */
  readonly presence: boolean;
}

export type Root =
  | { readonly kind: "variable"; readonly variable: Variable }
  | { readonly kind: "relative"; readonly operand: Plan }
  | {
      readonly kind: "conditional";
      readonly condition: Plan;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

export function attributeOf(root: Root, type: Type): Attribute {
  return { root, qualifiers: [], type, presence: false };
}

export function qualified(attribute: Attribute, qualifier: Qualifier, type: Type): Attribute {
  const presence = qualifier.presenceOf !== undefined;
  if (attribute.root.kind !== "conditional") {
    return { root: attribute.root, qualifiers: [...attribute.qualifiers, qualifier], type, presence };
  }
  const { condition, truthy, falsy } = attribute.root;
  const root: Root = {
    kind: "conditional",
    condition,
    truthy: qualified(truthy, qualifier, type),
    falsy: qualified(falsy, qualifier, type),
  };
  return { root, qualifiers: [], type, presence };
}

/** An attribute that is an expression of its own. */
export function planAttribute(planning: Planning, attribute: Attribute): Plan {
  const resolved = planResolution(planning, attribute);
  const cost = observationCost(planning, attribute);
  if (attribute.presence) {
    const { run, isTest, inverse } = resolved;
    return { ...planning.node(isTest ? run : testRun(run), cost, [resolved]), inverse };
  }
  const { read } = planning.exact ? {} : resolved;
  return { ...planning.node(resolved.run, cost, [resolved]), read };
}

function observationCost(planning: Planning, attribute: Attribute): number {
  const cost = attribute.root.kind === "conditional" ? 0 : SELECT_COST;
  return attribute.presence && !planning.environment.presenceTestHasCost ? cost - SELECT_COST : cost;
}

/** An attribute resolved without being observed: the branch of a conditional, or an index. */
export function planResolution(planning: Planning, attribute: Attribute): Plan {
  const { root, qualifiers } = attribute;
  if (root.kind === "conditional") return planConditional(planning, root);
  const operand = root.kind === "relative" ? root.operand : variablePlan(root.variable);
  if (qualifiers.length === 0) {
    const isReboxed = !hasCelGo(planning.environment.celGo, "0.29") && mayBeOptional(attribute.type);
    return isReboxed ? withRebox(operand) : operand;
  }
  if (planning.exact || qualifiers.some((qualifier) => qualifier.optional)) return walkingPlan(operand, qualifiers);
  return planUnconditional(planning, operand, root.kind === "variable" ? root.variable : undefined, qualifiers);
}

function variablePlan(variable: Variable): Plan {
  return { run: readVariable(variable), fixed: 0, constant: undefined };
}

function planConditional(planning: Planning, root: Root & { kind: "conditional" }): Plan {
  const truthy = planResolution(planning, root.truthy);
  const falsy = planResolution(planning, root.falsy);
  const condition = root.condition.run;
  const { run: runTruthy, fixed: truthyCost } = truthy;
  const { run: runFalsy, fixed: falsyCost } = falsy;
  const run: Run = (frame) => {
    const chosen = condition(frame);
    if (chosen === true) {
      frame.cost += truthyCost;
      return runTruthy(frame);
    }
    if (chosen === false) {
      frame.cost += falsyCost;
      return runFalsy(frame);
    }
    return chosen instanceof CelError ? chosen : noSuchOverload();
  };
  return { run, fixed: root.condition.fixed, constant: undefined };
}

function mayBeOptional(type: Type): boolean {
  return isOptional(type);
}

function withRebox(plan: Plan): Plan {
  const { run } = plan;
  return { run: (frame) => reboxed(run(frame)), fixed: plan.fixed, constant: plan.constant };
}

/** Steps charged as they are taken. */
function walkingPlan(operand: Plan, qualifiers: readonly Qualifier[]): Plan {
  const { run } = operand;
  return {
    run: (frame) => {
      const start = run(frame);
      return start instanceof CelError ? start : walk(frame, start, qualifiers);
    },
    fixed: operand.fixed,
    constant: undefined,
  };
}
