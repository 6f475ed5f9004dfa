/**
 * Prints a syntax tree in the layout of cel-go's common/debug, so that tests can compare trees as text.
 * An adorner adds a note to every node, such as its id or its kind.
 */
import { quote } from "@portcullis/gostd/quote";
import { formatV } from "@portcullis/gostd/strconv";
import { decodeUtf8, isValidUtf8 } from "@portcullis/gostd/utf8";
import { Bytes, type Constant, Double, Uint } from "../values/value.ts";
import type { ComprehensionExpr, Expr, MapEntry, StructField } from "./expr.ts";

export type Adorner = (node: Expr | MapEntry | StructField) => string;

export const withIds: Adorner = (node) => `^#${node.id}#`;

/** Notes of the form `^#*expr.Constant_StringValue#`, named for the protocol buffer messages of the AST. */
export const withKinds: Adorner = (node) => `^#${kindName(node)}#`;

export function debugString(expr: Expr, adorn: Adorner = () => ""): string {
  return print(expr, adorn, "");
}

function print(expr: Expr, adorn: Adorner, indent: string): string {
  return printBare(expr, adorn, indent) + adorn(expr);
}

function printBare(expr: Expr, adorn: Adorner, indent: string): string {
  const inner = `${indent}  `;
  const block = (open: string, items: readonly string[], close: string) =>
    items.length === 0 ? open + close : `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
  switch (expr.kind) {
    case "literal":
      return formatConstant(expr.value);
    case "ident":
      return expr.name;
    case "select":
      return `${print(expr.operand, adorn, indent)}.${expr.field}${expr.testOnly ? "~test-only~" : ""}`;
    case "call": {
      const target = expr.target === undefined ? "" : `${print(expr.target, adorn, indent)}.`;
      const args = expr.args.map((arg) => print(arg, adorn, inner));
      return block(`${target}${expr.function}(`, args, ")");
    }
    case "list":
      return block(
        "[",
        expr.elements.map((element) => print(element, adorn, inner)),
        "]",
      );
    case "map": {
      const entry = (e: MapEntry) => `${print(e.key, adorn, inner)}:${print(e.value, adorn, inner)}${adorn(e)}`;
      return block(
        "{",
        expr.entries.map((e) => (e.optional ? "?" : "") + entry(e)),
        "}",
      );
    }
    case "struct": {
      const field = (f: StructField) => `${f.name}:${print(f.value, adorn, inner)}${adorn(f)}`;
      return block(
        `${expr.typeName}{`,
        expr.fields.map((f) => (f.optional ? "?" : "") + field(f)),
        "}",
      );
    }
    case "comprehension":
      return printComprehension(expr, adorn, indent);
  }
}

function printComprehension(expr: ComprehensionExpr, adorn: Adorner, indent: string): string {
  const inner = `${indent}  `;
  const part = (child: Expr) => print(child, adorn, inner);
  const lines = [
    "// Variable",
    `${expr.iterVar},`,
    ...(expr.iterVar2 === undefined ? [] : [`${expr.iterVar2},`]),
    "// Target",
    `${part(expr.range)},`,
    "// Accumulator",
    `${expr.accuVar},`,
    "// Init",
    `${part(expr.accuInit)},`,
    "// LoopCondition",
    `${part(expr.loopCondition)},`,
    "// LoopStep",
    `${part(expr.loopStep)},`,
    "// Result",
    `${part(expr.result)})`,
  ];
  return `__comprehension__(\n${lines.map((line) => inner + line).join("\n")}`;
}

function formatConstant(value: Constant): string {
  if (value === null) return "null";
  if (typeof value === "string") return quote(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return formatV(value.value);
  if (value instanceof Bytes) return `b${quoteBytes(value.data)}`;
  return String(value);
}

/** Go quotes bytes as text; a byte that belongs to no character is written `\\x`. */
function quoteBytes(data: Uint8Array): string {
  let quoted = "";
  for (let at = 0; at < data.length; ) {
    const length = [1, 2, 3, 4].find((n) => at + n <= data.length && isValidUtf8(data.subarray(at, at + n)));
    if (length === undefined) quoted += `\\x${(data[at] ?? 0).toString(16).padStart(2, "0")}`;
    else quoted += quote(decodeUtf8(data.subarray(at, at + length))).slice(1, -1);
    at += length ?? 1;
  }
  return `"${quoted}"`;
}

function kindName(node: Expr | MapEntry | StructField): string {
  if (!("kind" in node)) return "*expr.Expr_CreateStruct_Entry";
  switch (node.kind) {
    case "literal":
      return `*expr.Constant_${constantName(node.value)}Value`;
    case "ident":
      return "*expr.Expr_IdentExpr";
    case "select":
      return "*expr.Expr_SelectExpr";
    case "call":
      return "*expr.Expr_CallExpr";
    case "list":
      return "*expr.Expr_ListExpr";
    case "map":
    case "struct":
      return "*expr.Expr_StructExpr";
    case "comprehension":
      return "*expr.Expr_ComprehensionExpr";
  }
}

function constantName(value: Constant): string {
  if (value === null) return "Null";
  if (typeof value === "string") return "String";
  if (typeof value === "boolean") return "Bool";
  if (value instanceof Uint) return "Uint64";
  if (value instanceof Double) return "Double";
  return value instanceof Bytes ? "Bytes" : "Int64";
}
