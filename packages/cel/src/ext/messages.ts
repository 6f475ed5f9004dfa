/** The messages of the extension libraries, verbatim from cel-go (ext/*.go, cel/library.go). */
import type { Int } from "../values/int.ts";
import { CelError } from "../values/value.ts";

// Macros.

export const optMapVariable = "optMap() variable name must be a simple identifier";
export const optFlatMapVariable = "optFlatMap() variable name must be a simple identifier";
export const sortByTarget =
  "sortBy can only be applied to a list, identifier, comprehension, call or select expression";

export function duplicateVariable(name: string): string {
  return `duplicate variable name: ${name}`;
}

// Strings.

export function indexOutOfRange(index: number | bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

export function invalidSubstring(start: number | bigint, end: number | bigint): CelError {
  return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
}

export function invalidJoinInput(element: string): CelError {
  return new CelError(`join: invalid input: ${element}`);
}

/** Where memory would run out first: the error of the cost limit, which would follow the call. */
export const resultTooLarge = (): CelError => new CelError("operation cancelled: actual cost limit exceeded");

// Lists.

export function negativeSlice(start: number | bigint, end: number | bigint): CelError {
  return new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
}

export function reversedSlice(start: number | bigint, end: number | bigint): CelError {
  return new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
}

export function sliceBeyondEnd(start: number | bigint, end: number | bigint, size: number): CelError {
  return new CelError(`cannot slice(${start}, ${end}), list is length ${size}`);
}

export const negativeRange = (count: Int): CelError =>
  new CelError(`lists.range: size must be non-negative, got ${count}`);
export const longRange = (count: Int, max: number): CelError =>
  new CelError(`lists.range: size ${count} exceeds maximum allowed (${max})`);
export const negativeDepth = (): CelError => new CelError("level must be non-negative");
export const notComparable = (): CelError => new CelError("list elements must be comparable");
export const mixedElements = (): CelError => new CelError("list elements must have the same type");

export function keyCountDiffers(elements: number, keys: number): CelError {
  return new CelError(
    `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${elements} and ${keys} elements respectively`,
  );
}

// Optionals.

export function notOptional(value: string): CelError {
  return new CelError(`value ${value} is not optional`);
}

// Format strings.

export const endOfFormat = "unexpected end of string";
export const endOfPrecision = "error while parsing precision: could not find end of precision specifier";

export function missingArgument(index: number): string {
  return `index ${index} out of range`;
}

export function surplusArguments(expected: number, given: number): string {
  return `too many arguments supplied to string.format (expected ${expected}, got ${given})`;
}

export function badPrecision(reason: string): string {
  return `error while parsing precision: error while converting precision to integer: ${reason}`;
}

export function unknownClause(letter: string): string {
  return `unrecognized formatting clause "${letter}"`;
}

export function unparsableClause(reason: string): string {
  return `could not parse formatting clause: ${reason}`;
}

export function unformattable(reason: string): string {
  return `error during formatting: ${reason}`;
}

export function notText(reason: string): string {
  return `could not convert argument ${reason} to string`;
}

export function noFormatFor(typeName: string): string {
  return `no formatting function for ${typeName}`;
}

export function noFormatForKey(typeName: string): string {
  return `no formatting function for map key of type ${typeName}`;
}

/** The types that each clause accepts. */
export const CLAUSE_TAKES = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  x: "only integers, byte buffers, and strings can be formatted as hex",
  X: "only integers, byte buffers, and strings can be formatted as hex",
  o: "octal clause can only be used on integers",
} as const;

export type ClauseLetter = keyof typeof CLAUSE_TAKES;

export function wrongArgument(letter: ClauseLetter, typeName: string): string {
  return `${CLAUSE_TAKES[letter]}, was given ${typeName}`;
}

export function cannotFlatten(type: string, argument: string): CelError {
  return new CelError(`no such overload: ${type}.flatten(${argument})`);
}

export const notAnInt = (goType: string): string => `interface conversion: ref.Val is ${goType}, not types.Int`;
