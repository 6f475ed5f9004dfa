/**
 * cel-go's string functions at Kubernetes' costs. cel-go itself charges 1 for most of them.
 *
 * Follows apiserver pkg/cel/library/cost.go.
 */
import {
  type ActualCost,
  type CelGoVersion,
  type FunctionDecl,
  stringsLibrary as languageStrings,
  type Overload,
} from "@portcullis/cel/internal";
import {
  actualSize,
  CONVERTS_RECEIVER,
  doubleTraversal,
  elementNode,
  estimatedSize,
  estimatedTraversal,
  type FunctionCost,
  READS_ARGUMENT_TWICE,
  TRAVERSES_RECEIVER,
  traversal,
} from "./cost.ts";
import type { PricedLibrary } from "./define.ts";
import { joinedSize, replacedSize, splitSize } from "./string-sizes.ts";

const REPLACE_COST: FunctionCost = {
  estimate: (hints, target, [from, to]) => {
    if (target === undefined || from === undefined || to === undefined) return undefined;
    const size = estimatedSize(hints, target);
    const resultSize = replacedSize(size, estimatedSize(hints, from), estimatedSize(hints, to));
    return { cost: doubleTraversal(size), resultSize };
  },
  actual: READS_ARGUMENT_TWICE.actual,
};

const SPLIT_COST: FunctionCost = {
  estimate: (hints, target, [, limit]) => {
    if (target === undefined) return undefined;
    const size = estimatedSize(hints, target);
    return { cost: doubleTraversal(size), resultSize: splitSize(size, limit) };
  },
  actual: READS_ARGUMENT_TWICE.actual,
};

const JOIN_COST: FunctionCost = {
  estimate: (hints, target, [separator]) => {
    if (target === undefined) return undefined;
    const element = elementNode(target);
    const elementSize = element && estimatedSize(hints, element);
    const size = joinedSize(estimatedSize(hints, target), elementSize, separator && estimatedSize(hints, separator));
    return { cost: estimatedTraversal(size), resultSize: size };
  },
  actual: (_args, result) => traversal(actualSize(result) * 2),
};

/** The language's own cost applies. */
const LANGUAGE_COST = undefined;

const COSTS = {
  charAt: LANGUAGE_COST,
  format: LANGUAGE_COST,
  indexOf: TRAVERSES_RECEIVER,
  join: JOIN_COST,
  lastIndexOf: TRAVERSES_RECEIVER,
  lowerAscii: CONVERTS_RECEIVER,
  replace: REPLACE_COST,
  split: SPLIT_COST,
  "strings.quote": LANGUAGE_COST,
  substring: CONVERTS_RECEIVER,
  trim: CONVERTS_RECEIVER,
  upperAscii: CONVERTS_RECEIVER,
} satisfies Record<string, FunctionCost | undefined>;

const COSTS_BY_NAME: ReadonlyMap<string, FunctionCost | undefined> = new Map(Object.entries(COSTS));

/** Version 2 is in use since Kubernetes 1.29, version 0 before. */
export function stringsLibrary(version: number, celGo: CelGoVersion): PricedLibrary {
  const library = languageStrings(version, celGo);
  return {
    ...library,
    functions: (library.functions ?? []).map(priced),
    dynamicPrices: DYNAMIC_PRICES,
    equality: [],
  };
}

function priced(declaration: FunctionDecl): FunctionDecl {
  if (!COSTS_BY_NAME.has(declaration.name)) throw new Error(`the string function ${declaration.name} has no cost`);
  const cost = COSTS_BY_NAME.get(declaration.name);
  if (cost === undefined) return declaration;
  return { ...declaration, overloads: declaration.overloads.map((overload): Overload => ({ ...overload, cost })) };
}

const DYNAMIC_PRICES: ReadonlyMap<string, ActualCost> = new Map(
  [...COSTS_BY_NAME].flatMap(([name, cost]) => (cost === undefined ? [] : [[name, cost.actual] as const])),
);
