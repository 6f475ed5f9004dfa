/**
 * A compiled expression, ready to be evaluated any number of times, also from within itself.
 *
 * Evaluation is total: whatever the data, it ends in a value, and an error is a value too. An expression first
 * runs with costs charged region by region. Should that pass the limit, or crash where upstream would, it runs
 * once more with every node charged in upstream's order, which settles whether the limit was passed at all and
 * at what cost; nothing in an expression has side effects, so running twice is only slower.
 */
import type { CheckedAst } from "./ast/checked.ts";
import { CostLimitStop, Frame, type Run, type Variables } from "./eval/frame.ts";
import { internalError } from "./eval/messages.ts";
import { type PlanEnvironment, PlanFailure } from "./eval/plan.ts";
import { type Planned, planProgram } from "./eval/planner.ts";
import type { Adapter } from "./values/json.ts";
import { Panic } from "./values/panic.ts";
import type { CelError, Value } from "./values/value.ts";

export type { Variables } from "./eval/frame.ts";

export interface Evaluation {
  /** A `CelError` where evaluation failed. */
  readonly value: Value;
  /** The actual cost; where the limit was passed, the cost at which evaluation stopped. */
  readonly cost: number;
  /** True where evaluation was stopped for its cost. No operator of the expression can absorb that. */
  readonly exceeded: boolean;
}

export interface ProgramOptions {
  /** Evaluation stops once its cost is greater. Without it only the data bounds the cost. */
  readonly costLimit?: number | undefined;
}

export type ProgramResult =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly error: CelError };

export interface ProgramEnvironment extends PlanEnvironment {
  /** Reads data that the language does not know by itself. */
  readonly adapt: Adapter | undefined;
}

/** Fails where a constant part cannot be evaluated, such as `int('x')` or a pattern that does not compile. */
export function createProgram(
  checked: CheckedAst,
  environment: ProgramEnvironment,
  options: ProgramOptions,
): ProgramResult {
  const planned = attemptPlan(checked, environment, false);
  if (planned instanceof PlanFailure) return { ok: false, error: planned.error };
  return {
    ok: true,
    program: new Program(checked, environment, planned, options.costLimit ?? Number.POSITIVE_INFINITY),
  };
}

/** Not where the name is one that every object has: whether such a variable is bound takes a closer look. */
function firstVariable(variables: ReadonlyMap<string, number>): string | undefined {
  for (const [name, slot] of variables) if (slot === 0 && !(name in Object.prototype)) return name;
  return undefined;
}

function attemptPlan(checked: CheckedAst, environment: PlanEnvironment, exact: boolean): Planned | PlanFailure {
  try {
    return planProgram(checked, environment, exact);
  } catch (thrown) {
    return new PlanFailure(errorOf(thrown));
  }
}

export class Program {
  readonly #checked: CheckedAst;
  readonly #environment: ProgramEnvironment;
  readonly #planned: Planned;
  readonly #costLimit: number;
  readonly #slotCount: number;
  readonly #run: Run;
  readonly #fixed: number;
  readonly #adapt: Adapter | undefined;
  /** The name of the variable in the first slot, which nearly every evaluation reads; that it must be looked up is known. */
  readonly #first: string | undefined;
  #exact: Planned | undefined;

  constructor(checked: CheckedAst, environment: ProgramEnvironment, planned: Planned, costLimit: number) {
    this.#checked = checked;
    this.#environment = environment;
    this.#planned = planned;
    this.#costLimit = costLimit;
    this.#slotCount = planned.slotCount;
    this.#run = planned.plan.run;
    this.#fixed = planned.plan.fixed;
    this.#adapt = environment.adapt;
    this.#first = firstVariable(planned.variables);
  }

  /** The names of the variables the expression reads. */
  get variables(): readonly string[] {
    return [...this.#planned.variables.keys()];
  }

  evaluate(variables: Variables, options?: ProgramOptions): Evaluation {
    const limit = options?.costLimit ?? this.#costLimit;
    const frame = new Frame(this.#slotCount, this.#fixed, limit, variables, this.#adapt);
    const first = this.#first;
    try {
      if (first !== undefined && typeof variables === "object") {
        const data = variables[first];
        if (data !== undefined) frame.put(0, data);
      }
      const value = this.#run(frame);
      if (frame.cost <= limit) return { value, cost: frame.cost, exceeded: false };
    } catch (thrown) {
      // Asked only whether it is one of ours: the second run finds the same, and the cost up to there.
      errorOf(thrown);
    }
    return this.#evaluateExactly(frame, limit, variables);
  }

  #evaluateExactly(first: Frame, limit: number, variables: Variables): Evaluation {
    const planned = this.#exactPlan();
    const frame = new Frame(
      planned.slotCount,
      planned.plan.fixed,
      limit,
      (name) => this.#rebind(first, variables, name),
      this.#environment.adapt,
    );
    try {
      const value = planned.plan.run(frame);
      return { value, cost: frame.cost, exceeded: false };
    } catch (thrown) {
      const exceeded = thrown instanceof CostLimitStop;
      return { value: errorOf(thrown), cost: frame.cost, exceeded };
    }
  }

  // A variable that the first run has looked up is not asked for again.
  #rebind(first: Frame, variables: Variables, name: string): unknown {
    const slot = this.#planned.variables.get(name);
    const known = slot === undefined ? undefined : first.view(slot);
    if (known !== undefined) return known;
    if (typeof variables === "function") return variables(name);
    return Object.hasOwn(variables, name) ? variables[name] : undefined;
  }

  #exactPlan(): Planned {
    if (this.#exact === undefined) {
      const planned = attemptPlan(this.#checked, this.#environment, true);
      this.#exact = planned instanceof PlanFailure ? this.#planned : planned;
    }
    return this.#exact;
  }
}

/** What upstream makes of a panic: an error that is the answer. So is a string or a stack grown too large here. */
function errorOf(thrown: unknown): CelError {
  if (thrown instanceof CostLimitStop) return thrown.error;
  if (thrown instanceof Panic || thrown instanceof RangeError) return internalError(thrown.message);
  throw thrown;
}
