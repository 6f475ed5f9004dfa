/**
 * The state of one evaluation: variables in numbered slots and the cost so far.
 *
 * A fresh frame per evaluation is what makes programs reusable and re-entrant.
 */
import { type Adapter, fromJson } from "../values/json.ts";
import type { CelError, Value } from "../values/value.ts";
import { costLimitExceeded, internalError } from "./messages.ts";

/**
 * Where variables come from: own keys of an object, or a function that answers undefined for what is not bound.
 * Values of the language are taken as they are; any other data is read through views, without a copy.
 */
export type Variables = Readonly<Record<string, unknown>> | ((name: string) => unknown);

export class Frame {
  cost: number;
  readonly limit: number;
  /** Undefined until first read: variables are looked up, and accumulators started, on demand. */
  readonly slots: (Value | undefined)[];
  readonly #variables: Variables;
  readonly #adapt: Adapter | undefined;

  constructor(
    slots: (Value | undefined)[],
    cost: number,
    limit: number,
    variables: Variables,
    adapt: Adapter | undefined,
  ) {
    this.cost = cost;
    this.limit = limit;
    this.slots = slots;
    this.#variables = variables;
    this.#adapt = adapt;
  }

  /** The value of a variable, or undefined where it is not bound. */
  lookup(name: string): Value | undefined {
    const variables = this.#variables;
    const data = typeof variables === "function" ? variables(name) : ownProperty(variables, name);
    return data === undefined ? undefined : fromJson(data, this.#adapt);
  }
}

function ownProperty(variables: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

export type Run = (frame: Frame) => Value;

/**
 * Ends an evaluation at once; no operator absorbs it. Thrown by evaluation and caught by `Program` alone,
 * as cel-go panics and recovers.
 */
export class Stop {
  readonly kind: "cost-limit" | "internal";
  readonly error: CelError;
  constructor(kind: "cost-limit" | "internal", error: CelError) {
    this.kind = kind;
    this.error = error;
  }
}

export const COST_LIMIT_STOP = new Stop("cost-limit", costLimitExceeded());

export function internalStop(detail: string): Stop {
  return new Stop("internal", internalError(detail));
}

export function charge(frame: Frame, amount: number): void {
  frame.cost += amount;
  if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
}
