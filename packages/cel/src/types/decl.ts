/** Declarations: what names mean in an environment. Functions carry their implementation and their price. */
import type { Value } from "../values/value.ts";
import type { OverloadCost } from "./cost.ts";
import type { Type } from "./type.ts";

export interface VariableDecl {
  readonly name: string;
  readonly type: Type;
  /** For constants such as type names: the value, fixed at compile time. */
  readonly value?: Value;
  readonly doc?: string;
}

/**
 * One signature of a function.
 *
 * `call` gets the receiver first and then the arguments. INVARIANT: it is only called with arguments
 * whose runtime types match the parameters (the planner guards where the checker could not tell), and
 * never with an error unless `nonStrict`.
 */
export interface Overload {
  readonly id: string;
  /** True where the first parameter is the receiver: `a.f(b)`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly call: Implementation | undefined;
  readonly cost?: OverloadCost | undefined;
  /** What it does, in one sentence. Absent where the function's documentation says it all. */
  readonly doc?: string;
  /** An expression that uses the overload and evaluates to true. */
  readonly example?: string;
  /** Takes arguments of any type and complains about them in its own words. */
  readonly unguarded?: boolean;
  /** Sees errors among its arguments instead of being skipped for them. */
  readonly nonStrict?: boolean;
}

export type Implementation = (...args: readonly Value[]) => Value;

export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** What it does, in one sentence. Overloads of other libraries may have their own. */
  readonly doc?: string;
  /** An expression that calls the function and evaluates to true. */
  readonly example?: string;
}

/** Reads best in tables of overloads. */
export function method(
  id: string,
  receiver: Type,
  params: readonly Type[],
  result: Type,
  call: Implementation,
): Overload {
  return { id, member: true, params: [receiver, ...params], result, call };
}

export function global(id: string, params: readonly Type[], result: Type, call: Implementation): Overload {
  return { id, member: false, params, result, call };
}

export function withCost(cost: OverloadCost, overload: Overload): Overload {
  return { ...overload, cost };
}

export function fn(name: string, overloads: readonly Overload[], doc?: string, example?: string): FunctionDecl {
  return { name, overloads, ...(doc !== undefined && { doc }), ...(example !== undefined && { example }) };
}
