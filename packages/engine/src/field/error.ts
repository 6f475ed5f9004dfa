/**
 * Findings about single fields: one constructor a kind of finding.
 *
 * Follows apimachinery util/validation/field/errors.go. `format.ts` turns them into text.
 */
import { quote } from "@portcullis/gostd/quote";
import type { JsonValue } from "../value/json.ts";
import { reworded, since } from "../value/server-version.ts";
import type { FieldPath } from "./path.ts";

export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTooFew"
  | "FieldValueTypeInvalid"
  | "FieldValueTooShort"
  | "InternalError";

/** Up to 1.33 messages print where in memory a pointer leads. Here all lead to the same place. */
export const SOME_ADDRESS = "0xc000000000";

/** A value whose text is already made: upstream prints its internal structs as JSON with Go field names. */
export class GoJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type BadValue = JsonValue | GoJson;

/** One thing wrong with one field of a user's object. A value; never thrown. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly path: FieldPath;
  /** The rule that raised it, such as "maxLength"; "" if rules are not distinguished. */
  readonly origin: string;
  readonly detail: string;
  /** Absent if upstream leaves the value out of the message. */
  readonly badValue?: BadValue;
  /** Whether the version that raised it, one up to 1.33, prints the value in Go's syntax. */
  readonly isGoSyntax?: true;
}

/** Remembers how its version prints values: the text is often made later, by code that serves several versions. */
function withValue(error: FieldError): FieldError {
  return since("1.34") ? error : { ...error, isGoSyntax: true };
}

export function notFound(path: FieldPath, badValue: BadValue, origin = ""): FieldError {
  return withValue({ type: "FieldValueNotFound", path, origin, detail: "", badValue });
}

export function required(path: FieldPath, detail = "", origin = ""): FieldError {
  return { type: "FieldValueRequired", path, origin, detail };
}

export function duplicate(path: FieldPath, badValue: BadValue, origin = ""): FieldError {
  return withValue({ type: "FieldValueDuplicate", path, origin, detail: "", badValue });
}

export function invalid(path: FieldPath, badValue: BadValue, detail: string, origin = ""): FieldError {
  return withValue({ type: "FieldValueInvalid", path, origin, detail, badValue });
}

/** The value is not of the type the schema asks for; prints like `invalid`. */
export function typeInvalid(path: FieldPath, badValue: BadValue, detail: string, origin = "type"): FieldError {
  return withValue({ type: "FieldValueTypeInvalid", path, origin, detail, badValue });
}

/** INVARIANT: supported values are listed in the order given. */
export function notSupported(
  path: FieldPath,
  badValue: BadValue,
  supported: readonly string[],
  origin = "enum",
): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(quote).join(", ")}`;
  return withValue({ type: "FieldValueNotSupported", path, origin, detail, badValue });
}

export function forbidden(path: FieldPath, detail: string, origin = ""): FieldError {
  return { type: "FieldValueForbidden", path, origin, detail };
}

/** Says "bytes" whatever was counted; a negative limit is not printed. */
export function tooLong(path: FieldPath, max: number, origin = "maxLength"): FieldError {
  const detail = max < 0 ? "value is too long" : atMost(max);
  return { type: "FieldValueTooLong", path, origin, detail };
}

function atMost(max: number): string {
  return reworded("1.32", `may not be more than ${max} ${plural(max, "byte")}`, `must have at most ${max} bytes`);
}

/** A negative count leaves the value out, a negative limit leaves the limit out. */
export function tooMany(path: FieldPath, actual: number, max: number, origin = "maxItems"): FieldError {
  const detail = max < 0 ? "has too many items" : `must have at most ${max} ${plural(max, "item")}`;
  const error = { type: "FieldValueTooMany", path, origin, detail } as const;
  return actual < 0 ? error : { ...error, badValue: actual };
}

export function internalError(path: FieldPath, detail: string, origin = ""): FieldError {
  return { type: "InternalError", path, origin, detail };
}

/** Up to 1.33 one item is "1 items". */
function plural(count: number, noun: string): string {
  return count === 1 && since("1.34") ? noun : `${noun}s`;
}
