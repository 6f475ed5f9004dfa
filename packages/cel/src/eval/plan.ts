/**
 * The result of planning an expression: a closure and its cost.
 *
 * Costs are computed during planning. Inside a strict region (no `&&`, `||`, `?:` or loop in between) every node
 * runs whatever the others return, so their fixed costs add up to one number, `fixed`, which the caller of the
 * region charges once. Only costs that depend on sizes are charged during evaluation. A node that ends early on
 * an error refunds the cost of what did not run.
 *
 * INVARIANT: running a plan whose `fixed` was charged leaves the frame's cost where cel-go's tracker has it.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { Expr } from "../ast/expr.ts";
import type { CelGoVersion } from "../types/cel-go.ts";
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
  /** Set if `run` only reads a field. */
  readonly read?: FieldRead | undefined;
  /** Set if the value depends only on what this slot holds. */
  readonly slot?: number | undefined;
  /** Set if `run` compares two operands. */
  readonly comparison?: Comparison | undefined;
  /** For concatenated strings: the parts, from left to right. */
  readonly parts?: readonly Plan[] | undefined;
  /** For `size(x)`: the plan of x, and the size of a value. */
  readonly sizeOf?: { readonly operand: Plan; readonly size: (value: Value) => Value } | undefined;
  /** For a list that a loop makes: a run that returns only its size, or the error in place of the list. */
  readonly count?: Run | undefined;
  /** Set for a presence test: `run` returns only a bool or an error. */
  readonly isTest?: boolean | undefined;
  /** The run of its negation, if that is as fast. */
  readonly inverse?: Run | undefined;
  /** For a test of a string that is a field of a variable. */
  readonly textTest?: TextTest | undefined;
  /** The operands of a chain of `&&`. */
  readonly conjuncts?: readonly Plan[] | undefined;
  /** The operands of a chain of `||`. */
  readonly disjuncts?: readonly Plan[] | undefined;
}

/** A comparison for which two ints, and if it is an equality two strings, need no type checks. */
export interface Comparison {
  readonly left: Plan;
  readonly right: Plan;
  readonly outcomes: Outcomes;
  readonly isEquality: boolean;
  /** Whether the sizes of the operands are charged, on top of what is fixed. */
  readonly isPriced: boolean;
}

/** The outcomes of a comparison for which an operator is true. */
export interface Outcomes {
  readonly less: boolean;
  readonly equal: boolean;
  readonly greater: boolean;
}

/** `startsWith`, `endsWith` or `contains` with a constant that is not empty. */
export interface TextTest {
  readonly read: FieldRead;
  /** Where the part is looked for. */
  readonly place: "start" | "end" | "anywhere";
  readonly part: string;
  /** The outcome for which the plan is true: false for a negated test. */
  readonly wanted: boolean;
  /** How many times the cost of traversing the string is charged. */
  readonly times: number;
}

/**
 * How a field of a variable is read without a call: `frame.field(slot, name)`, or `otherwise` if that is undefined.
 * Most operands are fields of a variable, and a call takes longer than reading one.
 */
export interface FieldRead {
  /** The slot of the variable; negative if the operand is something else. */
  readonly slot: number;
  readonly name: string;
  readonly otherwise: Run;
}

export function readOf({ read, run }: Plan): FieldRead {
  return read ?? { slot: -1, name: "", otherwise: run };
}

/** What planning needs from the environment. */
export interface PlanEnvironment {
  findFunction(name: string): FunctionDecl | undefined;
  readonly costModel: CostModel | undefined;
  /** Whether `has(a.b)` costs more than `a`. Not in Kubernetes. */
  readonly presenceTestHasCost: boolean;
  /** Functions whose second argument is a pattern: a constant one is compiled, or rejected, during planning. */
  readonly patternFunctions: ReadonlySet<string>;
  /** Builds the value of a struct literal; undefined if the type is not known. */
  readonly construct: Construct | undefined;
  readonly celGo: CelGoVersion;
}

export type Construct = (typeName: string, fields: ReadonlyMap<string, Value>) => Value | undefined;

/** A variable's place in the frame. */
export interface Variable {
  readonly slot: number;
  readonly name: string;
  /** The number of enclosing loops where it is declared. Inner loops read the same value many times. */
  readonly depth: number;
  /** Whether it is probably plain data, which is fast to read. */
  readonly isPlain: boolean;
  /** Slots that cache its parts, cleared whenever the variable changes. */
  readonly found: number[];
  /** Fills the slot when it is read while empty. */
  readonly fill: (frame: Frame) => void;
  /** The value if the slot has none yet: of a bare object, or found by `fill`. */
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
  /** Charges node by node in cel-go's order rather than by region, to find where the limit is exceeded. */
  readonly exact: boolean;
  /** For evaluating constant expressions. */
  readonly constantFrame: Frame;
  plan(expr: Expr): Plan;
  typeOf(expr: Expr): Type;
  /** A node that costs `own` on top of the children it always runs. */
  node(run: Run, own: number, children: readonly Plan[]): Plan;
  variable(name: string, type: Type): Variable;
  /** How many leading names of a path to cache because they are read more than once. None for accumulators. */
  sharedPrefix(variable: Variable, names: readonly string[]): number;
  /** The value at a path in a variable, looked up once until the variable changes; `NOT_FOUND` if a step fails. */
  path(variable: Variable, names: readonly string[]): Variable;
  /** For a variable of a loop about to be planned; `other` is one that changes together with it. */
  newSlot(other?: Variable): Variable;
  /** For an accumulator, which changes all the time. */
  newAccumulator(start: Run): Variable;
  /** Plans with additional names in scope; the first of two equal names counts. */
  within<T>(locals: readonly Local[], plan: () => T): T;
}

/** A planned expression: run it in a frame of `slotCount` slots. */
export interface Planned {
  readonly plan: Plan;
  readonly slotCount: number;
  /** The variables it reads, and where. */
  readonly variables: ReadonlyMap<string, number>;
}

/** Hears of the value of each part of an expression, by the id of the part. */
export type Observer = (id: number, value: Value) => void;

/** Without what would let the parts around it do without the run. */
export function observedPlan(plan: Plan, id: number, observer: Observer): Plan {
  if (plan.constant !== undefined) return plan;
  const run: Run = (frame) => {
    const value = plan.run(frame);
    observer(id, value);
    return value;
  };
  return { run, fixed: plan.fixed, constant: undefined };
}

export interface PlanOptions {
  readonly exact: boolean;
  /** Needs `exact`: otherwise parts are evaluated together. */
  readonly observer?: Observer | undefined;
}

/** A problem that makes planning fail. Thrown during planning, caught where planning starts. */
export class PlanFailure {
  readonly error: CelError;
  constructor(error: CelError) {
    this.error = error;
  }
}

/** In a run: use the general path instead. Never the value of an expression. */
export const NOT_FOUND = new CelError("not found");

export function constantPlan(value: Value): Plan {
  return { run: () => value, fixed: 0, constant: value };
}

export function sumFixed(plans: readonly Plan[]): number {
  let sum = 0;
  for (const plan of plans) sum += plan.fixed;
  return sum;
}

/** `absent` is the result if filling the slot finds nothing. */
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
