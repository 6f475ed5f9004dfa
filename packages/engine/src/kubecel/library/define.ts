/**
 * Kubernetes' own libraries: everything about a function is in one place.
 *
 * A definition is one overload: its signature, implementation, cost, documentation and example. All of them are
 * required, so a function without a cost does not compile.
 */
import type {
  ActualCost,
  CallEstimate,
  CostNode,
  FunctionDecl,
  Implementation,
  Library,
  Type,
} from "@portcullis/cel/internal";
import { type FunctionCost, UNIT_ESTIMATE } from "./cost.ts";

export interface FunctionDefinition {
  readonly name: string;
  /** cel-go's id of the overload. */
  readonly id: string;
  /** The type of the receiver; absent for global functions. */
  readonly on?: Type;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly call: Implementation;
  readonly cost: FunctionCost;
  /**
   * Upstream prices calls by name. A call whose overload is found only at run time costs what this overload costs;
   * without the mark, what the first overload of the name costs.
   */
  readonly pricesDynamicCalls?: true;
  readonly doc: string;
  /** An expression that uses the overload and evaluates to true. */
  readonly example: string;
}

/** The estimated cost of `==` between two values of a library's type. At run time it costs 1. */
export interface EqualityCost {
  readonly type: Type;
  readonly estimate: (left: CostNode, right: CostNode) => CallEstimate;
}

export function unitEquality(type: Type): EqualityCost {
  return { type, estimate: () => UNIT_ESTIMATE };
}

export interface LibraryDefinition {
  readonly name: string;
  readonly functions: readonly FunctionDefinition[];
  /** Abstract types whose names expressions may use. */
  readonly types?: readonly Type[];
  readonly equality?: readonly EqualityCost[];
}

/** A library with the costs that cannot be attached to an overload. */
export interface PricedLibrary extends Library {
  /** By function name: the cost of calls whose overload is found only at run time. */
  readonly dynamicPrices: ReadonlyMap<string, ActualCost>;
  readonly equality: readonly EqualityCost[];
}

export function defineLibrary({ name, functions, types = [], equality = [] }: LibraryDefinition): PricedLibrary {
  return { name, types, equality, functions: declarations(functions), dynamicPrices: dynamicPrices(functions) };
}

function declarations(definitions: readonly FunctionDefinition[]): FunctionDecl[] {
  const names = new Set(definitions.map(({ name }) => name));
  return [...names].map((name) => ({
    name,
    overloads: definitions.filter((definition) => definition.name === name).map(overload),
  }));
}

function overload({ id, on, params, result, call, cost, doc, example }: FunctionDefinition) {
  const all = on === undefined ? params : [on, ...params];
  return { id, member: on !== undefined, params: all, result, call, cost, doc, example };
}

function dynamicPrices(definitions: readonly FunctionDefinition[]): ReadonlyMap<string, ActualCost> {
  const prices = new Map<string, ActualCost>();
  for (const { name, cost, pricesDynamicCalls } of definitions) {
    if (pricesDynamicCalls === true || !prices.has(name)) prices.set(name, cost.actual);
  }
  return prices;
}
