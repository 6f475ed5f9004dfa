/**
 * The keyword `format` for strings.
 *
 * Follows kube-openapi's strfmt and apiextensions' list of supported formats. Names are compared without their dashes,
 * so `datetime` is `date-time`. Formats the version does not support are ignored; the others refuse with their
 * traps: see each function. `k8s-label-key` and `k8s-label-value` are proposed by KEP-5667; no Kubernetes version has them.
 */
import { parseAddress } from "@portcullis/gostd/mail";
import { parseCidr, parseIp, parseMac } from "@portcullis/gostd/net";
import { compileRegexp, type Pattern } from "@portcullis/gostd/regexp";
import { parseDate } from "@portcullis/gostd/time";
import { parseRequestUri } from "@portcullis/gostd/url";
import { byteLength } from "@portcullis/gostd/utf8";
import { checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import { parseFormattedDuration } from "../strfmt.ts";

type FormatCheck = (text: string) => boolean;

// Symbols and letters are allowed as they are: an emoji is a host name.
const HOSTNAME = lazyPattern(
  "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$",
);
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;
const HEX_COLOR = /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const RGB_PART = "(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
const RGB_SPACE = "[\\t\\n\\f\\r ]*";
const RGB_COLOR = new RegExp(
  `^rgb\\(${RGB_SPACE}${RGB_PART}${RGB_SPACE},${RGB_SPACE}${RGB_PART}${RGB_SPACE},${RGB_SPACE}${RGB_PART}${RGB_SPACE}\\)$`,
);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const SSN = /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/;
const TIME_OF_DAY = lazyPattern("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");
const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LONG_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

// biome-ignore format: a table
const FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid",  (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ["uri",           (text) => parseRequestUri(text).error === undefined],
  ["email",         (text) => isEmail(text)],
  ["hostname",      (text) => isHostname(text)],
  ["ipv4",          (text) => parseIp(withoutLeadingZeros(text)) !== undefined && text.includes(".")],
  ["ipv6",          (text) => parseIp(text) !== undefined && text.includes(":")],
  ["cidr",          (text) => parseCidr(withoutLeadingZeros(text)).error === undefined],
  ["mac",           (text) => parseMac(text).error === undefined],
  ["uuid",          (text) => UUID.test(text)],
  ["uuid3",         (text) => UUID3.test(text)],
  ["uuid4",         (text) => UUID4.test(text)],
  ["uuid5",         (text) => UUID5.test(text)],
  ["isbn",          (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10",        (text) => isIsbn10(text)],
  ["isbn13",        (text) => isIsbn13(text)],
  ["creditcard",    (text) => isCreditCard(text)],
  ["ssn",           (text) => byteLength(text) === 11 && SSN.test(text)],
  ["hexcolor",      (text) => HEX_COLOR.test(text)],
  ["rgbcolor",      (text) => RGB_COLOR.test(text)],
  ["byte",          (text) => BASE64.test(text)],
  ["password",      () => true],
  ["date",          (text) => isDate(text)],
  ["duration",      (text) => parseFormattedDuration(text).error === undefined],
  ["datetime",      (text) => isDateTime(text)],
  ["k8sshortname",  (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ["k8slongname",   (text) => text.length <= 253 && LONG_NAME.test(text)],
  ["k8slabelkey",   (text) => checkQualifiedName(text).length === 0],
  ["k8slabelvalue", (text) => checkLabelValue(text).length === 0],
]);

/** Formats that came with a version; the rest were always there. */
const INTRODUCED: ReadonlyMap<string, number> = new Map([
  ["k8sshortname", 34],
  ["k8slongname", 34],
]);

/** The check of a format by any spelling of its name, whatever the version; undefined for unknown formats. */
export function findFormat(name: string): FormatCheck | undefined {
  return FORMATS.get(normalize(name));
}

/**
 * Whether a custom resource schema of this type may use the format; formats it may not use are ignored with a warning.
 * `minor` is the minor number of the Kubernetes version.
 */
export function isSupportedFormat(name: string, types: readonly string[], minor: number): boolean {
  const type = types.length === 1 ? types[0] : "";
  if (type === "integer") return name === "int32" || name === "int64";
  if (type === "number") return name === "float" || name === "double";
  if (type !== "" && type !== "string") return false;
  const normalized = normalize(name);
  return FORMATS.has(normalized) && (INTRODUCED.get(normalized) ?? 0) <= minor;
}

/** Since 1.36. The compatibility version is the one before. */
const NUMBERS_ENFORCED = 35;

/** Whether values must have the format. Those of numbers are known in every version, and were not enforced at first. */
export function isEnforcedFormat(name: string, types: readonly string[], minor: number): boolean {
  const isNumber = types.length === 1 && (types[0] === "integer" || types[0] === "number");
  return isSupportedFormat(name, types, minor) && (!isNumber || minor >= NUMBERS_ENFORCED);
}

function normalize(name: string): string {
  return name.replaceAll("-", "");
}

/** Upstream still reads addresses as Go did before 1.17: leading zeros mean nothing. */
function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|[.:])0+(?=[0-9a-fA-F])/g, "$1");
}

function isEmail(text: string): boolean {
  const parsed = parseAddress(text);
  return parsed.error === undefined && parsed.value.address !== "";
}

function isHostname(text: string): boolean {
  if (!HOSTNAME().matches(text) || byteLength(text) > 255) return false;
  return text.split(".").every((label) => byteLength(label) <= 63);
}

function isDate(text: string): boolean {
  return parseDate(text).error === undefined;
}

/** Hours, minutes and seconds are compared as text, and any character may stand before the fraction. */
function isDateTime(text: string): boolean {
  if (byteLength(text) < 4) return false;
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const [, hours, minutes, seconds] = TIME_OF_DAY().findSubmatch(time) ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return false;
  return hours <= "23" && minutes <= "59" && seconds <= "59";
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === "X" ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

/** Any characters may stand between the digits. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CREDIT_CARD.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled >= 10 ? (doubled % 10) + 1 : doubled;
  }
  return sum % 10 === 0;
}

/** Compiled when first used: most processes never meet the format. */
function lazyPattern(source: string): () => Pattern {
  let pattern: Pattern | undefined;
  return () => {
    if (pattern !== undefined) return pattern;
    const compiled = compileRegexp(source);
    if (compiled.error !== undefined) throw new Error(compiled.error);
    pattern = compiled.pattern;
    return pattern;
  };
}
