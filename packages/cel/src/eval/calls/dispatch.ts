/**
 * Finds the overload for arguments whose types are known only at run time.
 *
 * If the checker selected one overload, only that one may apply. With several, all overloads of the function
 * are tried in the order of their declaration, as cel-go does, whichever of them the checker selected.
 */
import type { FunctionDecl, Implementation, Overload } from "../../types/decl.ts";
import { DYN, listOf, mapOf, type Type } from "../../types/type.ts";
import { negateDuration } from "../../values/time.ts";
import { Duration, type Value } from "../../values/value.ts";
import { isOperator, mismatch } from "../mismatch.ts";
import { type Guard, guardFor } from "./guard.ts";

export interface Candidate {
  readonly guards: readonly Guard[];
  readonly call: Implementation;
}

/** The overloads that can be called with this number of arguments. */
export function candidatesOf(declaration: FunctionDecl, overloads: readonly Overload[], argCount: number): Candidate[] {
  const candidates: Candidate[] = [];
  // Operators ignore the type parameters of their operands.
  const toGuard = isOperator(declaration.name) ? (param: Type) => guardFor(erased(param)) : guardFor;
  for (const { params, call, unguarded } of overloads) {
    if (call === undefined || params.length !== argCount) continue;
    candidates.push({ guards: params.map(unguarded ? () => guardFor(DYN) : toGuard), call });
  }
  if (declaration.name === "-_") candidates.push(NEGATED_DURATION);
  return candidates;
}

function erased(type: Type): Type {
  if (type.kind === "list") return listOf(DYN);
  return type.kind === "map" ? mapOf(DYN, DYN) : type;
}

// Not declared, so the checker rejects it; but a dyn that is a duration at run time can be negated.
const NEGATED_DURATION: Candidate = {
  guards: [(value) => value instanceof Duration],
  call: (value) => (value instanceof Duration ? negateDuration(value) : mismatch("-_", [value ?? null])),
};

/** The implementation for all values of the sample's type, which alone decides for strings and ints. */
export function implementationFor(
  candidates: readonly Candidate[],
  sample: string | number,
): Implementation | undefined {
  return candidates.find(({ guards }) => guards[0]?.(sample))?.call;
}

export function dispatchOne(functionName: string, candidates: readonly Candidate[], value: Value): Value {
  for (const { guards, call } of candidates) {
    if (guards[0]?.(value)) return call(value);
  }
  return mismatch(functionName, [value]);
}

export function dispatchTwo(functionName: string, candidates: readonly Candidate[], left: Value, right: Value): Value {
  for (const { guards, call } of candidates) {
    if (guards[0]?.(left) && guards[1]?.(right)) return call(left, right);
  }
  return mismatch(functionName, [left, right]);
}

export function dispatchMany(functionName: string, candidates: readonly Candidate[], args: readonly Value[]): Value {
  for (const { guards, call } of candidates) {
    if (guards.every((guard, index) => guard(args[index] ?? null))) return call(...args);
  }
  return mismatch(functionName, args);
}
