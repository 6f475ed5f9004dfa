/**
 * The cost of an expression before it runs: the least and the most it can be, given how large its inputs
 * may be. Unbounded inputs have the largest uint64 as their size. Follows cel-go checker/cost.go.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from "../ast/expr.ts";
import { type CelGoVersion, hasCelGo } from "../types/cel-go.ts";
import type { CostEstimate, CostModel, OverloadCost, SizeEstimate, SizeHints } from "../types/cost.ts";
import {
  addRanges,
  fixedRange,
  MAX_UINT64,
  multiplyRanges,
  ONE_RANGE,
  unionRanges,
  ZERO_RANGE,
} from "../types/range.ts";
import { type Call, estimateCall, type Pricing } from "./cost-calls.ts";
import { appendPath } from "./cost-path.ts";
import { CostState, type SizedNode } from "./cost-state.ts";
import { EarlierCostState } from "./cost-state-earlier.ts";

export interface CostOptions {
  readonly hints: SizeHints;
  readonly model?: CostModel | undefined;
  /** Whether `has(a.b)` costs one more than its operand. */
  readonly presenceTestHasCost: boolean;
  readonly celGo: CelGoVersion;
  readonly overloadCosts: (overloadId: string) => OverloadCost | undefined;
}

const LIST_COST = fixedRange(10);
const MAP_COST = fixedRange(30);
const STRUCT_COST = fixedRange(40);
/** The neutral element of a union: any range replaces both bounds. */
const EMPTY_RANGE = { min: MAX_UINT64, max: 0n };

export function estimateCost(checked: CheckedAst, options: CostOptions): CostEstimate {
  return new Estimator(checked, options).cost(checked.expr);
}

class Estimator {
  readonly #state: CostState;
  readonly #pricing: Pricing;
  readonly #presenceTestCost: CostEstimate;
  /** Whether the sizes of values are followed through variables, entries and `dyn`. */
  readonly #tracksValues: boolean;

  constructor(checked: CheckedAst, options: CostOptions) {
    this.#tracksValues = hasCelGo(options.celGo, "0.23");
    const State = this.#tracksValues ? CostState : EarlierCostState;
    this.#state = new State(checked, options.hints);
    this.#pricing = options;
    this.#presenceTestCost = options.presenceTestHasCost ? ONE_RANGE : ZERO_RANGE;
  }

  cost(expr: Expr): CostEstimate {
    switch (expr.kind) {
      case "literal":
        return ZERO_RANGE;
      case "ident":
        this.#state.visitIdent(expr);
        return ONE_RANGE;
      case "select":
        return this.#select(expr);
      case "call":
        return this.#tracksValues && expr.function === "dyn" ? this.#dyn(expr) : this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#tracksValues && isBind(expr) ? this.#bind(expr) : this.#comprehension(expr);
    }
  }

  #select(expr: SelectExpr): CostEstimate {
    const operandCost = this.cost(expr.operand);
    if (expr.testOnly) return addRanges(this.#presenceTestCost, operandCost);
    const { kind } = this.#state.typeOf(expr.operand);
    this.#state.setPath(expr, appendPath(this.#state.pathOf(expr.operand), expr.field));
    return kind === "map" || kind === "object" || kind === "param" ? addRanges(operandCost, ONE_RANGE) : operandCost;
  }

  /** `dyn(x)` only hides the type of x: sizes pass through. */
  #dyn(expr: CallExpr): CostEstimate {
    const [arg] = expr.args;
    if (arg === undefined) return ONE_RANGE;
    const argCost = this.cost(arg);
    this.#state.copySizes(expr, arg);
    return addRanges(ONE_RANGE, argCost);
  }

  #call(expr: CallExpr): CostEstimate {
    const argCosts: CostEstimate[] = [];
    const args: SizedNode[] = [];
    for (const arg of expr.args) {
      argCosts.push(this.cost(arg));
      args.push(this.#state.nodeOf(arg));
    }
    const overloadIds = this.#state.overloadIdsOf(expr);
    if (overloadIds.length === 0) return ZERO_RANGE;
    const targetCost = expr.target === undefined ? ZERO_RANGE : this.cost(expr.target);
    const target = expr.target === undefined ? undefined : this.#state.nodeOf(expr.target);
    return addRanges(targetCost, this.#overloads({ expr, target, args, argCosts }, overloadIds));
  }

  /** A range that covers every overload that may be called. */
  #overloads(call: Call, overloadIds: readonly string[]): CostEstimate {
    let cost: CostEstimate = EMPTY_RANGE;
    let size: SizeEstimate | undefined;
    for (const overloadId of overloadIds) {
      const estimate = estimateCall(this.#state, this.#pricing, call, overloadId);
      cost = unionRanges(cost, estimate.cost);
      const { resultSize } = estimate;
      if (resultSize !== undefined) size = size === undefined ? resultSize : unionRanges(size, resultSize);
      if (overloadId === "index_list") size = this.#index(call.expr, "@items");
      if (overloadId === "index_map") size = this.#index(call.expr, "@values");
      if (this.#tracksValues) size ??= this.#state.sizeOf(call.expr);
    }
    this.#state.setSize(call.expr, size);
    return cost;
  }

  #index(expr: CallExpr, step: string): SizeEstimate | undefined {
    const [container] = expr.args;
    if (container === undefined) return undefined;
    const size = this.#state.entrySizeOf(container)?.value;
    this.#state.setPath(expr, appendPath(this.#state.pathOf(container), step));
    return size;
  }

  #list(expr: ListExpr): CostEstimate {
    let sum: CostEstimate = ZERO_RANGE;
    let value: SizeEstimate = expr.elements.length === 0 ? ZERO_RANGE : EMPTY_RANGE;
    for (const element of expr.elements) {
      sum = addRanges(sum, this.cost(element));
      value = unionRanges(value, this.#state.sizeOrUnknown(element));
    }
    this.#state.setEntrySize(expr, { container: "list", key: ONE_RANGE, value });
    return addRanges(sum, LIST_COST);
  }

  #map(expr: MapExpr): CostEstimate {
    let sum: CostEstimate = ZERO_RANGE;
    let key: SizeEstimate = expr.entries.length === 0 ? ZERO_RANGE : EMPTY_RANGE;
    let value = key;
    for (const entry of expr.entries) {
      sum = addRanges(addRanges(sum, this.cost(entry.key)), this.cost(entry.value));
      key = unionRanges(key, this.#state.sizeOrUnknown(entry.key));
      value = unionRanges(value, this.#state.sizeOrUnknown(entry.value));
    }
    this.#state.setEntrySize(expr, { container: "map", key, value });
    return addRanges(sum, MAP_COST);
  }

  #struct(expr: StructExpr): CostEstimate {
    let sum: CostEstimate = ZERO_RANGE;
    for (const field of expr.fields) sum = addRanges(sum, this.cost(field.value));
    return addRanges(sum, STRUCT_COST);
  }

  /** A bind is evaluated once and does not loop. */
  #bind(expr: ComprehensionExpr): CostEstimate {
    const before = addRanges(this.cost(expr.range), this.cost(expr.accuInit));
    this.#state.pushLocal(expr.accuVar, expr.accuInit);
    const resultCost = this.cost(expr.result);
    this.#state.popLocal(expr.accuVar);
    this.#state.copySizes(expr, expr.result);
    return addRanges(before, resultCost);
  }

  #comprehension(expr: ComprehensionExpr): CostEstimate {
    const before = addRanges(this.cost(expr.range), this.cost(expr.accuInit));
    this.#state.pushLocal(expr.accuVar, expr.accuInit);
    const iterationCost = this.#iteration(expr);
    const resultCost = this.cost(expr.result);
    this.#state.popLocal(expr.accuVar);
    const count = this.#state.sizeOrUnknown(expr.range);
    this.#setFoldSize(expr, count);
    return addRanges(addRanges(before, resultCost), multiplyRanges(count, iterationCost));
  }

  #iteration(expr: ComprehensionExpr): CostEstimate {
    if (expr.iterVar2 === undefined) {
      this.#state.pushSingle(expr.iterVar, expr.range);
    } else {
      this.#state.pushKey(expr.iterVar, expr.range);
      this.#state.pushValue(expr.iterVar2, expr.range);
    }
    const conditionCost = this.cost(expr.loopCondition);
    const stepCost = this.cost(expr.loopStep);
    this.#state.popLoop(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#state.popLocal(expr.iterVar2);
    return addRanges(stepCost, conditionCost);
  }

  /** A result that is a list or map is as large as the range; a scalar has size one. */
  #setFoldSize(expr: ComprehensionExpr, count: SizeEstimate): void {
    if (!this.#tracksValues) {
      this.#state.setSize(expr, count);
      return;
    }
    const { kind } = expr.accuInit;
    if (kind === "literal") this.#state.setSize(expr, this.#state.sizeOf(expr.accuInit));
    if (kind !== "list" && kind !== "map") return;
    this.#state.setSize(expr, count);
    this.#state.setEntrySize(expr, this.#state.entrySizeOf(expr.loopStep));
  }
}

/** Whether a comprehension is what `cel.bind` expands to. */
function isBind({ range, loopCondition, accuVar }: ComprehensionExpr): boolean {
  return (
    range.kind === "list" &&
    range.elements.length === 0 &&
    loopCondition.kind === "literal" &&
    loopCondition.value === false &&
    accuVar !== "__result__"
  );
}
