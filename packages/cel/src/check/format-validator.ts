/**
 * Checks `"...".format([...])` where both are literals: each clause exists and suits its argument.
 *
 * Upstream reads the format text byte by byte, which shows when it quotes a clause that is not ASCII.
 * Follows the validator of cel-go ext/formatting.go.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { CallExpr, Expr, ListExpr } from "../ast/expr.ts";
import { DYN, type Type } from "../types/type.ts";
import { runtimeTypeName } from "../values/type-of.ts";
import { withoutWrapper } from "./compare.ts";
import {
  formatClauseMismatch,
  formatIndexOutOfRange,
  formatPrecisionInvalid,
  formatPrecisionUnended,
  formatTooManyArguments,
  formatUnexpectedEnd,
  formatUnknownClause,
} from "./messages.ts";
import type { Validator } from "./validators.ts";
import { visitExprs } from "./walk.ts";

export const formatCalls: Validator = {
  name: "cel.validator.string_format",
  mixedLiteralFunctions: ["format"],
  validate: (validation) =>
    visitExprs(validation.checked.expr, (expr) => {
      const call = literalFormatCall(validation.checked, expr);
      const problem = call && findProblem(validation.checked, call);
      if (problem !== undefined) validation.report(problem.id, problem.message);
    }),
};

interface FormatCall {
  readonly expr: CallExpr;
  readonly text: string;
  readonly args: ListExpr;
}

function literalFormatCall(checked: CheckedAst, expr: Expr): FormatCall | undefined {
  if (expr.kind !== "call" || expr.function !== "format" || expr.args.length !== 1) return undefined;
  const [args] = expr.args;
  if (expr.target?.kind !== "literal" || args?.kind !== "list") return undefined;
  const overloadIds = checked.references.get(expr.id)?.overloadIds;
  if (overloadIds !== undefined && !overloadIds.includes("string_format")) return undefined;
  const text = expr.target.value;
  return typeof text === "string" ? { expr, text, args } : undefined;
}

interface Problem {
  readonly id: number;
  readonly message: string;
}

/** The first thing wrong, if anything is. */
function findProblem(checked: CheckedAst, { expr, text, args }: FormatCall): Problem | undefined {
  const { elements } = args;
  let used = 0;
  for (const clause of clausesOf(text)) {
    const arg = elements[used];
    // Upstream asks for the argument before it reads the clause, but after seeing that there is one.
    if (clause === formatUnexpectedEnd()) return { id: expr.id, message: formatUnexpectedEnd() };
    if (arg === undefined) return { id: expr.id, message: formatIndexOutOfRange(used) };
    if (typeof clause === "string") return { id: expr.id, message: clause };
    const bad = clause.misfit(checked, arg);
    if (bad !== undefined) return mismatch(checked, clause, bad);
    used++;
  }
  if (elements.length <= used) return undefined;
  return { id: expr.id, message: formatTooManyArguments(used, elements.length) };
}

function mismatch(checked: CheckedAst, clause: Clause, arg: Expr): Problem {
  return { id: arg.id, message: formatClauseMismatch(clause.rule, runtimeTypeName(typeOf(checked, arg))) };
}

interface Clause {
  /** What the clause is for, in the words of the message. */
  readonly rule: string;
  /** The argument, or the part of it, that the clause cannot show. */
  readonly misfit: (checked: CheckedAst, arg: Expr) => Expr | undefined;
}

/** The clauses of a format text in order; a text in their place says what is wrong there and ends them. */
function* clausesOf(text: string): Generator<Clause | string> {
  let rest = text;
  for (let at = rest.indexOf("%"); at >= 0; at = rest.indexOf("%")) {
    rest = rest.slice(at + 1);
    if (rest.startsWith("%")) {
      rest = rest.slice(1);
      continue;
    }
    if (rest === "") return yield formatUnexpectedEnd();
    const precision = precisionOf(rest);
    if (precision.problem !== undefined) return yield precision.problem;
    rest = rest.slice(precision.length);
    const clause = CLAUSES.get(rest.charAt(0));
    if (clause === undefined) return yield formatUnknownClause(firstByteAsChar(rest));
    yield clause;
    rest = rest.slice(1);
  }
}

function precisionOf(text: string): { readonly length: number; readonly problem?: string } {
  if (!text.startsWith(".")) return { length: 0 };
  const digits = /^[0-9]*/.exec(text.slice(1))?.[0] ?? "";
  const length = digits.length + 1;
  if (length >= text.length) return { length, problem: formatPrecisionUnended() };
  if (digits === "") return { length, problem: formatPrecisionInvalid(digits, "invalid syntax") };
  const outOfRange = BigInt(digits) >= 2n ** 63n;
  return outOfRange ? { length, problem: formatPrecisionInvalid(digits, "value out of range") } : { length };
}

/** The first byte of the UTF-8 form, taken for a character. */
function firstByteAsChar(text: string): string {
  const point = text.codePointAt(0) ?? 0;
  if (point < 0x80) return String.fromCharCode(point);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6));
  return String.fromCharCode(point < 0x10000 ? 0xe0 | (point >> 12) : 0xf0 | (point >> 18));
}

const SHOWN_AS_STRING = "list map int uint double bool string timestamp bytes duration type null";

// biome-ignore format: a table
const CLAUSES: ReadonlyMap<string, Clause> = new Map([
  ["s", { rule: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps", misfit: misfitAsString }],
  ["d", clause("decimal clause can only be used on integers", "int uint")],
  ["f", clause("fixed-point clause can only be used on doubles", "double string")],
  ["e", clause("scientific clause can only be used on doubles", "double string")],
  ["b", clause("only integers and bools can be formatted as binary", "int uint bool")],
  ["x", clause("only integers, byte buffers, and strings can be formatted as hex", "int uint string bytes")],
  ["X", clause("only integers, byte buffers, and strings can be formatted as hex", "int uint string bytes")],
  ["o", clause("octal clause can only be used on integers", "int uint")],
]);

function clause(rule: string, kinds: string): Clause {
  return { rule, misfit: (checked, arg) => (isOneOf(typeOf(checked, arg), kinds) ? undefined : arg) };
}

/** Looks into list and map literals, but not into lists and maps that come from elsewhere. */
function misfitAsString(checked: CheckedAst, arg: Expr): Expr | undefined {
  if (!isOneOf(typeOf(checked, arg), SHOWN_AS_STRING)) return arg;
  const parts =
    arg.kind === "list" ? arg.elements : arg.kind === "map" ? arg.entries.flatMap((e) => [e.key, e.value]) : [];
  for (const part of parts) {
    const bad = misfitAsString(checked, part);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function isOneOf(type: Type, kinds: string): boolean {
  const { kind } = withoutWrapper(type);
  return kind === "dyn" || kinds.split(" ").includes(kind);
}

function typeOf(checked: CheckedAst, expr: Expr): Type {
  return checked.types.get(expr.id) ?? DYN;
}
