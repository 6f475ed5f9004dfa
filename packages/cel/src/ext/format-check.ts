/**
 * Checks calls of `string.format` at compile time, where both the format and the list of arguments are
 * literal: every clause is known and has an argument of a suitable type.
 *
 * Comes with the strings library from version 1. Lists handed to `format` may mix types.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { CallExpr, Expr, ListExpr } from "../ast/expr.ts";
import { walk } from "../ast/visit.ts";
import { DYN, type Type } from "../types/type.ts";
import { runtimeTypeName } from "../values/type-of.ts";
import { type Clause, type FormatProblem, fillFormat } from "./format-parse.ts";
import { type ClauseLetter, surplusArguments, unformattable, wrongArgument } from "./messages.ts";

interface Validation {
  readonly checked: CheckedAst;
  readonly report: (id: number, message: string) => void;
}

/** A validator as the checker runs them. */
export const formatCalls = {
  name: "cel.validator.string_format",
  mixedLiteralFunctions: ["format"],
  validate({ checked, report }: Validation): void {
    for (const { at, problem } of checkFormatCalls(checked)) report(at, problem);
  },
} as const;

export interface FormatFinding {
  /** The node to point at. */
  readonly at: number;
  readonly problem: string;
}

export function checkFormatCalls(ast: CheckedAst): FormatFinding[] {
  const findings: FormatFinding[] = [];
  walk(ast.expr, (expr) => {
    const finding = expr.kind === "call" ? checkCall(expr, ast) : undefined;
    if (finding !== undefined) findings.push(finding);
  });
  return findings;
}

function checkCall(call: CallExpr, ast: CheckedAst): FormatFinding | undefined {
  const [list] = call.args;
  if (!isFormatCall(call, ast) || call.target?.kind !== "literal" || list?.kind !== "list") return undefined;
  const format = call.target.value;
  return typeof format === "string" ? checkFormat(format, call, list, ast) : undefined;
}

function isFormatCall(call: CallExpr, ast: CheckedAst): boolean {
  if (call.function !== "format" || call.args.length !== 1) return false;
  const overloads = ast.references.get(call.id)?.overloadIds ?? [];
  return overloads.length === 0 || overloads.includes("string_format");
}

function checkFormat(format: string, call: CallExpr, list: ListExpr, ast: CheckedAst): FormatFinding | undefined {
  const args = list.elements;
  const filled = fillFormat(format, {
    argumentCount: args.length,
    checksArgumentsFirst: false,
    fill: (clause, argument) => checkClause(clause, args[argument], ast) ?? "",
  });
  if ("problem" in filled) return { at: filled.at ?? call.id, problem: filled.problem };
  if (args.length <= filled.argumentsUsed) return undefined;
  return { at: call.id, problem: surplusArguments(filled.argumentsUsed, args.length) };
}

const ACCEPTED: Readonly<Record<ClauseLetter, ReadonlySet<Type["kind"]>>> = {
  s: new Set([
    "list",
    "map",
    "int",
    "uint",
    "double",
    "bool",
    "string",
    "timestamp",
    "bytes",
    "duration",
    "type",
    "null",
  ] as const),
  d: new Set(["int", "uint"] as const),
  f: new Set(["double", "string"] as const),
  e: new Set(["double", "string"] as const),
  b: new Set(["int", "uint", "bool"] as const),
  x: new Set(["int", "uint", "string", "bytes"] as const),
  X: new Set(["int", "uint", "string", "bytes"] as const),
  o: new Set(["int", "uint"] as const),
};

function checkClause({ letter }: Clause, argument: Expr | undefined, ast: CheckedAst): FormatProblem | undefined {
  if (argument === undefined) return undefined;
  const offender = letter === "s" ? unprintablePart(argument, ast) : unlessAccepted(letter, argument, ast);
  if (offender === undefined) return undefined;
  const typeName = runtimeTypeName(ast.types.get(offender.id) ?? DYN);
  return { problem: unformattable(wrongArgument(letter, typeName)), at: offender.id };
}

/** `%s` looks into literal lists and maps. */
function unprintablePart(expr: Expr, ast: CheckedAst): Expr | undefined {
  const offender = unlessAccepted("s", expr, ast);
  if (offender !== undefined) return offender;
  for (const part of partsOf(expr)) {
    const inner = unprintablePart(part, ast);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function partsOf(expr: Expr): readonly Expr[] {
  if (expr.kind === "list") return expr.elements;
  return expr.kind === "map" ? expr.entries.flatMap(({ key, value }) => [key, value]) : [];
}

function unlessAccepted(letter: ClauseLetter, expr: Expr, ast: CheckedAst): Expr | undefined {
  const type = ast.types.get(expr.id) ?? DYN;
  const { kind } = type.kind === "wrapper" ? type.of : type;
  return kind === "dyn" || ACCEPTED[letter].has(kind) ? undefined : expr;
}
