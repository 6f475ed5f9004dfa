/**
 * Whether a rule follows from others, by propositions: `&&`, `||`, `!` and `?:` are read as logic, everything else is an
 * atom that may be true, false or an error, as CEL has it.
 *
 * Atoms that compare the same thing with constants know of one another: `x < 5` implies `x < 9`, `x in ["a"]` implies
 * `x in ["a", "b"]`.
 */
import { type Constant, Double, type Expr, type SourceInfo, Uint, unparse } from "@portcullis/cel";

export interface RuleFormula {
  readonly expr: Expr;
  readonly info: SourceInfo;
  /** The atom's name; atoms of one name are equal. */
  readonly nameOf: (expr: Expr) => string;
  /** What is known of a part for every object. */
  readonly known?: ((expr: Expr) => boolean | undefined) | undefined;
}

type Truth = "true" | "false" | "error";
type Node =
  | { readonly op: "atom"; readonly name: string; readonly expr: Expr }
  | { readonly op: "constant"; readonly value: boolean }
  | { readonly op: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly op: "not"; readonly part: Node }
  | { readonly op: "if"; readonly condition: Node; readonly yes: Node; readonly no: Node };

const MAX_ATOMS = 9;

/** Whether the conclusion is true wherever all premises are. Undefined where there are too many atoms to try. */
export function entails(premises: readonly RuleFormula[], conclusion: RuleFormula): boolean | undefined {
  const goal = read(conclusion.expr, conclusion);
  const known = premises.map((each) => read(each.expr, each));
  const wanted = atomsOf(goal);
  // Premises that share nothing with the conclusion cannot help.
  const names = new Set(wanted.map(({ name }) => name));
  const subjects = new Set(wanted.flatMap(({ expr }) => comparisonOf(expr)?.subject ?? []));
  const useful = known.filter((node) =>
    atomsOf(node).some(({ name, expr }) => names.has(name) || subjects.has(comparisonOf(expr)?.subject ?? "")),
  );
  const atoms = new Map([...wanted, ...useful.flatMap(atomsOf)].map((atom) => [atom.name, atom.expr]));
  if (atoms.size > MAX_ATOMS) return known.some((node) => textOf(node) === textOf(goal)) ? true : undefined;
  const list = [...atoms];
  const implications = impliedPairs(list);
  return !search(
    list.map(([name]) => name),
    new Map(),
    (values) => {
      const isConsistent = implications.every(([from, to]) => values.get(from) !== "true" || values.get(to) === "true");
      return (
        isConsistent && useful.every((node) => evaluate(node, values) === "true") && evaluate(goal, values) !== "true"
      );
    },
  );
}

function search(
  names: readonly string[],
  values: Map<string, Truth>,
  test: (values: Map<string, Truth>) => boolean,
): boolean {
  const [name, ...rest] = names;
  if (name === undefined) return test(values);
  for (const truth of ["true", "false", "error"] as const) {
    values.set(name, truth);
    if (search(rest, values, test)) return true;
  }
  return false;
}

function read(expr: Expr, formula: RuleFormula): Node {
  if (expr.kind === "literal" && typeof expr.value === "boolean") return { op: "constant", value: expr.value };
  const known = formula.known?.(expr);
  if (known !== undefined) return { op: "constant", value: known };
  if (expr.kind === "call") {
    const [first, second, third] = expr.args;
    if (expr.function === "_&&_" && first && second)
      return { op: "and", left: read(first, formula), right: read(second, formula) };
    if (expr.function === "_||_" && first && second)
      return { op: "or", left: read(first, formula), right: read(second, formula) };
    if (expr.function === "!_" && first) return { op: "not", part: read(first, formula) };
    if (expr.function === "_?_:_" && first && second && third) {
      return { op: "if", condition: read(first, formula), yes: read(second, formula), no: read(third, formula) };
    }
  }
  return { op: "atom", name: formula.nameOf(expr), expr };
}

function atomsOf(node: Node): Extract<Node, { op: "atom" }>[] {
  switch (node.op) {
    case "atom":
      return [node];
    case "constant":
      return [];
    case "not":
      return atomsOf(node.part);
    case "if":
      return [...atomsOf(node.condition), ...atomsOf(node.yes), ...atomsOf(node.no)];
    default:
      return [...atomsOf(node.left), ...atomsOf(node.right)];
  }
}

function textOf(node: Node): string {
  switch (node.op) {
    case "atom":
      return node.name;
    case "constant":
      return String(node.value);
    case "not":
      return `!(${textOf(node.part)})`;
    case "if":
      return `(${textOf(node.condition)}?${textOf(node.yes)}:${textOf(node.no)})`;
    default:
      return `(${[textOf(node.left), textOf(node.right)].sort().join(node.op)})`;
  }
}

/** As CEL evaluates: a decided side outweighs an error on the other. */
function evaluate(node: Node, values: ReadonlyMap<string, Truth>): Truth {
  switch (node.op) {
    case "atom":
      return values.get(node.name) ?? "error";
    case "constant":
      return node.value ? "true" : "false";
    case "not":
      return negate(evaluate(node.part, values));
    case "if": {
      const condition = evaluate(node.condition, values);
      return condition === "error" ? "error" : evaluate(condition === "true" ? node.yes : node.no, values);
    }
    default: {
      const [left, right] = [evaluate(node.left, values), evaluate(node.right, values)];
      const deciding = node.op === "and" ? "false" : "true";
      if (left === deciding || right === deciding) return deciding;
      return left === "error" || right === "error" ? "error" : negate(deciding);
    }
  }
}

function negate(truth: Truth): Truth {
  return truth === "error" ? "error" : truth === "true" ? "false" : "true";
}

interface Comparison {
  /** What is compared, as text. */
  readonly subject: string;
  readonly test: (value: Constant) => boolean;
  /** Values around which the test changes. */
  readonly points: readonly Constant[];
  readonly isRange: boolean;
}

const NO_MACROS: SourceInfo = { positions: new Map(), macroCalls: new Map() };
const ORDERINGS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  "_<_": (left, right) => left < right,
  "_<=_": (left, right) => left <= right,
  "_>_": (left, right) => left > right,
  "_>=_": (left, right) => left >= right,
  "_==_": (left, right) => left === right,
};

function comparisonOf(expr: Expr): Comparison | undefined {
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
function impliedPairs(atoms: readonly (readonly [string, Expr])[]): (readonly [string, string])[] {
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

function sideOf(name: string): string {
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

function numberOf(value: Constant): number | undefined {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  if (value instanceof Double) return Number(value.value);
  return value instanceof Uint ? Number(value.value) : undefined;
}

function sameConstant(left: Constant, right: Constant): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  return a !== undefined && b !== undefined ? a === b : left === right;
}
