/**
 * Random values for a schema: the required fields, some optional ones, and values at and around bounds.
 *
 * Not every object is valid; callers keep those that the old CRD accepts.
 */
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { sampleNumbers, sampleTexts } from "@portcullis/engine/internal/upgrade/witness/sample-scalars";
import { Float64, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";

const MINOR = 36;
const CHARACTERS = [..."abzAZ019-._/:*@% \té🛡"];
const MAX_DEPTH = 14;

export class RandomObjects {
  readonly #random: Random;
  readonly #texts = new Map<string, readonly string[]>();
  readonly #numbers = new WeakMap<Structural, readonly JsonValue[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  value(schema: Structural, depth = 0): JsonValue {
    const random = this.#random;
    if (schema.nullable && random.bool(0.1)) return null;
    if (schema.enum !== undefined && schema.enum.length > 0 && random.bool(0.98)) return random.pick(schema.enum);
    switch (schema.type) {
      case "boolean":
        return random.bool(0.5);
      case "integer":
      case "number":
        return this.#number(schema);
      case "string":
        return this.#text(schema);
      case "array":
        return this.#list(schema, depth);
      case "object":
        return this.#object(schema, depth);
      default:
        if (schema.intOrString) return random.bool(0.5) ? this.#number(schema) : this.#text(schema);
        return random.pick<JsonValue>(["a", 1, true, new Float64(0.5), [], newObject()]);
    }
  }

  #text(schema: Structural): string {
    const random = this.#random;
    const text = random.pick(this.#textsFor(schema));
    if (!random.bool(0.3)) return text;
    const at = random.below(text.length + 1);
    const char = random.pick(CHARACTERS);
    return random.bool(0.7) ? text.slice(0, at) + char + text.slice(at) : text.slice(0, at) + text.slice(at + 1);
  }

  #textsFor(schema: Structural): readonly string[] {
    const branches = [schema, ...schema.allOf, ...schema.anyOf.slice(0, 1), ...schema.oneOf.slice(0, 1)];
    const key = JSON.stringify(branches.map((each) => [each.pattern, each.format, each.minLength, each.maxLength]));
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const made = sampleTexts(branches, MINOR);
    const texts = made.length > 0 ? made : ["a"];
    this.#texts.set(key, texts);
    return texts;
  }

  #number(schema: Structural): JsonValue {
    let numbers = this.#numbers.get(schema);
    if (numbers === undefined) {
      numbers = sampleNumbers([schema, ...schema.allOf]);
      this.#numbers.set(schema, numbers);
    }
    return this.#random.bool(0.2) ? this.#random.below(70_000) : this.#random.pick(numbers);
  }

  #list(schema: Structural, depth: number): JsonValue {
    const { items, minItems = 0 } = schema;
    if (items === undefined) return [];
    const more = depth > MAX_DEPTH ? 0 : this.#random.below(3);
    const length = Math.min(minItems + more, schema.maxItems ?? 50, 50);
    return Array.from({ length }, () => this.value(items, depth + 1));
  }

  #object(schema: Structural, depth: number): JsonObject {
    const random = this.#random;
    const object = newObject();
    // Large schemas would otherwise create large objects, which are nearly always refused by some rule.
    const share = depth > MAX_DEPTH ? 0 : Math.min(0.5, 2.5 / Math.max(1, schema.properties.size));
    for (const [name, property] of schema.properties) {
      if (schema.required.includes(name) || random.bool(share)) object[name] = this.value(property, depth + 1);
    }
    for (const name of schema.required) object[name] ??= "a";
    const values = schema.additionalProperties?.schema;
    const count = (schema.minProperties ?? 0) + random.below(3);
    if (values !== undefined) for (let i = 0; i < count; i++) object[this.#key()] = this.value(values, depth + 1);
    if (schema.preserveUnknownFields === true && random.bool(0.3)) object[this.#key()] = random.pick(["a", 1, true]);
    if (schema.embeddedResource) Object.assign(object, { apiVersion: "v1", kind: "Pod" });
    return object;
  }

  #key(): string {
    return this.#random.pick(["a", "b", "c", "d/e", "A", "key.with/dots"]);
  }
}
