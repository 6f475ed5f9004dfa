/**
 * What Kubernetes charges beyond the costs that overloads carry: `==` on values of library types, and calls whose
 * overload is found only at run time, which upstream prices by name.
 */
import {
  type ActualCost,
  type CallEstimate,
  type CallPrice,
  type CostModel,
  type CostNode,
  type Library,
  OpaqueValue,
  type Type,
} from "@portcullis/cel/internal";
import type { EqualityCost, PricedLibrary } from "./library/define.ts";

export function kubernetesCostModel(all: readonly (Library | PricedLibrary)[]): CostModel {
  const libraries = all.filter((library) => "dynamicPrices" in library);
  const dynamicPrices = firstOfEachName(libraries);
  const equality = new Map(libraries.flatMap((library) => library.equality.map((cost) => [nameOf(cost.type), cost])));
  const equalityPrice: CallPrice = ([left]) => {
    return left instanceof OpaqueValue && equality.has(nameOf(left.type)) ? 1 : undefined;
  };
  return {
    callPrice: (functionName, overloadId) => {
      if (functionName === "_==_") return equalityPrice;
      return overloadId === "" ? dynamicPrices.get(functionName) : undefined;
    },
    estimateCall: (functionName, _overloadId, _target, args) => {
      return functionName === "_==_" ? estimateEquality(equality, args) : undefined;
    },
  };
}

function firstOfEachName(libraries: readonly PricedLibrary[]): ReadonlyMap<string, ActualCost> {
  const prices = new Map<string, ActualCost>();
  for (const library of libraries) {
    for (const [name, price] of library.dynamicPrices) if (!prices.has(name)) prices.set(name, price);
  }
  return prices;
}

function estimateEquality(
  equality: ReadonlyMap<string, EqualityCost>,
  [left, right]: readonly CostNode[],
): CallEstimate | undefined {
  if (left === undefined || right === undefined) return undefined;
  const name = nameOf(left.type);
  return name === nameOf(right.type) ? equality.get(name)?.estimate(left, right) : undefined;
}

function nameOf(type: Type): string {
  return type.kind === "object" || type.kind === "opaque" ? type.name : "";
}
