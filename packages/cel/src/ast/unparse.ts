/**
 * Syntax tree to text. Follows cel-go parser/unparser.go: macros come back as they were written, strings in
 * double quotes, bytes as octal escapes, and a line break follows `&&` and `||` beyond column 80.
 *
 * INVARIANT: parsing the text gives the tree again. For that it departs from cel-go where cel-go's text would
 * parse into something else: a sign before a number (`-(1)`), repeated signs (`-(-a)`), selections from a
 * signed operand (`(-a).b`), chains of `&&` that were grouped by hand, doubles such as 1e+21, and fields named
 * like a keyword.
 */
import { quote } from "@portcullis/gostd/quote";
import { formatFloat } from "@portcullis/gostd/strconv";
import { byteLength } from "@portcullis/gostd/utf8";
import { Bytes, type Constant, Double, Uint } from "../values/value.ts";
import type { CallExpr, Expr, ListExpr, MapExpr, SelectExpr, SourceInfo, StructExpr } from "./expr.ts";
import { findOperator, precedenceOf } from "./operators.ts";

/**
 * The text of a tree.
 * @example unparse(ast.checked.expr, ast.checked.info) // "n > 1"
 */
export function unparse(expr: Expr, info: SourceInfo): string {
  return new Unparser(info).unparse(expr);
}

const WRAP_COLUMN = 80;

class Unparser {
  readonly #macroCalls: SourceInfo["macroCalls"];
  #text = "";
  #bytes = 0;
  #wrappedAt = 0;

  constructor(info: SourceInfo) {
    this.#macroCalls = info.macroCalls;
  }

  unparse(expr: Expr): string {
    this.#visit(expr);
    return this.#text;
  }

  #visit(expr: Expr): void {
    const node = this.#macroCalls.get(expr.id) ?? expr;
    switch (node.kind) {
      case "literal":
        this.#write(formatConstant(node.value));
        break;
      case "ident":
        this.#write(node.name);
        break;
      case "select":
        this.#select(node);
        break;
      case "call":
        if (!this.#writeOperator(node)) this.#function(node);
        break;
      case "list":
        this.#list(node);
        break;
      case "map":
        this.#map(node);
        break;
      case "struct":
        this.#struct(node);
        break;
      case "comprehension":
        throw new Error("a comprehension without a record of its macro has no text");
    }
  }

  #select(node: SelectExpr): void {
    if (node.testOnly) this.#write("has(");
    this.#operand(node.operand);
    this.#write(`.${fieldName(node.field)}`);
    if (node.testOnly) this.#write(")");
  }

  /** Writes a call of an operator; false if the call is not one. */
  #writeOperator(node: CallExpr): boolean {
    const [first, second, third] = node.args;
    if (node.target !== undefined || first === undefined) return false;
    if (node.function === "!_" || node.function === "-_") this.#unary(node.function, first);
    else if (second === undefined) return false;
    else if (node.function === "_[_]") this.#index("[", first, second);
    else if (node.function === "_[?_]") this.#index("[?", first, second);
    else if (node.function === "_?._") this.#optionalSelect(first, second);
    else if (node.function === "_?_:_" && third !== undefined) this.#conditional(first, second, third);
    else if (isBinary(node.function)) this.#binary(node, first, second);
    else return false;
    return true;
  }

  #optionalSelect(operand: Expr, field: Expr): void {
    this.#operand(operand);
    const name = field.kind === "literal" ? field.value : undefined;
    if (typeof name !== "string") throw new Error("an optional selection names its field with a string");
    this.#write(`.?${fieldName(name)}`);
  }

  #unary(name: string, operand: Expr): void {
    this.#write(name === "-_" ? "-" : "!");
    const at = this.#text.length;
    this.#maybeNested(operand, isComplex(operand));
    // Without parentheses, repeated signs cancel out and a sign before digits becomes part of the number.
    const joins = name === "-_" ? /[-!0-9]/y : /[-!]/y;
    joins.lastIndex = at;
    if (!joins.test(this.#text)) return;
    this.#text = `${this.#text.slice(0, at)}(${this.#text.slice(at)})`;
    this.#bytes += 2;
  }

  #conditional(...[condition, whenTrue, whenFalse]: [Expr, Expr, Expr]): void {
    this.#maybeNested(condition, isComplex(condition));
    this.#write(" ? ");
    this.#maybeNested(whenTrue, isComplex(whenTrue));
    this.#write(" : ");
    this.#maybeNested(whenFalse, isComplex(whenFalse));
  }

  #index(open: string, operand: Expr, index: Expr): void {
    this.#operand(operand);
    this.#write(open);
    this.#visit(index);
    this.#write("]");
  }

  #binary(node: CallExpr, left: Expr, right: Expr): void {
    const name = node.function;
    const isLogical = name === "_&&_" || name === "_||_";
    const grouped = isLogical && !this.#isBalanced(node);
    const parenLeft = bindsLooser(left, name) || (grouped && this.#isCallOf(left, name));
    const parenRight =
      bindsLooser(right, name) || (isLogical ? grouped && this.#isCallOf(right, name) : bindsSame(right, name));
    this.#maybeNested(left, parenLeft);
    this.#operator(name);
    this.#maybeNested(right, parenRight);
  }

  /** Whether a chain of a logical operator has the shape that the parser gives it. */
  #isBalanced(node: CallExpr): boolean {
    const count = this.#countTerms(node, node.function);
    return this.#hasShape(node, node.function, count);
  }

  #hasShape(expr: Expr, name: string, count: number): boolean {
    if (!this.#isCallOf(expr, name)) return count === 1;
    const [left, right] = expr.args;
    if (left === undefined || right === undefined) return false;
    const leftCount = Math.floor((count - 1) / 2) + 1;
    if (count < 2 || this.#countTerms(left, name) !== leftCount) return false;
    return this.#hasShape(left, name, leftCount) && this.#hasShape(right, name, count - leftCount);
  }

  #countTerms(expr: Expr, name: string): number {
    if (!this.#isCallOf(expr, name)) return 1;
    return expr.args.reduce((sum, arg) => sum + this.#countTerms(arg, name), 0);
  }

  #isCallOf(expr: Expr, name: string): expr is CallExpr {
    return expr.kind === "call" && expr.function === name && !this.#macroCalls.has(expr.id);
  }

  #operator(name: string): void {
    const symbol = findOperator(name)?.symbol ?? name;
    const isLong = this.#bytes - this.#wrappedAt + name.length >= WRAP_COLUMN;
    if (isLong && (name === "_&&_" || name === "_||_")) {
      this.#wrappedAt = this.#bytes;
      this.#write(` ${symbol}\n`);
    } else {
      this.#write(` ${symbol} `);
    }
  }

  #function(node: CallExpr): void {
    if (node.target !== undefined) {
      this.#operand(node.target);
      this.#write(".");
    }
    this.#sequence(
      `${node.function}(`,
      node.args.map((value) => ({ value, prefix: "" })),
      ")",
    );
  }

  #list(node: ListExpr): void {
    const prefix = (index: number) => optionalMark(node.optionalIndices.includes(index));
    this.#sequence(
      "[",
      node.elements.map((value, i) => ({ value, prefix: prefix(i) })),
      "]",
    );
  }

  #struct(node: StructExpr): void {
    const items = node.fields.map(({ name, value, optional }) => {
      return { value, prefix: `${optionalMark(optional)}${fieldName(name)}: ` };
    });
    this.#sequence(`${node.typeName}{`, items, "}");
  }

  #map(node: MapExpr): void {
    this.#write("{");
    for (const [i, entry] of node.entries.entries()) {
      this.#write((i > 0 ? ", " : "") + optionalMark(entry.optional));
      this.#visit(entry.key);
      this.#write(": ");
      this.#visit(entry.value);
    }
    this.#write("}");
  }

  #sequence(open: string, items: readonly { value: Expr; prefix: string }[], close: string): void {
    this.#write(open);
    for (const [i, { value, prefix }] of items.entries()) {
      this.#write((i > 0 ? ", " : "") + prefix);
      this.#visit(value);
    }
    this.#write(close);
  }

  /** What a selection, an index or a method call applies to. */
  #operand(expr: Expr): void {
    const isCall = expr.kind === "call" && !this.#macroCalls.has(expr.id);
    this.#maybeNested(expr, isCall && precedenceOf(expr.function) > 1);
  }

  #maybeNested(expr: Expr, nested: boolean): void {
    if (nested) this.#write("(");
    this.#visit(expr);
    if (nested) this.#write(")");
  }

  #write(text: string): void {
    this.#text += text;
    this.#bytes += byteLength(text);
  }
}

function isBinary(name: string): boolean {
  const operator = findOperator(name);
  return operator?.operands === 2 && operator.symbol !== "";
}

/** cel-go treats any call with two arguments as complex, including function calls. */
function isComplex(expr: Expr): boolean {
  return expr.kind === "call" && expr.args.length >= 2;
}

function bindsLooser(expr: Expr, name: string): boolean {
  return isComplex(expr) && expr.kind === "call" && precedenceOf(expr.function) > precedenceOf(name);
}

function bindsSame(expr: Expr, name: string): boolean {
  return expr.kind === "call" && precedenceOf(expr.function) === precedenceOf(name);
}

function optionalMark(optional: boolean): string {
  return optional ? "?" : "";
}

const plainName = /^[A-Za-z_][0-9A-Za-z_]*$/;
const keywords: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);

function fieldName(name: string): string {
  return plainName.test(name) && !keywords.has(name) ? name : `\`${name}\``;
}

function formatConstant(value: Constant): string {
  if (value === null) return "null";
  if (typeof value === "string") return quote(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return formatDouble(value.value);
  if (value instanceof Bytes) return `b"${Array.from(value.data, octal).join("")}"`;
  return String(value);
}

function formatDouble(value: number): string {
  const text = formatFloat(value, "g", -1, 64);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
