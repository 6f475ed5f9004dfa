/**
 * The text of findings, as Go prints field errors.
 *
 * A lone number or boolean is printed as Go's `%v`, a string as `%q`, anything else as JSON with HTML escaping; so
 * the float64 1e-7 is `1e-07` by itself and `1e-7` inside a list.
 */
import { quote } from "@portcullis/gostd/quote";
import { isArray, isNumber, type JsonValue, sortedKeys } from "../value/json.ts";
import { formatNumber } from "../value/number.ts";
import { canonicalJson } from "../value/text.ts";
import { type BadValue, type FieldError, type FieldErrorType, GoJson } from "./error.ts";

const TYPE_TEXT: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTypeInvalid: "Invalid value",
  FieldValueTooShort: "Too short",
  InternalError: "Internal error",
};

const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "FieldValueTooShort",
  "InternalError",
]);

/**
 * `path: body`.
 * @example refusal?.fieldErrors.map(formatFieldError)
 */
export function formatFieldError(error: FieldError): string {
  return `${error.path.toString()}: ${errorBody(error)}`;
}

/** The message without the path; what a Status cause carries. */
export function errorBody(error: FieldError): string {
  let text = TYPE_TEXT[error.type];
  if (error.badValue !== undefined && !WITHOUT_VALUE.has(error.type))
    text += `: ${formatBadValue(error.badValue, error.isGoSyntax)}`;
  return error.detail === "" ? text : `${text}: ${error.detail}`;
}

function formatBadValue(value: BadValue, isGoSyntax = false): string {
  if (value instanceof GoJson) return value.text === "null" && isGoSyntax ? NIL : value.text;
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return String(value);
  if (isNumber(value)) return formatNumber(value);
  return isGoSyntax ? goSyntax(value, true) : canonicalJson(value);
}

/** How a value that is not there was shown up to 1.33. */
const NIL = '"null"';

/** What Go's `%#v` prints, as messages did up to 1.33. */
export function goSyntax(value: JsonValue, isWhole: boolean): string {
  if (value === null) return isWhole ? NIL : "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return String(value);
  if (isNumber(value)) return formatNumber(value);
  if (isArray(value)) return `[]interface {}{${value.map((item) => goSyntax(item, false)).join(", ")}}`;
  const members = sortedKeys(value).map((key) => `${quote(key)}:${goSyntax(value[key] ?? null, false)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}

/** A time in UTC as Go's own text of it; what is zero after the point is left out. */
export function goTime(rfc3339: string): string {
  const [seconds = "", fraction = ""] = rfc3339.slice(0, -1).split(".");
  const digits = fraction.replace(/0+$/, "");
  return `${seconds.replace("T", " ")}${digits === "" ? "" : `.${digits}`} +0000 UTC`;
}

/**
 * All findings as one message: equal texts once, several of them in brackets. Empty for none.
 * @example formatFieldErrors(refusal?.fieldErrors ?? [])
 */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  return aggregate(errors.map(formatFieldError));
}

/** Messages joined as Go's error aggregate joins them. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? "") : bracketed(distinct);
}

function bracketed(messages: readonly string[]): string {
  return messages.length === 0 ? "" : `[${messages.join(", ")}]`;
}
