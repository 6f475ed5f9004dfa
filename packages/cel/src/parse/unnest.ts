/** Each level of the grammar wraps the next one: an identifier is a primary, a member, a unary and so on. */
import type { ParseTree } from "antlr4ng";
import * as antlr from "./antlr/generated/cel-parser.ts";
import { isPresent } from "./recovery-report.ts";

/** A part of a parse tree; after a syntax error it may be missing. */
export type Node = ParseTree | null | undefined;

/** Skips rules that only contain another expression. */
export function unnest(tree: Node): Node {
  let node = tree;
  for (;;) {
    const inner = passedOn(node);
    if (inner === node) return node;
    node = inner;
  }
}

function passedOn(node: Node): Node {
  if (node instanceof antlr.ExprContext) return isPresent(node._question) ? node : node._condition;
  if (node instanceof antlr.OrContext) return node._operators.length > 0 ? node : node._first;
  if (node instanceof antlr.AndContext) return node._operators.length > 0 ? node : node._first;
  if (node instanceof antlr.RelationContext) return isPresent(node._operator) ? node : node.calc();
  if (node instanceof antlr.CalcContext) return isPresent(node._operator) ? node : node.unary();
  if (node instanceof antlr.PlainMemberContext) return node.member();
  if (node instanceof antlr.PlainPrimaryContext) return node.primary();
  if (node instanceof antlr.NestedContext) return node._inner;
  if (node instanceof antlr.ConstantContext) return node.literal();
  return node;
}
