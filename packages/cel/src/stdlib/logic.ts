/** The logical operators. Those that may skip an operand have no implementation here: the evaluator has its own. */
import { type FunctionDecl, fn, global } from "../types/decl.ts";
import { BOOL, type Type, typeParam } from "../types/type.ts";
import type { Value } from "../values/value.ts";
import { typed } from "./typed.ts";

const A = typeParam("A");

export const logicFunctions: readonly FunctionDecl[] = [
  fn(
    "_?_:_",
    [lazy("conditional", [BOOL, A, A], A)],
    "returns the second operand if the first is true, otherwise the third",
    "(true ? 1 : 2) == 1",
  ),
  fn(
    "_&&_",
    [lazy("logical_and", [BOOL, BOOL], BOOL)],
    "returns true if both operands are true; false if one is false, even if the other is an error",
    "true && true",
  ),
  fn(
    "_||_",
    [lazy("logical_or", [BOOL, BOOL], BOOL)],
    "returns true if one operand is true, even if the other is an error",
    "true || 1 / 0 > 1",
  ),
  fn(
    "!_",
    [
      global(
        "logical_not",
        [BOOL],
        BOOL,
        typed((value: boolean) => !value),
      ),
    ],
    "returns true if the operand is false",
    "!false",
  ),
  fn("@not_strictly_false", [
    { ...global("not_strictly_false", [BOOL], BOOL, typed(notStrictlyFalse)), nonStrict: true },
  ]),
];

function lazy(id: string, params: readonly Type[], result: Type) {
  return { id, member: false, params, result, call: undefined, nonStrict: true };
}

// An error counts as true: the loop of a comprehension continues after it.
function notStrictlyFalse(value: Value): boolean {
  return value !== false;
}
