/**
 * Formulas of the symbolic core: conditions on data that is not known yet.
 *
 * A formula is two-valued. The translation expresses CEL's errors (`cel.ts`): an expression is true, false or neither.
 * Names denote unknown values; equal names denote equal values.
 */

export type Formula =
  | { readonly op: "true" | "false" }
  | { readonly op: "and" | "or"; readonly parts: readonly Formula[] }
  | { readonly op: "not"; readonly part: Formula }
  | { readonly op: "literal"; readonly literal: Literal }
  /** A formula with a name: formulas with equal names are equivalent, which is known before they are expanded. */
  | { readonly op: "named"; readonly name: string; readonly part: Formula }
  /** The range has this element: what holds for every element holds for it. */
  | { readonly op: "element"; readonly range: Range; readonly element: string }
  | Quantified;

/** `body` is the formula for an element, by its key. */
export interface Quantified {
  readonly op: "every" | "some";
  readonly range: Range;
  readonly body: (element: string) => Formula;
}

/** A list or the keys of a map. */
export interface Range {
  readonly name: string;
  /** Facts about each element, such as the schema of items. */
  readonly facts: (element: string) => Formula;
}

/** Sum of terms plus constant, compared with 0. Values are mathematical integers. */
export interface Linear {
  readonly terms: ReadonlyMap<string, bigint>;
  readonly constant: bigint;
}

export type Literal =
  /** A condition that is true or false. */
  | { readonly kind: "flag"; readonly name: string }
  | { readonly kind: "int"; readonly linear: Linear; readonly relation: "<=" | "==" }
  /** The integer is a multiple of the factor. */
  | { readonly kind: "multiple"; readonly name: string; readonly factor: bigint }
  | { readonly kind: "double"; readonly name: string; readonly relation: "<" | "<=" | "=="; readonly value: number }
  /** Some part of the text matches the pattern. The length of the text is the integer `size(name)`. */
  | { readonly kind: "text"; readonly name: string; readonly pattern: string }
  /** Two strings, doubles or values of other types are equal. */
  | { readonly kind: "same"; readonly left: string; readonly right: string }
  /** The first is strictly before the second in a total order. */
  | { readonly kind: "before"; readonly left: string; readonly right: string };

export const TRUE: Formula = { op: "true" };
export const FALSE: Formula = { op: "false" };

export function and(...parts: readonly Formula[]): Formula {
  const kept = flatten("and", parts);
  if (kept.some(({ op }) => op === "false")) return FALSE;
  return kept.length === 1 && kept[0] !== undefined ? kept[0] : kept.length === 0 ? TRUE : { op: "and", parts: kept };
}

export function or(...parts: readonly Formula[]): Formula {
  const kept = flatten("or", parts);
  if (kept.some(({ op }) => op === "true")) return TRUE;
  return kept.length === 1 && kept[0] !== undefined ? kept[0] : kept.length === 0 ? FALSE : { op: "or", parts: kept };
}

function flatten(op: "and" | "or", parts: readonly Formula[]): Formula[] {
  const idle = op === "and" ? "true" : "false";
  const kept: Formula[] = [];
  for (const part of parts) {
    if (part.op === op) for (const inner of part.parts) kept.push(inner);
    else if (part.op !== idle) kept.push(part);
  }
  return kept;
}

export function not(part: Formula): Formula {
  if (part.op === "true") return FALSE;
  if (part.op === "false") return TRUE;
  return part.op === "not" ? part.part : { op: "not", part };
}

export function implies(premise: Formula, conclusion: Formula): Formula {
  return or(not(premise), conclusion);
}

export function literal(each: Literal): Formula {
  return { op: "literal", literal: each };
}

export function flag(name: string): Formula {
  return literal({ kind: "flag", name });
}

export function named(name: string, part: Formula): Formula {
  return { op: "named", name, part };
}

export function matches(name: string, pattern: string): Formula {
  return literal({ kind: "text", name, pattern });
}

export function same(left: string, right: string): Formula {
  if (left === right) return TRUE;
  return literal(left < right ? { kind: "same", left, right } : { kind: "same", left: right, right: left });
}

export function before(left: string, right: string): Formula {
  return left === right ? FALSE : literal({ kind: "before", left, right });
}

/** The name of a string's length or of a list's or map's size. */
export function sizeName(name: string): string {
  return `size(${name})`;
}
