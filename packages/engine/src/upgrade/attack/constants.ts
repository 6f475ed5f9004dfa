/** Constants of rules and schemas, and the values next to them: verdicts change there. */
import { type Constant, Double, type Expr, walk } from "@portcullis/cel/internal";
import type { RuleNode } from "../../rules/tree.ts";
import type { Structural } from "../../schema/structural.ts";
import { nextDown, nextUp } from "../../symbolic/doubles.ts";
import { isNumber, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";

export interface Constants {
  readonly integers: Set<bigint>;
  readonly doubles: Set<number>;
  readonly texts: Set<string>;
  /** The functions that rules call. */
  readonly functions: Set<string>;
}

export function newConstants(): Constants {
  return { integers: new Set(), doubles: new Set(), texts: new Set(), functions: new Set() };
}

/** Collects the constants of the rules at a node and below it, down to a depth. */
export function collectRules(node: RuleNode | undefined, found: Constants, depth = 3): void {
  if (node === undefined || depth < 0) return;
  for (const { ast } of node.rules) if (ast !== undefined) collectExpr(ast.checked.expr, found);
  const inner = [node.items, node.additional, node.keys, ...node.properties.values()];
  for (const each of inner) collectRules(each, found, depth - 1);
}

function collectExpr(expr: Expr, found: Constants): void {
  walk(expr, (each) => {
    if (each.kind === "literal") addConstant(each.value, found);
    if (each.kind === "call") found.functions.add(each.function);
  });
}

function addConstant(value: Constant, { integers, doubles, texts }: Constants): void {
  if (typeof value === "number" || typeof value === "bigint") integers.add(BigInt(value));
  if (typeof value === "string") texts.add(value);
  if (value instanceof Double) doubles.add(value.value);
}

/** Bounds, enums and factors of a schema and of the branches of its combinators. */
export function collectSchema(schema: Structural, found: Constants, depth = 4): void {
  if (depth < 0) return;
  const { minimum, maximum, multipleOf } = schema;
  for (const bound of [minimum, maximum, multipleOf]) if (bound !== undefined) addNumber(bound, found);
  const sizes = [schema.minLength, schema.maxLength, schema.minItems, schema.maxItems];
  for (const size of sizes) if (size !== undefined && size < 1000) found.integers.add(BigInt(Math.trunc(size)));
  for (const value of schema.enum ?? []) addValue(value, found);
  if (schema.default !== undefined) addValue(schema.default, found);
  const branches = [
    ...schema.allOf,
    ...schema.anyOf,
    ...schema.oneOf,
    ...(schema.not === undefined ? [] : [schema.not]),
  ];
  for (const branch of branches) {
    collectSchema(branch, found, depth - 1);
    for (const inner of branch.properties.values()) collectSchema(inner, found, depth - 1);
    if (branch.items !== undefined) collectSchema(branch.items, found, depth - 1);
  }
}

function addValue(value: JsonValue, found: Constants): void {
  if (typeof value === "string") found.texts.add(value);
  else if (typeof value === "bigint") found.integers.add(value);
  else if (isNumber(value)) addNumber(asFloat(value), found);
}

function addNumber(value: number, { integers, doubles }: Constants): void {
  doubles.add(value);
  if (Math.abs(value) < 2 ** 63) integers.add(BigInt(Math.trunc(value)));
}

const EXTREMES: readonly bigint[] = [
  0n,
  1n,
  -1n,
  2n,
  100n,
  2n ** 31n,
  -(2n ** 31n) - 1n,
  2n ** 53n + 1n,
  3_037_000_500n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

export function nearbyIntegers({ integers, doubles }: Constants): bigint[] {
  const whole = [...doubles].filter((value) => Math.abs(value) < 2 ** 63).map((value) => BigInt(Math.trunc(value)));
  const near = [...integers, ...whole].flatMap((value) => [value, value + 1n, value - 1n]);
  const inRange = (value: bigint): boolean => value >= -(2n ** 63n) && value < 2n ** 63n;
  return [...new Set([...near, ...EXTREMES])].filter(inRange);
}

const MAX_REPEATED = 8;

/** Strings that differ from a constant in little, and strings that have it several times. */
export function nearbyTexts(text: string): string[] {
  const edited = [
    text,
    `${text}a`,
    `a${text}`,
    text.slice(1),
    text.slice(0, -1),
    text.toUpperCase(),
    capitalized(text),
  ];
  if (text.length > MAX_REPEATED) return edited;
  return [...edited, `a${text}a`, `a${text}b${text}c`, `a${text}b${text}c${text}d`, text.repeat(4)];
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

export function nearbyDoubles({ integers, doubles }: Constants): number[] {
  const near = [...doubles, ...[...integers].map(Number)].flatMap((value) => [
    value,
    nextUp(value),
    nextDown(value),
    value + 0.5,
    value - 0.5,
    value * 3,
  ]);
  return [...new Set([...near, 0, 0.5, -0.5, 1.5, 1e300, -1e300, 1.5e16, 4e38])].filter(Number.isFinite);
}
