/** Constant patterns: compiled once; making the program fails if one does not compile. */
import { compileCached, type Pattern } from "@portcullis/gostd/regexp";
import { noSuchOverload } from "../../values/messages.ts";
import { runtimeTypeName } from "../../values/type-of.ts";
import { CelError, TypeValue, type Value } from "../../values/value.ts";
import type { Run } from "../frame.ts";
import { type Plan, PlanFailure, type Planning, readOf } from "../plan.ts";
import { matchPatternCost, matchTextCost, type Price } from "../price.ts";

export function checkPattern(planning: Planning, functionName: string, args: readonly Plan[]): void {
  const source = args[1]?.constant;
  if (typeof source === "string" && planning.environment.patternFunctions.has(functionName)) compileConstant(source);
}

function compileConstant(source: string): Pattern {
  const compiled = compileCached(source);
  if (compiled.error !== undefined) throw new PlanFailure(new CelError(compiled.error));
  return compiled.pattern;
}

/** `text.matches('constant')`. */
export function planMatches(
  planning: Planning,
  functionName: string,
  price: Price,
  [text, pattern]: readonly [Plan, Plan],
): Plan | undefined {
  const source = pattern.constant;
  if (functionName !== "matches" || typeof source !== "string") return undefined;
  const compiled = compileConstant(source);
  const factor = price.ofTwo === undefined ? 0 : matchPatternCost(source);
  const { slot, name, otherwise } = readOf(text);
  const run: Run = (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const value = found === undefined ? otherwise(frame) : found;
    if (typeof value === "string") {
      if (factor !== 0) frame.cost += matchTextCost(value) * factor;
      return compiled.matches(value);
    }
    // Evaluated like a call with many arguments: an error stops it before it is charged.
    if (value instanceof CelError) {
      frame.cost -= price.fixed;
      return value;
    }
    if (factor !== 0) frame.cost += matchTextCost(value) * factor;
    return matchesOther(compiled, value);
  };
  return planning.node(run, price.fixed, [text]);
}

// Go data of a type value is its name, which can be matched.
function matchesOther(pattern: Pattern, value: Value): Value {
  return value instanceof TypeValue ? pattern.matches(runtimeTypeName(value.type)) : noSuchOverload();
}
