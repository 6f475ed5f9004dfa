/**
 * The estimated costs of calls. The cost that an overload carries comes first, then the cost model's, then the
 * language's, which covers strings, lists and the operators that do not evaluate all their operands.
 */
import type { CallExpr } from "../ast/expr.ts";
import { type CelGoVersion, hasCelGo } from "../types/cel-go.ts";
import type { CallEstimate, CostEstimate, CostModel, OverloadCost, SizeEstimate, SizeHints } from "../types/cost.ts";
import {
  addRanges,
  lesser,
  multiplyByCostFactor,
  multiplyRanges,
  ONE_RANGE,
  unionRanges,
  wrapUint64,
  ZERO_RANGE,
} from "../types/range.ts";
import { type CostState, type SizedNode, unionEntrySizes } from "./cost-state.ts";

export interface Call {
  readonly expr: CallExpr;
  readonly target: SizedNode | undefined;
  readonly args: readonly SizedNode[];
  readonly argCosts: readonly CostEstimate[];
}

export interface Pricing {
  readonly hints: SizeHints;
  readonly model?: CostModel | undefined;
  readonly celGo: CelGoVersion;
  readonly overloadCosts: (overloadId: string) => OverloadCost | undefined;
}

const STRING_TRAVERSAL = 0.1;
const REGEX_LENGTH = 0.25;

export function estimateCall(state: CostState, pricing: Pricing, call: Call, overloadId: string): CallEstimate {
  const { expr, target, args } = call;
  const { hints, model } = pricing;
  const special =
    pricing.overloadCosts(overloadId)?.estimate?.(hints, target, args) ??
    model?.estimateCall(expr.function, overloadId, target, args, hints) ??
    linearCall(overloadId, pricing.celGo)?.(call);
  if (special !== undefined) return plusArguments(special, call);
  return OPERATORS.get(overloadId)?.(call, state) ?? plusArguments({ cost: ONE_RANGE }, call);
}

function plusArguments(estimate: CallEstimate, call: Call): CallEstimate {
  const argumentCost = call.argCosts.reduce(addRanges, ZERO_RANGE);
  return { cost: addRanges(estimate.cost, argumentCost), resultSize: estimate.resultSize };
}

type CallPrice = (call: Call) => CallEstimate | undefined;

/** Before 0.29 `matches(text, pattern)` cost 1. */
function linearCall(overloadId: string, celGo: CelGoVersion): CallPrice | undefined {
  return !hasCelGo(celGo, "0.29") && overloadId === "matches" ? undefined : LINEAR_CALLS.get(overloadId);
}

/** Calls whose cost depends on the size of their operands. */
// biome-ignore format: a table
const LINEAR_CALLS: ReadonlyMap<string, CallPrice> = new Map<string, CallPrice>(Object.entries({
  string_format:         ({ target }) => target && { cost: traversal(target.size) },
  string_to_bytes:       ({ args }) => convert(args, (size) => ({ min: size.min, max: wrapUint64(size.max * 4n) })),
  bytes_to_string:       ({ args }) => convert(args, (size) => ({ min: size.min / 4n, max: size.max })),
  strings_quote:         ({ args }) => convert(args, (size) => ({ min: wrapUint64(size.min + 2n), max: wrapUint64(size.max * 2n + 2n) })),
  starts_with_string:    ({ args }) => convert(args, () => undefined),
  ends_with_string:      ({ args }) => convert(args, () => undefined),
  in_list:               ({ args }) => pair(args, (_, list) => ({ cost: multiplyByCostFactor(list, 1) })),
  matches:               ({ args }) => pair(args, (text, pattern) => ({ cost: matchCost(text, pattern) })),
  matches_string:        ({ target, args }) => onTarget(target, args, matchCost),
  contains_string:       ({ target, args }) => onTarget(target, args, (text, part) => multiplyRanges(traversal(text), traversal(part))),
  less_string:           compare,
  greater_string:        compare,
  less_equals_string:    compare,
  greater_equals_string: compare,
  less_bytes:            compare,
  greater_bytes:         compare,
  less_equals_bytes:     compare,
  greater_equals_bytes:  compare,
  equals:                compare,
  not_equals:            compare,
}));

type OperatorPrice = (call: Call, state: CostState) => CallEstimate | undefined;

/** Operators that need not evaluate all their operands, or whose result has entries of a known size. */
const OPERATORS: ReadonlyMap<string, OperatorPrice> = new Map<string, OperatorPrice>(
  Object.entries({
    logical_or: shortCircuit,
    logical_and: shortCircuit,
    conditional,
    add_string: (call, state) => concatenate(call, state, traversal),
    add_bytes: (call, state) => concatenate(call, state, traversal),
    add_list: (call, state) => concatenate(call, state, () => ONE_RANGE),
  }),
);

function traversal(size: SizeEstimate): CostEstimate {
  return multiplyByCostFactor(size, STRING_TRAVERSAL);
}

/** Traverses one argument once. */
function convert(
  args: readonly SizedNode[],
  resultSize: (size: SizeEstimate) => SizeEstimate | undefined,
): CallEstimate | undefined {
  const [arg] = args;
  if (arg === undefined || args.length !== 1) return undefined;
  const size = arg.size;
  return { cost: traversal(size), resultSize: resultSize(size) };
}

function pair(
  args: readonly SizedNode[],
  price: (left: SizeEstimate, right: SizeEstimate) => CallEstimate,
): CallEstimate | undefined {
  const [left, right] = args;
  if (left === undefined || right === undefined || args.length !== 2) return undefined;
  return price(left.size, right.size);
}

function onTarget(
  target: SizedNode | undefined,
  args: readonly SizedNode[],
  price: (target: SizeEstimate, arg: SizeEstimate) => CostEstimate,
): CallEstimate | undefined {
  const [arg] = args;
  if (target === undefined || arg === undefined || args.length !== 1) return undefined;
  return { cost: price(target.size, arg.size) };
}

/** The text counts one more, so that a pattern has a cost on an empty text too. */
function matchCost(text: SizeEstimate, pattern: SizeEstimate): CostEstimate {
  return multiplyRanges(traversal(addRanges(text, ONE_RANGE)), multiplyByCostFactor(pattern, REGEX_LENGTH));
}

/** At least one unit unless one side is known to be empty; at most the shorter side. */
function compare({ args }: Call): CallEstimate | undefined {
  return pair(args, (left, right) => {
    const max = lesser(left.max, right.max);
    return { cost: traversal({ min: max > 0n ? 1n : 0n, max }) };
  });
}

function shortCircuit({ argCosts }: Call): CallEstimate | undefined {
  const [left, right] = argCosts;
  if (left === undefined || right === undefined) return undefined;
  return { cost: { min: left.min, max: addRanges(left, right).max } };
}

function conditional({ expr, args, argCosts }: Call, state: CostState): CallEstimate | undefined {
  const [, whenTrue, whenFalse] = args;
  const [condition, trueCost, falseCost] = argCosts;
  if (whenTrue === undefined || whenFalse === undefined) return undefined;
  if (condition === undefined || trueCost === undefined || falseCost === undefined) return undefined;
  const entrySize = unionEntrySizes(state.entrySizeOf(whenTrue.expr), state.entrySizeOf(whenFalse.expr));
  state.setEntrySize(expr, entrySize);
  return {
    cost: addRanges(condition, unionRanges(trueCost, falseCost)),
    resultSize: unionRanges(whenTrue.size, whenFalse.size),
  };
}

/** Lists are joined in constant time, text is copied. */
function concatenate(
  call: Call,
  state: CostState,
  price: (size: SizeEstimate) => CostEstimate,
): CallEstimate | undefined {
  const [left, right] = call.args;
  if (left === undefined || right === undefined || call.args.length !== 2) return undefined;
  const resultSize = addRanges(left.size, right.size);
  state.setEntrySize(call.expr, unionEntrySizes(state.entrySizeOf(left.expr), state.entrySizeOf(right.expr)));
  return plusArguments({ cost: price(resultSize), resultSize }, call);
}
