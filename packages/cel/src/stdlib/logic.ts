/** The logical operators. Those that may skip an operand have no implementation here: the evaluator has its own. */
import { type FunctionDecl, fn, global } from "../types/decl.ts";
import { BOOL, type Type, typeParam } from "../types/type.ts";
import type { Value } from "../values/value.ts";
import { typed } from "./typed.ts";

const A = typeParam("A");

export const logicFunctions: readonly FunctionDecl[] = [
  fn("_?_:_", [lazy("conditional", [BOOL, A, A], A)], "the second operand if the first is true, else the third"),
  fn("_&&_", [lazy("logical_and", [BOOL, BOOL], BOOL)], "true where both are; false beats an error"),
  fn("_||_", [lazy("logical_or", [BOOL, BOOL], BOOL)], "true where one is; true beats an error"),
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
    "true where the operand is false",
  ),
  fn("@not_strictly_false", [
    { ...global("not_strictly_false", [BOOL], BOOL, typed(notStrictlyFalse)), nonStrict: true },
  ]),
];

function lazy(id: string, params: readonly Type[], result: Type) {
  return { id, member: false, params, result, call: undefined, nonStrict: true };
}

// An error counts as true: the loop of a comprehension goes on past it.
function notStrictlyFalse(value: Value): boolean {
  return value !== false;
}
