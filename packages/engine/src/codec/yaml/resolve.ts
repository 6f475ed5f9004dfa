/**
 * The types of scalars.
 *
 * Follows go-yaml v2's resolve.go, which is YAML 1.1 with omissions: `yes`, `on` and `y` are booleans, `010` is 8 and
 * `0o17` is 15, underscores are dropped from numbers, `08` is a float, there is no base 60, and a timestamp without a
 * tag stays text. A number no float64 can hold is text.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { parseFloat as parseGoFloat, parseInt as parseGoInt, parseUint } from "@portcullis/gostd/strconv";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { Float64 } from "../../value/json.ts";
import { YamlFailure } from "./cursor.ts";
import type { YamlNode } from "./node.ts";

/** An integer is a bigint and a float a box here, whatever their size: JSON's own split comes later. */
export type YamlScalar = null | boolean | bigint | Float64 | string;

const PREFIX = "tag:yaml.org,2002:";
const RESOLVABLE = new Set(
  ["", "str", "bool", "int", "float", "null", "timestamp"].map((name) => name && PREFIX + name),
);

// biome-ignore format: a table
const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, false] as const),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, new Float64(Number.NaN)] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, new Float64(Number.POSITIVE_INFINITY)] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, new Float64(Number.NEGATIVE_INFINITY)] as const),
]);

/** Throws `YamlFailure` where a tag asks for what the text is not. */
export function resolveScalar(node: YamlNode): YamlScalar {
  const { tag, value } = node;
  if (tag === "") return node.implicit ? resolvePlain(value) : value;
  if (tag === `${PREFIX}binary`) return decodeBinary(node);
  if (!RESOLVABLE.has(tag) || tag === `${PREFIX}str`) return value;
  return resolveTagged(node, tag.slice(PREFIX.length));
}

function decodeBinary(node: YamlNode): string {
  const decoded = decodeBase64(node.value);
  if (decoded.error !== undefined) throw new YamlFailure("!!binary value contains invalid base64 data", node.start);
  return decodeUtf8(decoded.value);
}

function resolveTagged(node: YamlNode, wanted: string): YamlScalar {
  const { value } = node;
  if (wanted === "timestamp" && isTimestamp(value)) return value;
  const resolved = resolvePlain(value);
  const found = typeNameOf(resolved);
  if (found === wanted) return resolved;
  if (wanted === "float" && typeof resolved === "bigint" && resolved < 2n ** 63n) return new Float64(Number(resolved));
  throw new YamlFailure(`cannot decode !!${found} \`${value}\` as a !!${wanted}`, node.start);
}

function typeNameOf(scalar: YamlScalar): string {
  if (scalar === null) return "null";
  if (typeof scalar === "boolean") return "bool";
  if (typeof scalar === "bigint") return "int";
  return typeof scalar === "string" ? "str" : "float";
}

/** What a plain scalar means. */
export function resolvePlain(text: string): YamlScalar {
  if (text === "") return null;
  const unit = text.charCodeAt(0);
  if ((unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d) return WORDS.get(text) ?? resolveNumber(text);
  if (unit === 0x2e) return WORDS.get(text) ?? resolveFraction(text);
  if (!"yYnNtTfFoO~".includes(text.charAt(0))) return text;
  const word = WORDS.get(text);
  return word === undefined ? text : word;
}

/** Numbers with minutes and seconds, which only other readers know. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a text may be written plain: every reader takes it for text. */
export function isTextWhenPlain(text: string): boolean {
  return typeof resolvePlain(text) === "string" && !isTimestamp(text) && !BASE_60.test(text);
}

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

function resolveNumber(text: string): YamlScalar {
  const plain = text.includes("_") ? text.replaceAll("_", "") : text;
  if (/^[1-9][0-9]{0,17}$/.test(plain)) return BigInt(plain);
  const signed = parseGoInt(plain, 0, 64);
  if (signed.error === undefined) return signed.value;
  const unsigned = parseUint(plain, 0, 64);
  if (unsigned.error === undefined) return unsigned.value;
  if (FLOAT.test(plain)) {
    const float = Number(plain);
    return Number.isFinite(float) ? new Float64(float) : text;
  }
  return resolveBinary(plain) ?? text;
}

// The binary prefix may be followed by a sign of its own, which the integer syntax above does not take.
function resolveBinary(text: string): bigint | undefined {
  if (!text.startsWith("0b")) return undefined;
  const parsed = parseGoInt(text.slice(2), 2, 64);
  return parsed.error === undefined ? parsed.value : undefined;
}

function resolveFraction(text: string): YamlScalar {
  const parsed = parseGoFloat(text, 64);
  return parsed.error === undefined ? new Float64(parsed.value) : text;
}

const TIMESTAMP =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})| ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?$/;

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = (match[4] === undefined ? match.slice(8, 11) : match.slice(4, 7)).map(
    numberOrZero,
  );
  return isDate(year, month, day) && hour < 24 && minute < 60 && second < 60;
}

function numberOrZero(text: string | undefined): number {
  return text === undefined ? 0 : Number(text);
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}
