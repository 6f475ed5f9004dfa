/**
 * The JSONPath dialect of printer columns: `.spec.ports[0].name`, `.items[*].x`, `['a.b']`, `..name`, slices, unions and
 * filters such as `[?(@.type=="Ready")].status`.
 *
 * Follows client-go util/jsonpath with missing keys allowed. A path that cannot be read finds nothing.
 */

import { splitComparison } from "@portcullis/engine/internal/policy/json-path";
import { looseEqual } from "@portcullis/engine/internal/value/equal";
import {
  isArray,
  isNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  sortedKeys,
} from "@portcullis/engine/internal/value/json";
import { compareNumbers } from "@portcullis/engine/internal/value/number";

type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "slice"; readonly from: number; readonly to: number | undefined; readonly step: number }
  | { readonly kind: "recursive" }
  | { readonly kind: "union"; readonly paths: readonly JsonPath[] }
  | { readonly kind: "filter"; readonly left: Operand; readonly operator: string; readonly right: Operand };

type Operand = { readonly path: JsonPath } | { readonly value: JsonValue };

export type JsonPath = readonly Step[];

/** Undefined if the text is not a path. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = text.trim().replace(/^[@$]/, "");
  while (rest !== "") {
    const parsed = parseStep(rest);
    if (parsed === undefined) return undefined;
    steps.push(...parsed.steps);
    rest = parsed.rest;
  }
  return steps;
}

/** How many more values may be looked at. */
export interface SearchBudget {
  left: number;
}

/** The first value in the order of the document. Beyond the budget nothing is found. */
export function findFirst(path: JsonPath, object: JsonObject, budget: SearchBudget): JsonValue | undefined {
  return first(path, 0, object, { budget, failed: new Map(), depth: 0, found: (value) => value });
}

interface Parsed {
  readonly steps: readonly Step[];
  readonly rest: string;
}

const NAME = /^((?:\\.|[^.[\]{}@$\s,\\])+)/;

function parseStep(text: string): Parsed | undefined {
  if (text.startsWith("[?(")) return parseFilter(text);
  if (text.startsWith("[")) return parseBracket(text);
  if (text.startsWith("..")) {
    const rest = text.slice(2);
    const name = NAME.exec(rest);
    const steps: Step[] = [{ kind: "recursive" }];
    if (name === null) return { steps, rest };
    return { steps: [...steps, fieldStep(name[1] ?? "")], rest: rest.slice(name[0].length) };
  }
  if (!text.startsWith(".")) return undefined;
  const name = NAME.exec(text.slice(1));
  if (name === null) return { steps: [], rest: text.slice(1) };
  return { steps: [fieldStep(name[1] ?? "")], rest: text.slice(1 + name[0].length) };
}

function fieldStep(name: string): Step {
  return name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replace(/\\(.)/g, "$1") };
}

function parseBracket(text: string): Parsed | undefined {
  const end = text.indexOf("]");
  if (end === -1) return undefined;
  const inner = text.slice(1, end);
  const rest = text.slice(end + 1);
  const parts = inner.split(",");
  if (parts.length > 1) {
    const paths = parts.map((part) => parseJsonPath(`[${part.trim()}]`));
    if (paths.some((path) => path === undefined)) return undefined;
    return { steps: [{ kind: "union", paths: paths.filter((path) => path !== undefined) }], rest };
  }
  const key = /^'([^']*)'$/.exec(inner);
  if (key !== null) return { steps: (key[1] ?? "").split(/(?<!\\)\./).map(fieldStep), rest };
  const slice = inner === "*" ? /^()()()$/.exec("") : /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(inner);
  return slice === null ? undefined : { steps: [sliceStep(slice, inner)], rest };
}

function sliceStep(match: RegExpExecArray, text: string): Step {
  const from = match[1] === "" || match[1] === undefined ? 0 : Number(match[1]);
  if (!text.includes(":") && text !== "*")
    return { kind: "slice", from, to: from === -1 ? undefined : from + 1, step: 1 };
  const number = (part: string | undefined): number | undefined =>
    part === undefined || part === ":" || part === "" ? undefined : Number(part.slice(1));
  return { kind: "slice", from, to: number(match[2]), step: number(match[3]) ?? 1 };
}

/** A filter may hold brackets and quoted parentheses of its own. */
function parseFilter(text: string): Parsed | undefined {
  let quote = "";
  let depth = 0;
  for (let at = 3; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth++;
    else if (char === ")" && depth-- === 0) {
      const step = text.charAt(at + 1) === "]" ? parseCondition(text.slice(3, at)) : undefined;
      return step && { steps: [step], rest: text.slice(at + 2) };
    }
  }
  return undefined;
}

function parseCondition(text: string): Step | undefined {
  const comparison = splitComparison(text);
  const left = parseOperand((comparison?.left ?? text).trim());
  if (left === undefined) return undefined;
  if (comparison === undefined) return { kind: "filter", left, operator: "exists", right: { value: null } };
  const right = parseOperand(comparison.right.trim());
  return right && { kind: "filter", left, operator: comparison.operator, right };
}

function parseOperand(text: string): Operand | undefined {
  const quoted = /^"([^"]*)"$|^'([^']*)'$/.exec(text);
  if (quoted !== null) return { value: quoted[1] ?? quoted[2] ?? "" };
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
  if (text === "true" || text === "false") return { value: text === "true" };
  const path = parseJsonPath(text);
  return path && { path };
}

interface Search {
  readonly budget: SearchBudget;
  /** Where nothing was found, by the rest of the path: several ways lead to a value, and their number may double. */
  readonly failed: Map<Step, Set<JsonValue>>;
  readonly depth: number;
  /** What is left of the path around this one. */
  readonly found: (value: JsonValue) => JsonValue | undefined;
}

/** Below so many levels, or behind so many steps, nothing is found. */
const MAX_DEPTH = 2_000;

/** Undefined if there is none. */
function first(path: JsonPath, index: number, value: JsonValue, search: Search): JsonValue | undefined {
  const step = path[index];
  if (step === undefined) return search.found(value);
  const { budget } = search;
  if (budget.left-- <= 0 || search.depth + index > MAX_DEPTH) return undefined;
  const failed = isBranching(step) ? failedAt(step, search) : undefined;
  if (failed?.has(value) === true) return undefined;
  const found = follow(path, index, value, search);
  if (found === undefined && typeof value === "object" && value !== null) failed?.add(value);
  return found;
}

/** Paths of other steps lead to each value once. */
function isBranching({ kind }: Step): boolean {
  return kind === "recursive" || kind === "union";
}

function failedAt(step: Step, { failed }: Search): Set<JsonValue> {
  const known = failed.get(step) ?? new Set();
  failed.set(step, known);
  return known;
}

function follow(path: JsonPath, index: number, value: JsonValue, search: Search): JsonValue | undefined {
  const step = path[index] as Step;
  const next = (each: JsonValue): JsonValue | undefined => first(path, index + 1, each, search);
  switch (step.kind) {
    case "recursive": {
      const deeper = { ...search, depth: search.depth + 1 };
      return next(value) ?? firstOf(membersOf(value), (member) => first(path, index, member, deeper));
    }
    case "union":
      return firstOf(step.paths, (each) => first(each, 0, value, { ...search, found: next }));
    default:
      return firstOf(apply(step, value, search.budget), next);
  }
}

function firstOf<T>(items: readonly T[], find: (item: T) => JsonValue | undefined): JsonValue | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

type PlainStep = Exclude<Step, { kind: "recursive" | "union" }>;

function apply(step: PlainStep, value: JsonValue, budget: SearchBudget): readonly JsonValue[] {
  switch (step.kind) {
    case "field":
      return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name] as JsonValue] : [];
    case "wildcard":
      return membersOf(value);
    case "slice":
      return isArray(value) ? sliceOf(value, step.from, step.to, step.step) : [];
    case "filter":
      return isArray(value) ? value.filter((item) => passes(step, item, budget)) : [];
  }
}

function membersOf(value: JsonValue): JsonValue[] {
  if (isArray(value)) return value;
  return isObject(value) ? sortedKeys(value).map((key) => value[key] as JsonValue) : [];
}

function sliceOf(items: readonly JsonValue[], from: number, to: number | undefined, step: number): JsonValue[] {
  const start = from < 0 ? from + items.length : from;
  const end = to === undefined ? items.length : to < 0 ? to + items.length : to;
  if (start < 0 || step < 1) return [];
  return items.slice(start, Math.max(start, end)).filter((_, index) => index % step === 0);
}

function passes({ left, operator, right }: Extract<Step, { kind: "filter" }>, item: JsonValue, budget: SearchBudget) {
  if (budget.left-- <= 0) return false;
  const a = operandValue(left, item, budget);
  if (operator === "exists") return a !== undefined;
  const b = operandValue(right, item, budget);
  if (a === undefined || b === undefined) return false;
  if (operator === "==") return looseEqual(a, b);
  if (operator === "!=") return !looseEqual(a, b);
  const order = compare(a, b);
  if (order === undefined) return false;
  return (
    (operator.includes("<") && order < 0) ||
    (operator.includes(">") && order > 0) ||
    (operator.includes("=") && order === 0)
  );
}

function compare(a: JsonValue, b: JsonValue): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

function operandValue(operand: Operand, item: JsonValue, budget: SearchBudget): JsonValue | undefined {
  if ("value" in operand) return operand.value;
  return first(operand.path, 0, item, { budget, failed: new Map(), depth: 0, found: (value) => value });
}
