/**
 * Checks of the operands of library functions. Operands of type `dyn` can have any type at run time, so every function
 * checks them.
 */
import { CelError, noSuchOverload, type Value } from "@portcullis/cel/internal";

type Kind<Operand> = abstract new (...parts: never[]) => Operand;
type Unary = (value?: Value) => Value;
type Binary = (left?: Value, right?: Value) => Value;

/** The result for a value of another type; an error stays the same. */
export function unfit(value: Value): CelError {
  return value instanceof CelError ? value : noSuchOverload();
}

export function onText(apply: (text: string) => Value): Unary {
  return (text) => (typeof text === "string" ? apply(text) : noSuchOverload());
}

/** Whether a string can be parsed. */
export function isParsed(parse: (text: string) => { readonly error?: unknown }): Unary {
  return onText((text) => parse(text).error === undefined);
}

export function onOne<Operand>(kind: Kind<Operand>, apply: (value: Operand) => Value): Unary {
  return (value) => (value instanceof kind ? apply(value) : noSuchOverload());
}

export function onTwo<Operand>(kind: Kind<Operand>, apply: (left: Operand, right: Operand) => Value): Binary {
  return (left, right) => (left instanceof kind && right instanceof kind ? apply(left, right) : noSuchOverload());
}

export function withText<Operand>(kind: Kind<Operand>, apply: (value: Operand, text: string) => Value): Binary {
  return (value, text) => (value instanceof kind && typeof text === "string" ? apply(value, text) : noSuchOverload());
}
