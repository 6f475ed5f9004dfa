/**
 * How an optional changes when it is resolved as an attribute, before cel-go 0.29.
 *
 * Upstream takes the value out of the optional, as Go data, and wraps it again. A type turns into its
 * name, an optional within the optional loses one wrapping, and a value of a library type, which cannot be
 * converted back, becomes an error inside the optional.
 */
import { unsupportedData } from "../../values/messages.ts";
import { runtimeTypeName } from "../../values/type-of.ts";
import { OpaqueValue, OptionalValue, TypeValue, type Value } from "../../values/value.ts";

export function reboxed(value: Value): Value {
  if (!(value instanceof OptionalValue) || value.value === undefined) return value;
  const inner = roundTrip(value.value);
  return inner === value.value ? value : new OptionalValue(inner);
}

function roundTrip(value: Value): Value {
  if (value instanceof TypeValue) return runtimeTypeName(value.type);
  if (value instanceof OptionalValue) return value.value === undefined ? null : roundTrip(value.value);
  return value instanceof OpaqueValue ? roundTripOpaque(value) : value;
}

// Library types say what Go data they hold and how Go prints it; one that does not is left as it is.
function roundTripOpaque(value: OpaqueValue): Value {
  if (!("goDataType" in value) || typeof value.goDataType !== "string") return value;
  const text = "goDataText" in value && typeof value.goDataText === "string" ? value.goDataText : "";
  return unsupportedData(value.goDataType, text);
}
