/**
 * Strings and numbers as Go's `encoding/json` writes them.
 *
 * It differs from `JSON.stringify` in escaping U+2028 and U+2029 always, `<`, `>` and `&` by default, and in
 * turning lone surrogates into U+FFFD; numbers differ in `-0`.
 */
import { formatFloat } from "./strconv.ts";

/** The options of `jsonString`. Example: `{ escapeHtml: false }`. */
export interface JsonStringOptions {
  /** Go's `json.Marshal` escapes `<`, `>` and `&`; an encoder with `SetEscapeHTML(false)` does not. */
  readonly escapeHtml: boolean;
}

/**
 * A string as encoding/json writes it.
 * @example jsonString("<", { escapeHtml: true }) // "\"\\u003c\""
 */
export function jsonString(text: string, { escapeHtml }: JsonStringOptions): string {
  const needsEscape = escapeHtml ? ESCAPED_WITH_HTML : ESCAPED;
  if (!needsEscape.test(text)) return `"${text}"`;
  // A lone surrogate cannot be written in UTF-8.
  const quoted = JSON.stringify(SURROGATE.test(text) ? text.replace(LONE_SURROGATE, "\ufffd") : text);
  const rest = escapeHtml ? LEFT_WITH_HTML : LEFT;
  return rest.test(quoted) ? quoted.replace(escapeHtml ? ALL_LEFT_WITH_HTML : ALL_LEFT, escapeChar) : quoted;
}

/**
 * The value must be finite: for other values Go returns an error before it writes anything.
 * @example jsonFloat(1e21) // "1e+21"
 */
export function jsonFloat(value: number, bits: 32 | 64 = 64): string {
  const magnitude = Math.abs(value);
  const { low, high } = FIXED_RANGE[bits];
  if (magnitude === 0 || (magnitude >= low && magnitude < high)) return formatFloat(value, "f", -1, bits);
  return formatFloat(value, "e", -1, bits).replace(/e-0(\d)$/, "e-$1");
}

/** The range of numbers that are written without an exponent. */
const FIXED_RANGE = {
  32: { low: Math.fround(1e-6), high: Math.fround(1e21) },
  64: { low: 1e-6, high: 1e21 },
} as const;

const ESCAPED = /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const ESCAPED_WITH_HTML = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;

/** What JSON.stringify leaves alone. */
const [LEFT, ALL_LEFT] = [/[\u2028\u2029]/, /[\u2028\u2029]/g];
const [LEFT_WITH_HTML, ALL_LEFT_WITH_HTML] = [/[<>&\u2028\u2029]/, /[<>&\u2028\u2029]/g];
const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
