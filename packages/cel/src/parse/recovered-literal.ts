/** Literals of a parse tree after error recovery; what is wrong with one is reported at its place. */
import type { Expr } from "../ast/expr.ts";
import { Bytes, type Constant } from "../values/value.ts";
import * as antlr from "./antlr/generated/cel-parser.ts";
import { parseDoubleLiteral, parseIntLiteral, parseUintLiteral } from "./literals.ts";
import { invalidDouble, invalidInt, invalidUint } from "./messages.ts";
import { isPresent, type RecoveryReport, textOf } from "./recovery-report.ts";
import { unescapeBytes, unescapeString } from "./unescape.ts";

/** The literal of a node; undefined if recovery left none. */
export function recoveredLiteral(node: antlr.LiteralContext, report: RecoveryReport): Expr | undefined {
  if (node instanceof antlr.IntContext) {
    return constant(node, parseIntLiteral(textOf(node._token), isPresent(node._sign)), invalidInt, report);
  }
  if (node instanceof antlr.DoubleContext) {
    return constant(node, parseDoubleLiteral(textOf(node._token), isPresent(node._sign)), invalidDouble, report);
  }
  if (node instanceof antlr.UintContext) {
    return constant(node, parseUintLiteral(textOf(node._token)), invalidUint, report);
  }
  if (node instanceof antlr.StringContext) return stringLiteral(node, report);
  if (node instanceof antlr.BytesContext) return bytesLiteral(node, report);
  if (node instanceof antlr.TrueContext) return constant(node, true, "", report);
  if (node instanceof antlr.FalseContext) return constant(node, false, "", report);
  if (node instanceof antlr.NullContext) return constant(node, null, "", report);
  return undefined;
}

function constant(
  node: antlr.LiteralContext,
  value: Constant | undefined,
  problem: string,
  report: RecoveryReport,
): Expr {
  if (value === undefined) return report.atRule(node, problem);
  return { kind: "literal", id: report.idOfRule(node), value };
}

function stringLiteral(node: antlr.StringContext, report: RecoveryReport): Expr {
  const { value, problem } = unescapeString(textOf(node._token));
  if (problem !== undefined) report.atRule(node, problem);
  return { kind: "literal", id: report.idOfRule(node), value: value ?? "" };
}

function bytesLiteral(node: antlr.BytesContext, report: RecoveryReport): Expr {
  const { value, problem } = unescapeBytes(textOf(node._token).slice(1));
  if (problem !== undefined) report.atRule(node, problem);
  return { kind: "literal", id: report.idOfRule(node), value: new Bytes(value ?? new Uint8Array()) };
}
