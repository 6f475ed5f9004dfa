/** A minimal value of a sort. */
import { Double, normalInt, type Value } from "@portcullis/cel/internal";
import { Float64, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { intDomain, solveInts } from "../theory/int-theory.ts";
import { solveText, textDomain } from "../theory/text-theory.ts";
import type { Alternative, Sort } from "./sort.ts";

/** Undefined if none is found. */
export function sampleOf(sort: Sort): JsonValue | undefined {
  for (const alternative of sort.alternatives()) {
    const sample = sampleAlternative(alternative);
    if (sample !== undefined) return sample;
  }
  return undefined;
}

export function sampleAlternative(alternative: Alternative): JsonValue | undefined {
  switch (alternative.kind) {
    case "null":
      return null;
    case "bool":
      return alternative.only ?? true;
    case "int": {
      const [first] = solved(solveInts(intDomain(alternative), 3));
      return first === undefined ? undefined : toJson(normalInt(first));
    }
    case "double":
      return alternative.integral ? new Float64(Math.ceil(alternative.min ?? 1)) : (alternative.min ?? 0) + 0.5;
    case "string": {
      const found = solveText(textDomain(alternative));
      return found.kind === "found" ? found.text || "" : undefined;
    }
    case "list":
      return sampleList(alternative.item(), alternative.min);
    default:
      return sampleMap(alternative);
  }
}

function solved(found: readonly bigint[] | "unknown"): readonly bigint[] {
  return found === "unknown" ? [] : found;
}

function sampleList(item: Sort, min: number): JsonValue | undefined {
  const items = Array.from({ length: min }, () => sampleOf(item));
  return items.every((each) => each !== undefined) ? items : undefined;
}

function sampleMap({ keys, property, open, min }: Alternative & { kind: "map" }): JsonObject | undefined {
  const made = newObject();
  for (const key of keys()) {
    const found = property(key);
    if (found?.presence !== "always" || found.relies.includes("default")) continue;
    const sample = sampleOf(found.sort);
    if (sample !== undefined) made[key] = sample;
  }
  for (let extra = Object.keys(made).length; open !== undefined && extra < min; extra++) {
    const sample = sampleOf(open.value());
    if (sample !== undefined) made[`key${extra}`] = sample;
  }
  return made;
}

/** A value of the language as JSON. */
export function toJson(value: Value): JsonValue {
  if (value instanceof Double) return Number.isInteger(value.value) ? new Float64(value.value) : value.value;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint" || typeof value === "string")
    return value;
  return null;
}
