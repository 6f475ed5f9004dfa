/** Atoms that compare one thing with constants know of one another: `x < 5` implies `x < 9`. */
import { type Constant, Double, type Expr, type SourceInfo, Uint, unparse } from "@portcullis/cel/internal";

export interface Comparison {
  /** What is compared, as text. */
  readonly subject: string;
  readonly test: (value: Constant) => boolean;
  /** Values around which the test changes. */
  readonly points: readonly Constant[];
  readonly isRange: boolean;
}

const NO_MACROS: SourceInfo = { positions: new Map(), macroCalls: new Map() };
export const ORDERINGS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  "_<_": (left, right) => left < right,
  "_<=_": (left, right) => left <= right,
  "_>_": (left, right) => left > right,
  "_>=_": (left, right) => left >= right,
  "_==_": (left, right) => left === right,
};

export function comparisonOf(expr: Expr): Comparison | undefined {
  if (expr.kind !== "call") return undefined;
  const [left, right] = expr.args;
  if (left === undefined || right === undefined || expr.args.length !== 2) return undefined;
  // What loops has no text of its own once it is expanded.
  if (hasLoop(left)) return undefined;
  const subject = (): string => unparse(left, NO_MACROS);
  if (expr.function === "@in" && right.kind === "list") {
    const values = right.elements.flatMap((each) => (each.kind === "literal" ? [each.value] : []));
    if (values.length !== right.elements.length) return undefined;
    return {
      subject: subject(),
      test: (value) => values.some((each) => sameConstant(each, value)),
      points: values,
      isRange: false,
    };
  }
  if (right.kind !== "literal") return undefined;
  const limit = numberOf(right.value);
  const compare = Object.hasOwn(ORDERINGS, expr.function) ? ORDERINGS[expr.function] : undefined;
  if (compare !== undefined && limit !== undefined) {
    const test = (value: Constant): boolean => compare(numberOf(value) ?? Number.NaN, limit);
    return { subject: subject(), test, points: [right.value], isRange: expr.function !== "_==_" };
  }
  if (expr.function !== "_==_") return undefined;
  return {
    subject: subject(),
    test: (value) => sameConstant(value, right.value),
    points: [right.value],
    isRange: false,
  };
}

function hasLoop(expr: Expr): boolean {
  if (expr.kind === "comprehension") return true;
  if (expr.kind === "select") return hasLoop(expr.operand);
  if (expr.kind !== "call") return expr.kind !== "literal" && expr.kind !== "ident";
  return [...expr.args, ...(expr.target === undefined ? [] : [expr.target])].some(hasLoop);
}

/** Pairs of atoms of which the first implies the second, whatever their subject is. */
export function impliedPairs(atoms: readonly (readonly [string, Expr])[]): (readonly [string, string])[] {
  const comparisons = atoms.flatMap(([name, expr]) => {
    const comparison = comparisonOf(expr);
    return comparison === undefined ? [] : [{ name, ...comparison }];
  });
  const pairs: (readonly [string, string])[] = [];
  for (const one of comparisons) {
    for (const other of comparisons) {
      // The name of an atom tells whether both see the same data; the subject alone does not.
      if (one.name === other.name || one.subject !== other.subject || sideOf(one.name) !== sideOf(other.name)) continue;
      if (implies(one, other)) pairs.push([one.name, other.name]);
    }
  }
  return pairs;
}

export function sideOf(name: string): string {
  return /@(old|new)$/.exec(name)?.[1] ?? "";
}

function implies(one: Comparison, other: Comparison): boolean {
  if (!one.isRange) return one.points.every((point) => other.test(point));
  if (!other.isRange) return false;
  const points = [...one.points, ...other.points].map((point) => numberOf(point) ?? 0);
  // Between and around the limits both tests are constant.
  const probes = points.flatMap((point) => [point - 1e9, point - 0.25, point, point + 0.25, point + 1e9]);
  return probes.every((probe) => !one.test(new Double(probe)) || other.test(new Double(probe)));
}

export function numberOf(value: Constant): number | undefined {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  if (value instanceof Double) return Number(value.value);
  return value instanceof Uint ? Number(value.value) : undefined;
}

function sameConstant(left: Constant, right: Constant): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  return a !== undefined && b !== undefined ? a === b : left === right;
}
