/**
 * The messages of value validation, one function each. Follows kube-openapi's validation/errors and
 * validation/validate, and the way apiextensions turns their errors into field errors.
 */
import { quote } from "@portcullis/gostd/quote";
import { type FieldError, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from "../field/error.ts";
import { moreErrors } from "../field/messages.ts";
import type { FieldPath } from "../field/path.ts";
import type { JsonNumber, JsonValue } from "../value/json.ts";
import { formatNumber } from "../value/number.ts";
import { since } from "../value/server-version.ts";
import { type Finding, namedPath, type Place, placeName, placePath } from "./finding.ts";

/** `actual` is the name of a type or format, or the value itself where a format refuses it. */
export function wrongType(place: Place | undefined, expected: string, actual: string, origin: string): Finding {
  const name = placeName(place);
  const text = `${name} in body must be of type ${expected}: ${quote(actual)}`;
  return { place, text, toError: (root) => typeInvalid(placePath(root, place), actual, text, origin) };
}

/** Up to 1.31 in other words than for fields that upstream counts by itself. */
function tooManyCharacters(path: FieldPath, max: number): FieldError {
  const error = tooLong(path, max, "maxLength");
  return since("1.32") ? error : { ...error, detail: `may not be longer than ${max}` };
}

export function longerThan(place: Place | undefined, max: number): Finding {
  const name = placeName(place);
  const text = `${name} in body should be at most ${max} chars long`;
  return { place, text, toError: (root) => tooManyCharacters(placePath(root, place), max) };
}

export function shorterThan(place: Place | undefined, min: number, value: string): Finding {
  return invalidValue(place, value, `should be at least ${min} chars long`, "minLength");
}

export function mismatch(place: Place | undefined, pattern: string, value: string): Finding {
  return invalidValue(place, value, `should match '${pattern}'`, "pattern");
}

export function tooFewItems(place: Place | undefined, min: number, size: number): Finding {
  return invalidValue(place, size, `should have at least ${min} items`, "minItems");
}

export function tooManyItems(place: Place | undefined, max: number, size: number): Finding {
  const name = placeName(place);
  const text = `${name} in body should have at most ${max} items`;
  return { place, text, toError: (root) => tooMany(placePath(root, place), size, max, "maxItems") };
}

export function tooFewProperties(place: Place | undefined, min: number, size: number): Finding {
  return invalidValue(place, size, `should have at least ${min} properties`, "minProperties");
}

export function tooManyProperties(place: Place | undefined, max: number, size: number): Finding {
  const name = placeName(place);
  const text = `${name} in body should have at most ${max} properties`;
  return { place, text, toError: (root) => tooMany(placePath(root, place), size, max, "maxProperties") };
}

export function forbiddenProperty(place: Place | undefined, key: string): Finding {
  const name = placeName(place);
  const text = `${name}.${key} in body is a forbidden property`;
  const toError: Finding["toError"] = (root) => invalid(placePath(root, place), key, text, "additionalProperties");
  return { place, text, toError };
}

export function missingProperty(place: Place | undefined, key: string): Finding {
  const name = `${placeName(place)}.${key}`;
  const text = `${name} in body is required`;
  return { place, text, toError: (root) => required(namedPath(root, name), "", "required") };
}

/** The allowed values as texts, one by one and all together. */
export interface AllowedValues {
  readonly labels: readonly string[];
  readonly list: string;
}

export function notInEnum(place: Place | undefined, value: JsonValue, { labels, list }: AllowedValues): Finding {
  const name = placeName(place);
  const text = `${name} in body should be one of [${list}]`;
  return { place, text, toError: (root) => notSupported(placePath(root, place), value, labels, "enum") };
}

export type Bound = "minimum" | "maximum";

export interface BoundBreach {
  readonly bound: Bound;
  readonly limit: JsonNumber;
  readonly exclusive: boolean;
  readonly value: JsonNumber;
}

export function outOfBound(place: Place | undefined, breach: BoundBreach): Finding {
  const comparison = breach.bound === "minimum" ? "greater than" : "less than";
  const orEqual = breach.exclusive ? "" : " or equal to";
  const detail = `should be ${comparison}${orEqual} ${formatNumber(breach.limit)}`;
  return invalidValue(place, breach.value, detail, breach.bound);
}

export function notMultiple(place: Place | undefined, factor: JsonNumber, value: JsonNumber): Finding {
  return invalidValue(place, value, `should be a multiple of ${formatNumber(factor)}`, "multipleOf");
}

export function factorNotPositive(place: Place | undefined, factor: JsonNumber): Finding {
  const name = placeName(place);
  const text = `factor MultipleOf declared for ${name} must be positive: ${formatNumber(factor)}`;
  return { place, text, toError: (root) => invalid(placePath(root, place), factor, text, "multipleOf") };
}

/** A number that its type and format cannot hold. Upstream loses the path of this one. */
export function outOfRange(place: Place | undefined, subject: string, type: string, format: string): Finding {
  const kind = format === "" ? "(default format)" : `with format ${format}`;
  return placeless(place, `${subject} value must be of type ${type} ${kind} in ${placeName(place)}`, "format");
}

export function noBranchValid(place: Place | undefined): Finding {
  return placeless(place, `${quote(placeName(place))} must validate at least one schema (anyOf)`, "anyOf");
}

export function notExactlyOne(place: Place | undefined, valid: number): Finding {
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  return placeless(
    place,
    `${quote(placeName(place))} must validate one and only one schema (oneOf). ${found}`,
    "oneOf",
  );
}

export function notAllValid(place: Place | undefined, noneValid: boolean): Finding {
  const none = noneValid ? ". None validated" : "";
  return placeless(place, `${quote(placeName(place))} must validate all the schemas (allOf)${none}`, "allOf");
}

export function mustNotValidate(place: Place | undefined): Finding {
  return placeless(place, `${quote(placeName(place))} must not validate the schema (not)`, "not");
}

export function notAnObjectOfMapList(): string {
  return "must be an object for an array of list-type map";
}

function invalidValue(place: Place | undefined, value: JsonValue, detail: string, origin: string): Finding {
  const name = placeName(place);
  const text = `${name} in body ${detail}`;
  return { place, text, toError: (root) => invalid(placePath(root, place), value, text, origin) };
}

/** Findings that upstream raises without a name land on the validated root itself. */
function placeless(place: Place | undefined, text: string, origin: string): Finding {
  return { place, text, toError: (root) => invalid(root, "", text, origin) };
}

export function furtherFindings(): Finding {
  const text = moreErrors();
  return { place: undefined, text, toError: (root) => invalid(root, "", text, "limit") };
}
