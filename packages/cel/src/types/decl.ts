/** Declarations of variables and functions. Functions carry their implementation and their cost. */
import type { Value } from "../values/value.ts";
import type { OverloadCost } from "./cost.ts";
import type { Type } from "./type.ts";

/** A variable that expressions may read. Example: `{ name: "self", type: DYN }`. */
export interface VariableDecl {
  readonly name: string;
  readonly type: Type;
  /** For constants such as type names: the value, fixed at compile time. */
  readonly value?: Value;
  readonly doc?: string;
}

/**
 * One signature of a function. Example: `global("double_int", [INT], INT, (n) => Number(n) * 2)`.
 *
 * `call` gets the receiver first and then the arguments. INVARIANT: it is only called with arguments
 * whose runtime types match the parameters (the planner adds guards where the checker does not know), and
 * never with an error unless `nonStrict`.
 */
export interface Overload {
  readonly id: string;
  /** True if the first parameter is the receiver: `a.f(b)`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly call: Implementation | undefined;
  readonly cost?: OverloadCost | undefined;
  /** What it does, in one sentence. Absent if the function's documentation is enough. */
  readonly doc?: string;
  /** An expression that uses the overload and evaluates to true. */
  readonly example?: string;
  /** Accepts arguments of any type and returns its own error for those that do not fit. */
  readonly unguarded?: boolean;
  /** Called even if an argument is an error. */
  readonly nonStrict?: boolean;
}

/** What an overload runs; a `CelError` as result is a runtime error. Example: `(text) => text === ""`. */
export type Implementation = (...args: readonly Value[]) => Value;

/** A function with its overloads. Example: `fn("double", [global("double_int", [INT], INT, call)])`. */
export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** What it does, in one sentence. Overloads of other libraries may have their own. */
  readonly doc?: string;
  /** An expression that calls the function and evaluates to true. */
  readonly example?: string;
}

/**
 * An overload that is called on a receiver.
 * @example method("int_isOdd", INT, [], BOOL, (n) => Number(n) % 2 !== 0)
 */
export function method(
  id: string,
  receiver: Type,
  params: readonly Type[],
  result: Type,
  call: Implementation,
): Overload {
  return { id, member: true, params: [receiver, ...params], result, call };
}

/**
 * An overload that is called without a receiver.
 * @example global("double_int", [INT], INT, (n) => Number(n) * 2)
 */
export function global(id: string, params: readonly Type[], result: Type, call: Implementation): Overload {
  return { id, member: false, params, result, call };
}

/**
 * An overload with a cost other than 1.
 * @example withCost({ actual: 10 }, global("double_int", [INT], INT, (n) => Number(n) * 2))
 */
export function withCost(cost: OverloadCost, overload: Overload): Overload {
  return { ...overload, cost };
}

/**
 * Declares a function.
 * @example fn("double", [overload], "doubles a number", "double(2) == 4")
 */
export function fn(name: string, overloads: readonly Overload[], doc?: string, example?: string): FunctionDecl {
  return { name, overloads, ...(doc !== undefined && { doc }), ...(example !== undefined && { example }) };
}
