/**
 * What planning turns an expression into: a closure and its price.
 *
 * Costs are worked out while planning. Inside a strict region (no `&&`, `||`, `?:` or loop in between) every
 * node runs whatever the others answer, so their fixed prices add up to one number, `fixed`, which whoever
 * starts the region charges once. Only prices that depend on sizes are charged while running. A node that
 * ends early on an error gives back what it did not use.
 *
 * INVARIANT: running a plan whose `fixed` was charged leaves the frame's cost where cel-go's tracker has it.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { Expr } from "../ast/expr.ts";
import type { CostModel } from "../types/cost.ts";
import type { FunctionDecl } from "../types/decl.ts";
import type { Type } from "../types/type.ts";
import { CelError, type Value } from "../values/value.ts";
import type { Frame, Run } from "./frame.ts";

export interface Plan {
  readonly run: Run;
  /** Charged by the caller, before running. */
  readonly fixed: number;
  /** The value, where it is known without running. Constants cost nothing. */
  readonly constant: Value | undefined;
  /** Where all that `run` does is to read a field. */
  readonly read?: FieldRead | undefined;
  /** Where it is strings joined: the parts, from left to right. */
  readonly parts?: readonly Run[] | undefined;
  /** Where it is the size of something: that, and the size of a value. */
  readonly sizeOf?: { readonly operand: Plan; readonly size: (value: Value) => Value } | undefined;
  /** Where it is a presence test: `run` answers nothing but a bool or an error. */
  readonly isTest?: boolean | undefined;
  /** Where that is as quick: the run of its negation. */
  readonly inverse?: Run | undefined;
  /** The operands, where it is a chain of `&&`. */
  readonly conjuncts?: readonly Plan[] | undefined;
  /** Likewise of `||`. */
  readonly disjuncts?: readonly Plan[] | undefined;
}

/**
 * How a field of a variable is read without a call: it is what `frame.field(slot, name)` answers and, where that has no
 * answer, what `otherwise` does. Most operands are such, and a call takes longer than reading one.
 */
export interface FieldRead {
  /** Of the variable; below zero where the operand is something else. */
  readonly slot: number;
  readonly name: string;
  readonly otherwise: Run;
}

export function readOf({ read, run }: Plan): FieldRead {
  return read ?? { slot: -1, name: "", otherwise: run };
}

/** What planning asks of the environment. */
export interface PlanEnvironment {
  findFunction(name: string): FunctionDecl | undefined;
  readonly costModel: CostModel | undefined;
  /** Whether `has(a.b)` costs more than `a`. Kubernetes says no. */
  readonly presenceTestHasCost: boolean;
  /** Functions whose second argument is a pattern: a constant one is compiled, or refused, while planning. */
  readonly patternFunctions: ReadonlySet<string>;
  /** Builds the value of a struct literal; undefined where the type is not known. */
  readonly construct: Construct | undefined;
}

export type Construct = (typeName: string, fields: ReadonlyMap<string, Value>) => Value | undefined;

/** A variable's place in the frame. */
export interface Variable {
  readonly slot: number;
  readonly name: string;
  /** How many loops it is declared within. Read from within more of them it is the same many times over. */
  readonly depth: number;
  /** Whether it is plain data as far as one knows, which takes little to read. */
  readonly isPlain: boolean;
  /** Slots with what was found in it, emptied whenever the variable changes. */
  readonly found: number[];
  /** Fills the slot when it is read while empty. */
  readonly fill: (frame: Frame) => void;
  /** The value where the slot has none yet: of a bare object, or of what `fill` finds. */
  readonly missing: Run;
}

/** A name that a comprehension declares. */
export interface Local {
  readonly name: string;
  readonly variable: Variable;
}

/** The planner, as its parts see it. */
export interface Planning {
  readonly environment: PlanEnvironment;
  readonly checked: CheckedAst;
  /** Charges node by node in cel-go's order rather than by region, to find out where a limit was passed. */
  readonly exact: boolean;
  /** For running what is made of constants alone. */
  readonly constantFrame: Frame;
  plan(expr: Expr): Plan;
  typeOf(expr: Expr): Type;
  /** A node that costs `own` on top of the children it always runs. */
  node(run: Run, own: number, children: readonly Plan[]): Plan;
  variable(name: string, type: Type): Variable;
  /** How many leading names of a path are worth remembering because they are read more than once. None of an accumulator's. */
  sharedPrefix(variable: Variable, names: readonly string[]): number;
  /** What a variable has at a path, looked up once as long as the variable stays; `NOT_FOUND` where a step fails. */
  path(variable: Variable, names: readonly string[]): Variable;
  /** For a variable of a loop about to be planned; `other` is one that changes together with it. */
  newSlot(other?: Variable): Variable;
  /** For an accumulator, which changes all the time. */
  newAccumulator(start: Run): Variable;
  /** Plans with more names in sight; the first of two equal names wins. */
  within<T>(locals: readonly Local[], plan: () => T): T;
}

/** A problem that keeps an expression from becoming a program. Thrown while planning, caught where planning starts. */
export class PlanFailure {
  readonly error: CelError;
  constructor(error: CelError) {
    this.error = error;
  }
}

/** Stands in a run for "ask the long way round"; never the value of an expression. */
export const NOT_FOUND = new CelError("not found");

export function constantPlan(value: Value): Plan {
  return { run: () => value, fixed: 0, constant: value };
}

export function sumFixed(plans: readonly Plan[]): number {
  let sum = 0;
  for (const plan of plans) sum += plan.fixed;
  return sum;
}

/** `absent` stands for what even filling the slot does not find. */
export function missingValue(slot: number, fill: Variable["fill"], absent: Value): Run {
  return (frame) => {
    if (frame.bare(slot) === undefined) fill(frame);
    const value = frame.view(slot);
    return value === undefined ? absent : value;
  };
}

export function readVariable(variable: Variable): Run {
  const { slot, missing } = variable;
  return (frame: Frame) => {
    const value = frame.get(slot);
    return value === undefined ? missing(frame) : value;
  };
}
