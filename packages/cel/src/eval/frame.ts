/**
 * The state of one evaluation: variables in numbered slots and the cost so far.
 *
 * A fresh frame per evaluation is what makes programs reusable and re-entrant.
 */
import { type Adapter, fromJson } from "../values/json.ts";
import { type CelError, MapValue, type Value } from "../values/value.ts";
import { costLimitExceeded, internalError } from "./messages.ts";

/**
 * Where variables come from: the properties of an object, or a function that answers undefined for what is not
 * bound. Values of the language are taken as they are; any other data is read through views, without a copy.
 */
export type Variables = Readonly<Record<string, unknown>> | ((name: string) => unknown);

export class Frame {
  cost: number;
  readonly limit: number;
  /** Undefined until first read: variables are looked up, and accumulators started, on demand. */
  readonly slots: (Value | undefined)[];
  readonly variables: Variables;
  readonly adapt: Adapter | undefined;

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
    this.variables = variables;
    this.adapt = adapt;
  }
}

/** Reads one variable from a frame; undefined where it is not bound. */
export function lookupOf(name: string): (frame: Frame) => Value | undefined {
  // Names every object has must be its own; for others the look at the prototype can be spared.
  const mayBeInherited = name in Object.prototype;
  return ({ variables, adapt }) => {
    if (typeof variables === "function") return bound(variables(name), adapt);
    return mayBeInherited && !Object.hasOwn(variables, name) ? undefined : bound(variables[name], adapt);
  };
}

function bound(data: unknown, adapt: Adapter | undefined): Value | undefined {
  if (data instanceof MapValue || data === undefined) return data;
  return fromJson(data, adapt);
}

/** An array of so many undefined, as cheaply as can be: every evaluation needs one. */
export function emptySlots(count: number): () => undefined[] {
  const made = SMALL[count];
  if (made !== undefined) return made;
  const template = new Array<undefined>(count).fill(undefined);
  return () => template.slice();
}

// biome-ignore format: a table
const SMALL: readonly (() => undefined[])[] = [
  () => [],
  () => [undefined],
  () => [undefined, undefined],
  () => [undefined, undefined, undefined],
  () => [undefined, undefined, undefined, undefined],
  () => [undefined, undefined, undefined, undefined, undefined],
  () => [undefined, undefined, undefined, undefined, undefined, undefined],
  () => [undefined, undefined, undefined, undefined, undefined, undefined, undefined],
  () => [undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined],
];

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
