/** The Go type names that a few of cel-go's messages print with `%T`. */
import { JsonList, JsonMap } from "./json.ts";
import { Bytes, CelError, Double, Duration, OptionalValue, Timestamp, TypeValue, Uint, type Value } from "./value.ts";

/** The same for data that upstream keeps in its Go form until it is used. */
export function goDataTypeName(value: Value): string {
  if (value === null) return "<nil>";
  if (value instanceof JsonMap) return "map[string]interface {}";
  return value instanceof JsonList ? "[]interface {}" : goTypeName(value);
}

export function goTypeName(value: Value): string {
  switch (typeof value) {
    case "string":
      return "types.String";
    case "boolean":
      return "types.Bool";
    case "number":
    case "bigint":
      return "types.Int";
    default:
      return value === null ? "types.Null" : goObjectTypeName(value);
  }
}

function goObjectTypeName(value: Exclude<Value, null | string | number | bigint | boolean>): string {
  if (value instanceof Double) return "types.Double";
  if (value instanceof Uint) return "types.Uint";
  if (value instanceof Bytes) return "types.Bytes";
  if (value instanceof Timestamp) return "types.Timestamp";
  if (value instanceof Duration) return "types.Duration";
  if (value instanceof TypeValue) return "*types.Type";
  if (value instanceof OptionalValue) return "*types.Optional";
  return value instanceof CelError ? "*types.Err" : value.goTypeName;
}
