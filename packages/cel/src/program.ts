/**
 * A compiled expression, which can be evaluated any number of times. Evaluation is re-entrant.
 *
 * Evaluation is total: whatever the data, the result is a value, and an error is a value too. An expression first
 * runs with costs charged region by region. If that exceeds the limit, or panics as upstream would, it runs again
 * with every node charged in upstream's order, which decides whether the limit is exceeded and at what cost.
 * Expressions have no side effects, so running twice is only slower.
 */
import type { CheckedAst } from "./ast/checked.ts";
import { CostLimitStop, Frame, type Run, type Variables } from "./eval/frame.ts";
import { internalError } from "./eval/messages.ts";
import { type Observer, type PlanEnvironment, PlanFailure, type Planned, type PlanOptions } from "./eval/plan.ts";
import { planProgram } from "./eval/planner.ts";
import type { Adapter } from "./values/json.ts";
import { Panic } from "./values/panic.ts";
import type { CelError, Value } from "./values/value.ts";

export type { Variables } from "./eval/frame.ts";

/** The result of an evaluation. Example: `const { value, cost } = program.evaluate({ n: 2 })`. */
export interface Evaluation {
  /** A `CelError` if evaluation failed. */
  readonly value: Value;
  /** The actual cost; if the limit was exceeded, the cost at which evaluation stopped. */
  readonly cost: number;
  /** True if evaluation was stopped at the cost limit. No operator of the expression can absorb that. */
  readonly exceeded: boolean;
}

/** The options of a program. Example: `environment.program(ast, { costLimit: 10_000 })`. */
export interface ProgramOptions {
  /** Evaluation stops when its cost exceeds this. Without it, only the data limits the cost. */
  readonly costLimit?: number | undefined;
}

/** The result of `environment.program`. Example: `if (made.ok) made.program.evaluate({})`. */
export type ProgramResult =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly error: CelError };

export interface ProgramEnvironment extends PlanEnvironment {
  /** Converts data that is neither a CEL value nor plain JSON. */
  readonly adapt: Adapter | undefined;
}

/** Fails if a constant part cannot be evaluated, such as `int('x')` or a pattern that does not compile. */
export function createProgram(
  checked: CheckedAst,
  environment: ProgramEnvironment,
  options: ProgramOptions,
): ProgramResult {
  const planned = attemptPlan(checked, environment, { exact: false });
  if (planned instanceof PlanFailure) return { ok: false, error: planned.error };
  return {
    ok: true,
    program: new Program(checked, environment, planned, options.costLimit ?? Number.POSITIVE_INFINITY),
  };
}

/** The first run stops here although the limit is higher: JavaScript engines compare small integers faster. */
const LARGEST_BOUND = 2 ** 30;

/** Undefined for names that every object inherits: whether such a variable is bound needs another check. */
function firstVariable(variables: ReadonlyMap<string, number>): string | undefined {
  for (const [name, slot] of variables) if (slot === 0 && !(name in Object.prototype)) return name;
  return undefined;
}

function attemptPlan(checked: CheckedAst, environment: PlanEnvironment, options: PlanOptions): Planned | PlanFailure {
  try {
    return planProgram(checked, environment, options);
  } catch (thrown) {
    return new PlanFailure(errorOf(thrown));
  }
}

/**
 * From now on `observer` hears of the values of all parts that `program` evaluates, but for constants, and `onResult` of
 * each result. That is slower.
 */
export let observeProgram: (program: Program, observer: Observer, onResult?: (result: Value) => void) => void;

/**
 * A compiled expression that can be evaluated.
 * @example program.evaluate({ n: 2 }).value // true
 */
export class Program {
  readonly #checked: CheckedAst;
  readonly #environment: ProgramEnvironment;
  readonly #planned: Planned;
  readonly #costLimit: number;
  readonly #slotCount: number;
  readonly #run: Run;
  readonly #fixed: number;
  readonly #adapt: Adapter | undefined;
  /** The name of the variable in the first slot, which nearly every evaluation reads. */
  readonly #first: string | undefined;
  /** Kept from one evaluation to the next: allocating one takes as long as a short expression. */
  readonly #frame: Frame;
  #exact: Planned | undefined;

  static {
    observeProgram = (program, observer, onResult) => program.#observe(observer, onResult);
  }

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
    this.#frame = this.#newFrame();
    this.#frame.end(this.#slotCount);
  }

  /** The names of the variables the expression reads. */
  get variables(): readonly string[] {
    return [...this.#planned.variables.keys()];
  }

  evaluate(variables: Variables, options?: ProgramOptions): Evaluation {
    const limit = options?.costLimit ?? this.#costLimit;
    // Another frame while that is in use by an evaluation around this one.
    const frame = this.#frame.isBusy ? this.#newFrame() : this.#frame;
    frame.begin(this.#fixed, Math.min(limit, LARGEST_BOUND), variables);
    const first = this.#first;
    try {
      if (first !== undefined && typeof variables === "object") {
        const data = variables[first];
        if (data !== undefined) frame.putFirst(data);
      }
      const value = this.#run(frame);
      const { cost } = frame;
      if (cost <= limit) {
        frame.end(this.#slotCount);
        return { value, cost, exceeded: false };
      }
    } catch (thrown) {
      // Only checks that the error is expected: the second run finds it again, with its exact cost.
      if (!isExpected(thrown)) {
        frame.end(this.#slotCount);
        throw thrown;
      }
    }
    const evaluation = this.#evaluateExactly(frame, limit, variables);
    frame.end(this.#slotCount);
    return evaluation;
  }

  #observe(observer: Observer, onResult: ((result: Value) => void) | undefined): void {
    const planned = attemptPlan(this.#checked, this.#environment, { exact: true, observer });
    if (planned instanceof PlanFailure) return;
    // Of this program only: others do not have to look whether they are observed.
    this.evaluate = (variables, options) => {
      const limit = options?.costLimit ?? this.#costLimit;
      const own = typeof variables === "function" ? variables : ownMembers(variables);
      const evaluation = this.#runExactly(planned, limit, own);
      onResult?.(evaluation.value);
      return evaluation;
    };
  }

  #newFrame(): Frame {
    return new Frame(this.#slotCount, this.#fixed, 0, {}, this.#adapt);
  }

  #evaluateExactly(first: Frame, limit: number, variables: Variables): Evaluation {
    return this.#runExactly(this.#exactPlan(), limit, (name) => this.#rebind(first, variables, name));
  }

  #runExactly(planned: Planned, limit: number, variables: Variables): Evaluation {
    const frame = new Frame(planned.slotCount, planned.plan.fixed, limit, variables, this.#environment.adapt);
    try {
      const value = planned.plan.run(frame);
      return { value, cost: frame.cost, exceeded: false };
    } catch (thrown) {
      const exceeded = thrown instanceof CostLimitStop;
      return { value: errorOf(thrown), cost: frame.cost, exceeded };
    }
  }

  // A variable that the first run has read is not looked up again.
  #rebind(first: Frame, variables: Variables, name: string): unknown {
    const slot = this.#planned.variables.get(name);
    const known = slot === undefined ? undefined : first.view(slot);
    if (known !== undefined) return known;
    if (typeof variables === "function") return variables(name);
    return Object.hasOwn(variables, name) ? variables[name] : undefined;
  }

  #exactPlan(): Planned {
    if (this.#exact === undefined) {
      const planned = attemptPlan(this.#checked, this.#environment, { exact: true });
      this.#exact = planned instanceof PlanFailure ? this.#planned : planned;
    }
    return this.#exact;
  }
}

function isExpected(thrown: unknown): boolean {
  return thrown instanceof CostLimitStop || thrown instanceof Panic || thrown instanceof RangeError;
}

function ownMembers(variables: Readonly<Record<string, unknown>>): (name: string) => unknown {
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** A panic becomes an error value, as upstream. So does a string or a stack that is too large here. */
function errorOf(thrown: unknown): CelError {
  if (thrown instanceof CostLimitStop) return thrown.error;
  if (thrown instanceof Panic || thrown instanceof RangeError) return internalError(thrown.message);
  throw thrown;
}
