/**
 * The state of one evaluation: variables in numbered slots and the cost so far.
 *
 * Each evaluation has a new frame, so programs are reusable and re-entrant.
 */
import { type Adapter, type Bare, fromJson, isBare, JsonMap } from "../values/json.ts";
import { runesOf } from "../values/text-size.ts";
import type { CelError, Value } from "../values/value.ts";
import { costLimitExceeded } from "./messages.ts";
import { traversal } from "./price.ts";

/**
 * The variables of an evaluation: the properties of an object, or a function that returns undefined for unbound
 * names. CEL values are used as they are; any other data is read through views, without a copy.
 * Example: `program.evaluate({ object: { replicas: 2 } })`.
 */
export type Variables = Readonly<Record<string, unknown>> | ((name: string) => unknown);

const NO_VARIABLES: Variables = {};

/** How many slots are fields of the frame. */
const FIELDS = 4;

/**
 * A slot holds a value, or a plain object whose fields are read without a view, or both: then the value is the view of
 * the object. It is empty until first read: variables are looked up, and accumulators initialized, lazily. The first
 * few slots are fields, which saves the allocation of an array per evaluation.
 */
export class Frame {
  // Initialized here so that JavaScript engines know that both are small integers.
  cost = 0;
  limit = 0;
  variables: Variables;
  /** Whether an evaluation is using it. */
  isBusy = true;
  readonly adapt: Adapter | undefined;
  #value0: Value | undefined = undefined;
  #value1: Value | undefined = undefined;
  #value2: Value | undefined = undefined;
  #value3: Value | undefined = undefined;
  #bare0: Bare | undefined = undefined;
  #bare1: Bare | undefined = undefined;
  #bare2: Bare | undefined = undefined;
  #bare3: Bare | undefined = undefined;
  readonly #moreValues: (Value | undefined)[] | undefined;
  readonly #moreBare: (Bare | undefined)[] | undefined;

  constructor(slotCount: number, cost: number, limit: number, variables: Variables, adapt: Adapter | undefined) {
    this.cost = cost;
    this.limit = limit;
    this.variables = variables;
    this.adapt = adapt;
    this.#moreValues = slotCount > FIELDS ? [] : undefined;
    this.#moreBare = slotCount > FIELDS ? [] : undefined;
  }

  /** Starts another evaluation of the same expression. */
  begin(cost: number, limit: number, variables: Variables): void {
    this.isBusy = true;
    this.cost = cost;
    this.limit = limit;
    this.variables = variables;
  }

  /** Lets go of all data. */
  end(slotCount: number): void {
    this.isBusy = false;
    this.variables = NO_VARIABLES;
    this.#value0 = undefined;
    this.#bare0 = undefined;
    if (slotCount > 1) this.#endMore();
  }

  #endMore(): void {
    this.#value1 = undefined;
    this.#bare1 = undefined;
    this.#value2 = undefined;
    this.#bare2 = undefined;
    this.#value3 = undefined;
    this.#bare3 = undefined;
    this.#moreValues?.fill(undefined);
    this.#moreBare?.fill(undefined);
  }

  /** Charges the cost of traversing a text this many times. Up to ten UTF-16 units are at most ten code points, and cost 1. */
  chargeText(text: string, times: number): void {
    if (text.length > 10) this.cost += traversal(runesOf(text)) * times;
    else if (text.length > 0) this.cost += times;
  }

  /** The value, if the slot holds one. */
  get(slot: number): Value | undefined {
    switch (slot) {
      case 0:
        return this.#value0;
      case 1:
        return this.#value1;
      case 2:
        return this.#value2;
      case 3:
        return this.#value3;
      default:
        return this.#moreValues?.[slot - FIELDS];
    }
  }

  /** The object, if the slot holds a bare one. */
  bare(slot: number): Bare | undefined {
    switch (slot) {
      case 0:
        return this.#bare0;
      case 1:
        return this.#bare1;
      case 2:
        return this.#bare2;
      case 3:
        return this.#bare3;
      default:
        return this.#moreBare?.[slot - FIELDS];
    }
  }

  /** A field of the object in a slot; undefined if either is missing. */
  field(slot: number, name: string): Value | undefined {
    const bare = this.bare(slot);
    if (bare === undefined) return this.#fieldOfValue(slot, name);
    const data = bare[name];
    if (typeof data === "string") return data;
    if (typeof data === "number") {
      const small = data | 0;
      if (small === data) return small;
    }
    return data === undefined ? undefined : fromJson(data, this.adapt);
  }

  /** A field, if it is a string or a small int, of a bare object that is a field of the bare object in a slot. */
  innerField(slot: number, outer: string, name: string): string | number | undefined {
    const bare = this.bare(slot)?.[outer];
    const data = isBare(bare) ? bare[name] : undefined;
    if (typeof data === "string") return data;
    return typeof data === "number" && (data | 0) === data ? data | 0 : undefined;
  }

  /** The value; a view of the bare object if the slot holds only that. */
  view(slot: number): Value | undefined {
    const value = this.get(slot);
    const bare = value === undefined ? this.bare(slot) : undefined;
    if (bare === undefined) return value;
    const view = new JsonMap(bare, this.adapt, true);
    this.set(slot, view, bare);
    return view;
  }

  set(slot: number, value: Value | undefined, bare: Bare | undefined): void {
    switch (slot) {
      case 0:
        this.#value0 = value;
        this.#bare0 = bare;
        break;
      case 1:
        this.#value1 = value;
        this.#bare1 = bare;
        break;
      case 2:
        this.#value2 = value;
        this.#bare2 = bare;
        break;
      case 3:
        this.#value3 = value;
        this.#bare3 = bare;
        break;
      default:
        this.#setMore(slot - FIELDS, value, bare);
    }
  }

  /** Fills a slot with data of any kind. */
  put(slot: number, data: unknown): void {
    if (typeof data === "string") this.set(slot, data, undefined);
    else if (isBare(data)) this.set(slot, undefined, data);
    else this.set(slot, fromJson(data, this.adapt), undefined);
  }

  /** Fills the first slot, which is empty. */
  putFirst(data: unknown): void {
    if (isBare(data)) this.#bare0 = data;
    else this.put(0, data);
  }

  /** Puts a bare object that is a field of another slot's object into a slot. False if there is none. */
  putStep(slot: number, from: number, name: string): boolean {
    const data = this.bare(from)?.[name];
    if (!isBare(data)) return false;
    this.set(slot, undefined, data);
    return true;
  }

  #fieldOfValue(slot: number, name: string): Value | undefined {
    const object = this.get(slot);
    return typeof object === "object" && object !== null ? object.field(name) : undefined;
  }

  #setMore(index: number, value: Value | undefined, bare: Bare | undefined): void {
    if (this.#moreValues !== undefined) this.#moreValues[index] = value;
    if (this.#moreBare !== undefined) this.#moreBare[index] = bare;
  }
}

/** Reads one variable's data from a frame; undefined if it is not bound. */
export function lookupOf(name: string): (frame: Frame) => unknown {
  // Names that every object inherits must be own properties; for other names that check is not needed.
  const mayBeInherited = name in Object.prototype;
  return ({ variables }) => {
    if (typeof variables === "function") return variables(name);
    return !mayBeInherited || Object.hasOwn(variables, name) ? variables[name] : undefined;
  };
}

export type Run = (frame: Frame) => Value;

/** Stops an evaluation at the cost limit; no operator absorbs it. Thrown by evaluation, caught only by `Program`. */
export class CostLimitStop {
  readonly error: CelError = costLimitExceeded();
}

export const COST_LIMIT_STOP = new CostLimitStop();

export function charge(frame: Frame, amount: number): void {
  frame.cost += amount;
  if (frame.cost > frame.limit) throw COST_LIMIT_STOP;
}
