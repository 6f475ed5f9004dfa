/**
 * The `%f` and `%e` clauses of format strings as an English number formatter writes them: `1,234.50`,
 * `1.234568×10⁰⁶`, `∞`.
 *
 * Upstream uses the precision of `%e` as a minimum width, so it pads and never rounds, and it narrows a
 * precision to eight and sixteen bits: `%.256f` prints exactly the digits there are.
 */
import { formatFloat } from "@portcullis/gostd/strconv";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SCIENTIFIC_DIGITS = 6;
/** What Go prints for a width or precision that it rejects. */
const REFUSED = "%!(NOVERB)";

export function fixedText(value: number, precision: bigint): string {
  if (isRefused(precision)) return REFUSED;
  if (!Number.isFinite(value)) return specialText(value);
  const most = Number(BigInt.asIntN(16, precision));
  const least = Number(BigInt.asUintN(8, precision));
  const [whole = "", fraction = ""] = formatFloat(Math.abs(value), "f", most < 0 ? -1 : most, 64).split(".");
  const digits = fraction.replace(/0+$/, "").padEnd(least, "0");
  const sign = value < 0 ? "-" : "";
  return `${sign}${grouped(whole)}${digits === "" ? "" : `.${digits}`}`;
}

export function scientificText(value: number, width: bigint): string {
  return scientific(value, width, "×");
}

/** As the number formatter of Kubernetes 1.32 and before wrote it, with narrow spaces. */
export function spacedScientificText(value: number, width: bigint): string {
  return scientific(value, width, "\u202f×\u202f");
}

function scientific(value: number, width: bigint, times: string): string {
  if (isRefused(width)) return REFUSED;
  const text = Number.isFinite(value) ? powerOfTen(value, times) : specialText(value);
  return text.padStart(Number(BigInt.asUintN(16, width)), " ");
}

function powerOfTen(value: number, times: string): string {
  const [mantissa = "", exponent = ""] = formatFloat(Math.abs(value), "e", SCIENTIFIC_DIGITS, 64).split("e");
  const sign = exponent.startsWith("-") ? "⁻" : "";
  const power = exponent.replace(/[+-]/, "").replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);
  return `${value < 0 ? "-" : ""}${mantissa}${times}10${sign}${power}`;
}

function specialText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value < 0 ? "-∞" : "∞";
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

// Go stops reading once the number exceeds a million and more digits follow.
function isRefused(count: bigint): boolean {
  return count / 10n > 1_000_000n;
}
