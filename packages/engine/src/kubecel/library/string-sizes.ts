/** The sizes that `replace`, `split` and `join` may give. */
import {
  addRanges,
  addUint64,
  type CostNode,
  multiplyRanges,
  type SizeEstimate,
  wrapUint64,
} from "@portcullis/cel/internal";

/** The bounds assume the replacement that makes the text as long or as short as possible. */
export function replacedSize(text: SizeEstimate, from: SizeEstimate, to: SizeEstimate): SizeEstimate {
  const longest = longestReplacement(text.max, from.min, to.max);
  const shortest = shortestReplacement(text.min, from.max, to.min);
  const count = { min: shortest.count, max: longest.count };
  const retained = { min: shortest.retained, max: longest.retained };
  return addRanges(multiplyRanges(count, to), retained);
}

interface Replacement {
  readonly count: bigint;
  /** The part of the original that remains. */
  readonly retained: bigint;
}

function longestReplacement(text: bigint, from: bigint, to: bigint): Replacement {
  // An empty text to replace is found around every character.
  if (from === 0n) return { count: addUint64(text, 1n), retained: text };
  if (to <= from) return { count: 0n, retained: text };
  return { count: dividedBy(text, from), retained: 0n };
}

function shortestReplacement(text: bigint, from: bigint, to: bigint): Replacement {
  if (from === 0n) return { count: addUint64(text, 1n), retained: text };
  if (from <= to) return { count: 0n, retained: text };
  return { count: dividedBy(text, from), retained: 0n };
}

/** In floating point and rounded up; at 2^64 the conversion back overflows as it does on amd64. */
function dividedBy(text: bigint, by: bigint): bigint {
  const quotient = Math.ceil(Number(text) / Number(by));
  return quotient >= 2 ** 64 ? UNREPRESENTABLE : BigInt(quotient);
}

const UNREPRESENTABLE = 2n ** 63n;

/** At most one element per character, or the literal limit; a negative limit wraps to a huge one. */
export function splitSize(text: SizeEstimate, limit: CostNode | undefined): SizeEstimate {
  const literal = limit?.expr.kind === "literal" ? limit.expr.value : undefined;
  const isInt = typeof literal === "number" || typeof literal === "bigint";
  return { min: 0n, max: isInt ? wrapUint64(BigInt(literal)) : text.max };
}

export function joinedSize(
  list: SizeEstimate,
  element: SizeEstimate | undefined,
  separator: SizeEstimate | undefined,
): SizeEstimate {
  const elements = element === undefined ? { min: 0n, max: 0n } : multiplyRanges(list, element);
  if (separator === undefined) return elements;
  const separators = { min: oneLess(list.min), max: oneLess(list.max) };
  return addRanges(elements, multiplyRanges(separator, separators));
}

function oneLess(count: bigint): bigint {
  return count > 0n ? count - 1n : 0n;
}
