/**
 * The grammar of quantities: sign, digits, fraction, suffix.
 *
 * Follows the scanner of apimachinery api/resource, which is laxer than the expression its message quotes: `.`, `+`
 * and `1.` are numbers.
 */
import type { Failure, Result } from "@portcullis/gostd/result";
import { parseInt as parseGoInt } from "@portcullis/gostd/strconv";

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

export interface QuantitySuffix {
  readonly base: 2 | 10;
  readonly power: number;
  readonly format: QuantityFormat;
}

export interface QuantityParts {
  readonly negative: boolean;
  /** Digits before the point, without leading zeros, never empty. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: QuantitySuffix;
  /** False for texts such as `.` and `Ki`, where a missing number may pass for zero. */
  readonly hasDigits: boolean;
}

const MALFORMED: Failure = {
  error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
};
export const NO_NUMBER: Failure = { error: "unable to parse numeric part of quantity" };
const BAD_SUFFIX: Failure = { error: "unable to parse quantity's suffix" };

/** No two neighbouring parts take the same character: otherwise a long text would be divided in all ways. */
const SHAPE = /^([+-]?)0*((?:[1-9][0-9]*)?)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/;

export function parseQuantityText(text: string): Result<QuantityParts> {
  const match = text === "" ? null : SHAPE.exec(text);
  if (match === null) return MALFORMED;
  const [, sign, digits, fraction = "", tail] = match;
  const suffix = parseSuffix(tail ?? "");
  if (suffix === undefined) return BAD_SUFFIX;
  const hasDigits = /^[+-]?\.?[0-9]/.test(text);
  return { value: { negative: sign === "-", whole: digits || "0", fraction, suffix, hasDigits } };
}

// biome-ignore format: a table
const SUFFIXES: ReadonlyMap<string, QuantitySuffix> = new Map([
  ...powers(10, "DecimalSI", { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }),
  ...powers(2, "BinarySI", { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }),
]);

function powers(base: 2 | 10, format: QuantityFormat, table: Record<string, number>): [string, QuantitySuffix][] {
  return Object.entries(table).map(([text, power]) => [text, { base, power, format }]);
}

function parseSuffix(text: string): QuantitySuffix | undefined {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  if (!/^[eE]./.test(text)) return undefined;
  const parsed = parseGoInt(text.slice(1), 10, 64);
  if (parsed.error !== undefined) return undefined;
  // Upstream narrows the exponent to an int32 without a check.
  return { base: 10, power: Number(BigInt.asIntN(32, parsed.value)), format: "DecimalExponent" };
}
