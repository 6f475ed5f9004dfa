/** A call of a function as a term. */
import type { Type } from "@portcullis/cel/internal";
import { callFunction } from "./concrete.ts";
import { keyOf, symValue } from "./keys.ts";
import type { State } from "./state.ts";
import type { Assignment, Sym, Term } from "./symbolic.ts";

export interface Call {
  readonly name: string;
  readonly isMember: boolean;
  /** The target first. */
  readonly args: readonly Sym[];
  /** The type of the result from the checker. */
  readonly type: Type | undefined;
}

/** The model of a function; undefined if it does not cover these arguments. */
export type Known = (state: State, call: Call) => Sym | undefined;

export function termOf({ name, isMember: isMethod, args }: Call): Term {
  const variables = args.flatMap((arg) => (arg.k === "scalar" ? arg.term.variables : []));
  return {
    key: `${name}(${args.map(keyOf).join(", ")})`,
    variables,
    evaluate: (values: Assignment) => {
      const found = args.flatMap((arg) => symValue(arg, values) ?? []);
      return found.length === args.length ? callFunction(name, isMethod, found) : undefined;
    },
  };
}

/** Functions that never fail on arguments of one kind, and fail if the first is of another; `also` has its own. */
export const TOTAL: Readonly<Record<string, { readonly of: string; readonly also?: string }>> = {
  lowerAscii: { of: "string" },
  upperAscii: { of: "string" },
  trim: { of: "string" },
  replace: { of: "string" },
  isQuantity: { of: "string" },
  isURL: { of: "string" },
  isIP: { of: "string" },
  isCIDR: { of: "string" },
  isSemver: { of: "string" },
  isLessThan: { of: "kubernetes.Quantity", also: "kubernetes.Semver" },
  isGreaterThan: { of: "kubernetes.Quantity", also: "kubernetes.Semver" },
  startsWith: { of: "string" },
  endsWith: { of: "string" },
  contains: { of: "string" },
};
