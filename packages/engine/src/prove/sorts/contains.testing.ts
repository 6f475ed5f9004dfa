/** Whether a value is one that a sort describes, for tests of the sorts: a proof is wrong about a value outside. */
import { Float64, isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { isOfBase } from "../theory/text-theory.ts";
import type { Alternative, DoubleAlternative, IntAlternative, MapAlternative, Sort } from "./sort.ts";

/** The places that are outside; empty if there are none. */
export function outside(sort: Sort, value: JsonValue, place = ""): string[] {
  const found = sort.alternatives().map((alternative) => outsideOf(alternative, value, place));
  if (found.some((each) => each.length === 0)) return [];
  // The alternative that goes deepest explains most.
  return found.sort((left, right) => depthOf(right) - depthOf(left))[0] ?? [`${place}: no value is possible`];
}

function depthOf([first = ""]: readonly string[]): number {
  return first.split(":")[0]?.length ?? 0;
}

function outsideOf(alternative: Alternative, value: JsonValue, place: string): string[] {
  const wrong = [`${place}: ${canonicalJson(value)} is not ${alternative.kind}`];
  switch (alternative.kind) {
    case "null":
      return value === null ? [] : wrong;
    case "bool":
      return typeof value === "boolean" && value === (alternative.only ?? value) ? [] : wrong;
    case "int":
      return isIntOf(alternative, value) ? [] : wrong;
    case "double":
      return isDoubleOf(alternative, value) ? [] : wrong;
    case "string":
      return typeof value === "string" && isOfBase(alternative, value) ? [] : wrong;
    case "list":
      if (!isArray(value) || value.length < alternative.min || value.length > (alternative.max ?? value.length))
        return wrong;
      return value.flatMap((item, at) => outside(alternative.item(), item, `${place}[${at}]`));
    default:
      return isObject(value) ? outsideMap(alternative, value, place) : wrong;
  }
}

function isIntOf({ min, max, multipleOf, excluded = [], listed }: IntAlternative, value: JsonValue): boolean {
  if (typeof value !== "bigint" && !(typeof value === "number" && Number.isInteger(value))) return false;
  const int = BigInt(value);
  if ((min !== undefined && int < min) || (max !== undefined && int > max) || excluded.includes(int)) return false;
  return (multipleOf === undefined || int % multipleOf === 0n) && (listed === undefined || listed.includes(int));
}

function isDoubleOf({ integral, min, max }: DoubleAlternative, value: JsonValue): boolean {
  const double = value instanceof Float64 ? value.value : value;
  if (typeof double !== "number" || (integral && !Number.isInteger(double))) return false;
  return !(double < (min ?? double)) && !(double > (max ?? double));
}

function outsideMap({ property, open, min, max, keys }: MapAlternative, value: JsonObject, place: string): string[] {
  const own = Object.keys(value);
  const isSized = open === undefined || (own.length >= min && own.length <= (max ?? own.length));
  const missing = keys().filter((key) => property(key)?.presence === "always" && !own.includes(key));
  return [
    ...(isSized ? [] : [`${place}: ${own.length} entries`]),
    ...missing.map((key) => `${place}.${key}: is absent`),
    ...own.flatMap((key) => {
      const found = property(key);
      if (found === undefined) return [`${place}.${key}: is not a field`];
      const isKey = open === undefined || keys().includes(key) || isOfBase(open.key, key);
      return isKey ? outside(found.sort, value[key] ?? null, `${place}.${key}`) : [`${place}: the key ${key}`];
    }),
  ];
}
