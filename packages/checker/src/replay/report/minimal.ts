/** The part of a refused request that a policy looks at: everything is left out without which it is still refused. */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { copyObject } from "@portcullis/engine/internal/value/rewrite";

type IsRefused = (attributes: AdmissionAttributes) => boolean;

/** Attempts, not time: the result is the same on every machine. */
const ATTEMPTS = 400;

/** What names the object stays. */
const KEPT = new Set(["apiVersion", "kind", "metadata", "name", "namespace"]);

export function minimalRequest(attributes: AdmissionAttributes, isRefused: IsRefused): AdmissionAttributes {
  const shrinking = new Shrinking(isRefused);
  const object = attributes.object && shrinking.run(attributes, "object");
  const halved = object === undefined ? attributes : { ...attributes, object };
  const oldObject = halved.oldObject && shrinking.run(halved, "oldObject");
  return oldObject === undefined ? halved : { ...halved, oldObject };
}

class Shrinking {
  readonly #isRefused: IsRefused;
  #left = ATTEMPTS;

  constructor(isRefused: IsRefused) {
    this.#isRefused = isRefused;
  }

  run(attributes: AdmissionAttributes, which: "object" | "oldObject"): JsonObject | undefined {
    const whole = attributes[which];
    if (whole === undefined) return undefined;
    const holds = (value: JsonValue): boolean => {
      this.#left -= 1;
      return isObject(value) && this.#isRefused({ ...attributes, [which]: value });
    };
    const smaller = this.#shrink(whole, 0, holds);
    return isObject(smaller) ? smaller : whole;
  }

  /** Leaves out members and items, the outer ones first. */
  #shrink(value: JsonValue, depth: number, holds: (value: JsonValue) => boolean): JsonValue {
    if (isArray(value)) return this.#shrinkList(value, depth, holds);
    if (!isObject(value)) return value;
    let current = value;
    for (const key of Object.keys(value)) {
      if (this.#left <= 0) return current;
      const without = copyObject(current);
      delete without[key];
      if (!(depth < 2 && KEPT.has(key)) && holds(without)) {
        current = without;
        continue;
      }
      const before = current;
      const member = before[key];
      if (member === undefined) continue;
      const smaller = this.#shrink(member, depth + 1, (each) => holds(withValue(before, key, each)));
      current = withValue(before, key, smaller);
    }
    return current;
  }

  #shrinkList(items: JsonValue[], depth: number, holds: (value: JsonValue) => boolean): JsonValue {
    let current = items;
    for (let index = items.length - 1; index >= 0 && this.#left > 0; index -= 1) {
      const without = current.toSpliced(index, 1);
      if (holds(without)) {
        current = without;
        continue;
      }
      const before = current;
      const item = before[index];
      if (item === undefined) continue;
      const smaller = this.#shrink(item, depth + 1, (each) => holds(before.with(index, each)));
      current = before.with(index, smaller);
    }
    return current;
  }
}

function withValue(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy = copyObject(object);
  copy[key] = value;
  return copy;
}
