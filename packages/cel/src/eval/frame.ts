/**
 * The state of one evaluation: variables in numbered slots and the cost so far.
 *
 * A fresh frame per evaluation is what makes programs reusable and re-entrant.
 */
import { type Adapter, fromJson } from "../values/json.ts";
import type { CelError, Value } from "../values/value.ts";
import { costLimitExceeded } from "./messages.ts";

/**
 * Where variables come from: the properties of an object, or a function that answers undefined for what is not
 * bound. Values of the language are taken as they are; any other data is read through views, without a copy.
 */
export type Variables = Readonly<Record<string, unknown>> | ((name: string) => unknown);

/** How many slots are fields of the frame. */
const FIELDS = 4;

/**
 * A slot is undefined until first read: variables are looked up, and accumulators started, on demand. The first few
 * are fields, because an array would be one more thing to allocate for every evaluation.
 */
export class Frame {
  cost: number;
  readonly limit: number;
  readonly variables: Variables;
  readonly adapt: Adapter | undefined;
  #first: Value | undefined = undefined;
  #second: Value | undefined = undefined;
  #third: Value | undefined = undefined;
  #fourth: Value | undefined = undefined;
  readonly #more: (Value | undefined)[] | undefined;

  constructor(slotCount: number, cost: number, limit: number, variables: Variables, adapt: Adapter | undefined) {
    this.cost = cost;
    this.limit = limit;
    this.variables = variables;
    this.adapt = adapt;
    this.#more = slotCount > FIELDS ? [] : undefined;
  }

  get(slot: number): Value | undefined {
    switch (slot) {
      case 0:
        return this.#first;
      case 1:
        return this.#second;
      case 2:
        return this.#third;
      case 3:
        return this.#fourth;
      default:
        return this.#more?.[slot - FIELDS];
    }
  }

  set(slot: number, value: Value | undefined): void {
    switch (slot) {
      case 0:
        this.#first = value;
        break;
      case 1:
        this.#second = value;
        break;
      case 2:
        this.#third = value;
        break;
      case 3:
        this.#fourth = value;
        break;
      default:
        if (this.#more !== undefined) this.#more[slot - FIELDS] = value;
    }
  }
}

/** Reads one variable from a frame; undefined where it is not bound. */
export function lookupOf(name: string): (frame: Frame) => Value | undefined {
  // Names every object has must be its own; for others the look at the prototype can be spared.
  const mayBeInherited = name in Object.prototype;
  return ({ variables, adapt }) => {
    let data: unknown;
    if (typeof variables === "function") data = variables(name);
    else if (!mayBeInherited || Object.hasOwn(variables, name)) data = variables[name];
    return data === undefined ? undefined : fromJson(data, adapt);
  };
}

export type Run = (frame: Frame) => Value;

/** Ends an evaluation that costs too much; no operator absorbs it. Thrown by evaluation, caught by `Program` alone. */
export class CostLimitStop {
  readonly error: CelError = costLimitExceeded();
}

export const COST_LIMIT_STOP = new CostLimitStop();

export function charge(frame: Frame, amount: number): void {
  frame.cost += amount;
  if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
}
