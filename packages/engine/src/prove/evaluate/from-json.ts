/** Converts known data, such as params, to values of expressions. */
import { Double } from "@portcullis/cel/internal";
import { Float64, isArray, isObject, type JsonValue } from "../../value/json.ts";
import { constant, NULL_SYM, type Sym } from "./symbolic.ts";

export function fromJson(value: JsonValue): Sym {
  if (value === null) return NULL_SYM;
  if (isArray(value)) return { k: "items", items: value.map(fromJson) };
  if (value instanceof Float64) return constant(new Double(value.value));
  if (isObject(value))
    return { k: "entries", entries: new Map(Object.entries(value).map(([key, each]) => [key, fromJson(each)])) };
  return typeof value === "number" && !Number.isInteger(value) ? constant(new Double(value)) : constant(value);
}
