/**
 * Calls: which operator or function, which overload, at what cost.
 *
 * Calls with one or two arguments evaluate all of them and are charged even if an argument is an error. Calls with
 * more arguments, and those with two whose overload is found at run time, stop at the first error; then neither
 * the later arguments nor the call are charged. Follows cel-go interpreter/planner.go and interpretable.go.
 */
import type { CallExpr } from "../../ast/expr.ts";
import type { FunctionDecl, Overload } from "../../types/decl.ts";
import { EntryMap } from "../../values/map.ts";
import { noSuchOverload } from "../../values/messages.ts";
import { Panic } from "../../values/panic.ts";
import { runesOf } from "../../values/text-size.ts";
import { Bytes, CelError, ListValue, type Value } from "../../values/value.ts";
import { unusedAfter } from "../construct.ts";
import type { Run } from "../frame.ts";
import { noSuchOverloadOf, unhashable } from "../messages.ts";
import { isOperator } from "../mismatch.ts";
import { planArithmetic } from "../operators/arithmetic.ts";
import { planEquality, planOrdering } from "../operators/compare.ts";
import { planAnd, planNot, planNotStrictlyFalse, planOptionalOr, planOr } from "../operators/logic.ts";
import { planMembership } from "../operators/membership.ts";
import { checkPattern, planMatches } from "../operators/regex.ts";
import { planStringTest } from "../operators/strings.ts";
import { constantPlan, type Plan, PlanFailure, type Planning, readOf } from "../plan.ts";
import { type Price, priceFor, priceOfCall, UNIT_PRICE } from "../price.ts";
import { type Candidate, candidatesOf, dispatchMany, dispatchOne, dispatchTwo, implementationFor } from "./dispatch.ts";

export function planCall(planning: Planning, expr: CallExpr): Plan {
  const exprs = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
  const args = exprs.map((arg) => planning.plan(arg));
  const [first, second] = args;
  if (first !== undefined && second === undefined) return planUnary(planning, expr, first);
  if (first !== undefined && second !== undefined && args.length === 2) {
    const types = exprs.map((arg) => planning.typeOf(arg));
    return planBinary(planning, expr, [first, second], (name) => planEquality(planning, name, first, second, types));
  }
  const call = resolveCall(planning, expr, args.length);
  checkPattern(planning, call.name, args);
  return planMany(planning, call, args);
}

interface ResolvedCall {
  readonly name: string;
  readonly candidates: readonly Candidate[];
  readonly price: Price;
  /** The overload that the checker selected, if it was only one. */
  readonly overload: Overload | undefined;
}

function resolveCall(planning: Planning, expr: CallExpr, argCount: number): ResolvedCall {
  const { environment, checked } = planning;
  const declaration = environment.findFunction(expr.function) ?? { name: expr.function, overloads: [] };
  const overload = onlyOverload(declaration, checked.references.get(expr.id)?.overloadIds ?? []);
  // Operators depend on the operations of their operands, not on the overload.
  const applicable = overload === undefined || isOperator(expr.function) ? ordered(declaration, overload) : [overload];
  return {
    name: expr.function,
    candidates: candidatesOf(declaration, applicable, argCount),
    price: priceOfCall(expr.function, overload, environment.costModel, environment.celGo),
    overload,
  };
}

/** All overloads, the most likely first. The order does not matter for operators: their overloads exclude each other. */
function ordered({ overloads }: FunctionDecl, likeliest: Overload | undefined): readonly Overload[] {
  return likeliest === undefined ? overloads : [likeliest, ...overloads.filter((overload) => overload !== likeliest)];
}

function onlyOverload(declaration: FunctionDecl, ids: readonly string[]): Overload | undefined {
  return ids.length === 1 ? declaration.overloads.find((overload) => overload.id === ids[0]) : undefined;
}

function planUnary(planning: Planning, expr: CallExpr, operand: Plan): Plan {
  if (expr.function === "!_") return planNot(planning, operand);
  if (expr.function === "@not_strictly_false") return planNotStrictlyFalse(planning, operand);
  const call = resolveCall(planning, expr, 1);
  const plan = call.name === "size" ? planSize(planning, call, operand) : planOne(planning, call, operand);
  return CONVERSIONS.has(call.name) && operand.constant !== undefined ? foldConversion(planning, plan) : plan;
}

const CONVERSIONS: ReadonlySet<string> = new Set(
  "bool bytes double duration dyn int string timestamp type uint".split(" "),
);

/** A conversion of a constant is a constant; if it fails, so does making the program. */
function foldConversion(planning: Planning, plan: Plan): Plan {
  const value = plan.run(planning.constantFrame);
  if (value instanceof CelError) throw new PlanFailure(value);
  return constantPlan(value);
}

function planSize(planning: Planning, { name, candidates, price }: ResolvedCall, list: Plan): Plan {
  const { count } = list;
  const operand = count === undefined ? list : { run: count, fixed: list.fixed, constant: undefined };
  const { run: runOperand } = operand;
  const size = (value: Value): Value => {
    if (typeof value === "string") return runesOf(value);
    if (count !== undefined && typeof value === "number") return value;
    return value instanceof ListValue ? value.size : dispatchOne(name, candidates, value);
  };
  const plan = planning.node((frame) => size(runOperand(frame)), price.fixed, [operand]);
  return planning.exact ? plan : { ...plan, sizeOf: { operand, size } };
}

type PlanEquality = (name: "_==_" | "_!=_") => Plan;

function planBinary(planning: Planning, expr: CallExpr, args: readonly [Plan, Plan], equality: PlanEquality): Plan {
  const [left, right] = args;
  switch (expr.function) {
    case "_&&_":
      return planAnd(planning, left, right);
    case "_||_":
      return planOr(planning, left, right);
    case "_==_":
    case "_!=_":
      return equality(expr.function);
  }
  const call = resolveCall(planning, expr, 2);
  return (
    planOptional(planning, call, args) ??
    planConstantMembership(planning, call, args) ??
    planKeyMembership(planning, call, args) ??
    planMatches(planning, call.name, call.price, args) ??
    planOrdering(planning, call.name, call.price, left, right) ??
    planArithmetic(planning, call.name, call.price, args, (l, r) => dispatchTwo(call.name, call.candidates, l, r)) ??
    planStringTest(planning, call.name, args) ??
    planTwo(planning, call, args)
  );
}

function planOptional(
  planning: Planning,
  { name, overload }: ResolvedCall,
  args: readonly [Plan, Plan],
): Plan | undefined {
  if (overload !== undefined && overload.id !== OPTIONAL_OVERLOADS[name]) return undefined;
  if (OPTIONAL_OVERLOADS[name] === undefined) return undefined;
  return planOptionalOr(planning, args[0], args[1], name === "orValue");
}

const OPTIONAL_OVERLOADS: Readonly<Record<string, string | undefined>> = {
  or: "optional_or_optional",
  orValue: "optional_orValue_value",
};

function planConstantMembership(
  planning: Planning,
  call: ResolvedCall,
  [value, list]: readonly [Plan, Plan],
): Plan | undefined {
  if (call.overload?.id !== "in_list" || list.constant === undefined) return undefined;
  return planMembership(planning, value, list.constant);
}

/** `key in map`. Bytes cannot be looked up in a Go map: they end the evaluation. */
function planKeyMembership(planning: Planning, call: ResolvedCall, args: readonly [Plan, Plan]): Plan | undefined {
  if (call.name !== "@in" || call.price.ofTwo !== undefined) return undefined;
  const [{ run: runKey }, { run: runMap }] = args;
  const run: Run = (frame) => {
    const key = runKey(frame);
    const map = runMap(frame);
    if (key instanceof Bytes && map instanceof EntryMap) throw new Panic(unhashable("types.Bytes"));
    return dispatchTwo(call.name, call.candidates, key, map);
  };
  return planning.node(run, call.price.fixed, args);
}

function planOne(planning: Planning, call: ResolvedCall, operand: Plan): Plan {
  const { name, candidates, price } = call;
  const { slot, name: field, otherwise } = readOf(operand);
  const [candidate] = candidates;
  const guard = candidate?.guards[0];
  if (candidate === undefined || guard === undefined) return planning.node(unimplemented(name), price.fixed, [operand]);
  const { call: implementation } = candidate;
  const ofString = implementationFor(candidates, "");
  const ofInt = implementationFor(candidates, 0);
  const dispatch = (value: Value): Value =>
    guard(value) ? implementation(value) : dispatchOne(name, candidates, value);
  const { of, ofOne } = price;
  const run: Run = (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, field);
    const value = found === undefined ? otherwise(frame) : found;
    let result: Value;
    if (typeof value === "string" && ofString !== undefined) result = ofString(value);
    else if (typeof value === "number" && ofInt !== undefined) result = ofInt(value);
    else result = dispatch(value);
    if (of !== undefined) frame.cost += of([value], result);
    else if (ofOne !== undefined) frame.cost += ofOne(value);
    return result;
  };
  return planning.node(run, price.fixed, [operand]);
}

function planTwo(planning: Planning, call: ResolvedCall, args: readonly [Plan, Plan]): Plan {
  const { name, candidates, price } = call;
  checkPattern(planning, name, args);
  if (stopsAtError(planning, call, args)) return planMany(planning, call, args);
  const [left, { run: runRight, constant }] = args;
  const { slot, name: field, otherwise } = readOf(left);
  const [candidate] = candidates;
  const [guardLeft, guardRight] = candidate?.guards ?? [];
  if (candidate === undefined || guardLeft === undefined || guardRight === undefined) {
    return planning.node(unimplemented(name), price.fixed, args);
  }
  const { call: implementation } = candidate;
  const isOfStrings = guardLeft("") && guardRight("");
  const { of, ofOne, ofTwo } = price;
  const run: Run = (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, field);
    const l = found === undefined ? otherwise(frame) : found;
    const r = constant === undefined ? runRight(frame) : constant;
    const fits = typeof l === "string" && typeof r === "string" ? isOfStrings : guardLeft(l) && guardRight(r);
    const result = fits ? implementation(l, r) : dispatchTwo(name, candidates, l, r);
    if (of !== undefined) frame.cost += of([l, r], result);
    else if (ofTwo !== undefined) frame.cost += ofTwo(l, r);
    else if (ofOne !== undefined) frame.cost += ofOne(l);
    return result;
  };
  return planning.node(run, price.fixed, args);
}

/** Whether a call with two arguments is evaluated like one with more. */
function stopsAtError(planning: Planning, { name, overload }: ResolvedCall, args: readonly Plan[]): boolean {
  if (isOperator(name)) return false;
  if (overload === undefined || overload.id === "string_format") return true;
  return planning.environment.patternFunctions.has(name) && typeof args[1]?.constant === "string";
}

function planMany(planning: Planning, call: ResolvedCall, args: readonly Plan[]): Plan {
  const { name, candidates, price } = call;
  const runs = args.map((arg) => arg.run);
  const unused = unusedAfter(args);
  const isPriced = price !== UNIT_PRICE && (price.of ?? price.ofOne ?? price.ofTwo) !== undefined;
  const last = runs.length - 1;
  // A function whose pattern was compiled in advance checks its other arguments itself; its messages are shorter.
  const isPattern = planning.environment.patternFunctions.has(name) && typeof args[1]?.constant === "string";
  const run: Run = (frame) => {
    const values: Value[] = [];
    for (let index = 0; index <= last; index++) {
      const value = runs[index]?.(frame) ?? null;
      values.push(value);
      if (value instanceof CelError && index < last) {
        frame.cost -= (unused[index] ?? 0) + price.fixed;
        return value;
      }
    }
    const result =
      isPattern && !fits(candidates, values)
        ? firstErrorOr(values, noSuchOverload())
        : dispatchMany(name, candidates, values);
    if (isPriced) frame.cost += priceFor(price, values, result) - price.fixed;
    return result;
  };
  return planning.node(run, price.fixed, args);
}

function fits(candidates: readonly Candidate[], values: readonly Value[]): boolean {
  return candidates.some(({ guards }) => guards.every((guard, index) => guard(values[index] ?? null)));
}

function firstErrorOr(values: readonly Value[], otherwise: CelError): CelError {
  return values.find((value) => value instanceof CelError) ?? otherwise;
}

/** Declared, but not implemented. Its arguments count as read. */
function unimplemented(name: string): Run {
  return () => noSuchOverloadOf(name);
}
