/**
 * Looking up the items of a list of type map by their keys.
 *
 * Follows apiserver pkg/cel/common/maplist.go: one key compares values (the integer 1 is not the float 1.0), several
 * keys compare a joined text in which a float has six decimals.
 */
import { quote } from "@portcullis/gostd/quote";
import { formatFloat } from "@portcullis/gostd/strconv";
import { Float64, isInteger, isNumber, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { asFloat } from "../value/number.ts";
import type { Structural } from "./structural.ts";

export class MapList {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonValue>();

  constructor(schema: Structural, items: readonly JsonValue[]) {
    this.#keys = schema.type === "array" ? schema.listMapKeys : [];
    if (this.#keys.length === 0) return;
    for (const item of items) {
      const key = this.#keyOf(item);
      // The first item with a key wins.
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item);
    }
  }

  /** The item that has the same keys, or undefined if there is none or the argument has no usable key. */
  get(item: JsonValue): JsonValue | undefined {
    const key = this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  #keyOf(item: JsonValue): string | undefined {
    if (!isObject(item)) return undefined;
    const [first] = this.#keys;
    if (first !== undefined && this.#keys.length === 1) return scalarKey(item[first]);
    return this.#compositeKey(item);
  }

  #compositeKey(item: JsonObject): string | undefined {
    let composite = "";
    for (const name of this.#keys) {
      const text = compositeText(item[name]);
      if (text === undefined) return undefined;
      composite += `\0${text}`;
    }
    return composite;
  }
}

/** A text that two scalars share exactly when Go's interface values are equal. */
function scalarKey(value: JsonValue | undefined): string | undefined {
  switch (typeof value) {
    case "string":
      return `s${value}`;
    case "boolean":
      return `b${value}`;
    default:
      if (!isNumber(value)) return undefined;
      return isInteger(value) ? `i${value}` : `f${asFloat(value) + 0}`;
  }
}

function compositeText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return quote(value);
  if (isInteger(value)) return String(value);
  if (typeof value === "number" || value instanceof Float64) return formatFloat(asFloat(value), "f", 6, 64);
  return undefined;
}
