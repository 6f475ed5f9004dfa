/**
 * `oldSelf` as a rule with `optionalOldSelf` sees it.
 *
 * cel-go takes the value out of an optional variable as Go data and wraps that again, so such a rule sees data without
 * its schema: fields go by their own names, formatted strings are strings, lists of type set and map are in order. Data
 * that does not fit its schema is an error of that conversion. A message expression sees `oldSelf` as it is.
 */
import { CelError, Double, fromJson, OptionalValue, unsupportedData, type Value } from "@portcullis/cel/internal";
import { Float64, isArray, isObject, type JsonValue } from "../value/json.ts";

/** `typed` is the data under its schema. */
export function optionalOldSelf(data: JsonValue, typed: Value): OptionalValue {
  if (typed instanceof CelError) return new OptionalValue(unsupportedData("*errors.errorString", typed.message));
  return new OptionalValue(isArray(data) || isObject(data) ? fromJson(data, boxedFloat) : typed);
}

export const NO_OLD_SELF: OptionalValue = new OptionalValue(undefined);

function boxedFloat(data: object): Value | undefined {
  return data instanceof Float64 ? new Double(data.value) : undefined;
}
