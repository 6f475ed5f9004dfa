/**
 * Values for an attack, created from both schemas and from the constants of all rules, independently of the proof.
 *
 * They are only candidates. The old CRD decides which of them are valid.
 */
import { escapeName } from "../../kubecel/escaping.ts";
import type { Structural } from "../../schema/structural.ts";
import { findFittingText } from "../../symbolic/texts.ts";
import {
  Float64,
  floatValue,
  integerValue,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "../../value/json.ts";
import { withoutMember } from "../../value/rewrite.ts";
import { assortedTexts, formatSamples } from "../contain/formats.ts";
import { undeclared } from "../pairs.ts";
import { resourceMember } from "../resource-members.ts";
import { enforcedFormat } from "../schema-text.ts";
import type { Sampler } from "../witness/sample.ts";
import { amountTexts } from "./amounts.ts";
import {
  type Constants,
  collectSchema,
  nearbyDoubles,
  nearbyIntegers,
  nearbyTexts,
  newConstants,
} from "./constants.ts";
import type { SeededRandom } from "./random.ts";

export interface ValueOptions {
  readonly sampler: Sampler;
  readonly random: SeededRandom;
  /** The constants of the surrounding rules. */
  readonly constants: Constants;
  /** Names of fields that rules and branches mention. */
  readonly mentioned: ReadonlySet<string>;
}

/** Scalars at the edges of both schemas and of the rules. */
interface Scalars {
  readonly all: readonly JsonValue[];
  /** Those that rules, enums and defaults name: a small set of values makes combinations more likely. */
  readonly named: readonly JsonValue[];
}

const MAX_DEPTH = 7;
const MANY_MEMBERS = 10;

export class AttackValues {
  readonly #options: ValueOptions;
  readonly #known = new Map<Structural, Map<Structural | undefined, Scalars>>();
  /** The sizes of lists that rules name. */
  readonly #sizes: readonly number[];

  constructor(options: ValueOptions) {
    this.#options = options;
    this.#sizes = [...options.constants.integers].map(Number);
  }

  /** A value that the old schema may accept. */
  value(old: Structural, next: Structural | undefined, isRoot = false, depth = 0): JsonValue {
    const { random } = this.#options;
    const listed = old.enum ?? [];
    if (listed.length > 0 && !random.isOneIn(8)) return random.pick(listed) ?? null;
    // A null that is not allowed is replaced by the default.
    if ((old.nullable || old.default !== undefined) && random.isOneIn(10)) return null;
    if (old.type === "array") return this.#list(old, next, depth);
    if (old.type === "object" || isRoot) return this.#object(old, next, isRoot, depth);
    const { all, named } = this.#scalars(old, next);
    const few = random.isOneIn(2) ? named : all;
    return random.pick(few.length > 0 ? few : all) ?? null;
  }

  #scalars(old: Structural, next: Structural | undefined): Scalars {
    const row = this.#known.get(old) ?? new Map<Structural | undefined, Scalars>();
    this.#known.set(old, row);
    const known = row.get(next);
    if (known !== undefined) return known;
    const { sampler } = this.#options;
    const constants = this.#constantsFor(old, next);
    const made = this.#makeScalars(old, next, constants);
    // A few values that pass are more useful than many that fail.
    const passing = made.filter((value) => sampler.check.accepts(old, value));
    const all = passing.length > 0 ? passing : made;
    const found = { all, named: all.filter((value) => isNamed(value, constants)) };
    row.set(next, found);
    return found;
  }

  #makeScalars(old: Structural, next: Structural | undefined, constants: Constants): JsonValue[] {
    const { sampler } = this.#options;
    // A format lets a list pass where a string or a number is declared.
    const odd: JsonValue[] = old.format === "" ? [] : [[]];
    const samples = [...sampler.samples(old, 6), ...odd];
    switch (old.intOrString ? "" : old.type) {
      case "boolean":
        return [true, false];
      case "integer":
        return [...samples, ...nearbyIntegers(constants).map(integerValue), ...wholeFloats(constants)];
      case "number":
        return [
          ...samples,
          ...nearbyDoubles(constants).map(floatValue),
          ...nearbyIntegers(constants).map(integerValue),
        ];
      case "string":
        return [...samples, ...this.#texts(old, next, constants)];
      default:
        return [
          ...samples,
          ...nearbyIntegers(constants).map(integerValue),
          ...this.#texts(old, next, constants),
          ...(old.intOrString ? [] : [true, [], newObject(), 1.5]),
        ];
    }
  }

  #constantsFor(old: Structural, next: Structural | undefined): Constants {
    const { constants } = this.#options;
    const found = newConstants();
    collectSchema(old, found);
    if (next !== undefined) collectSchema(next, found);
    for (const value of constants.integers) found.integers.add(value);
    for (const value of constants.doubles) found.doubles.add(value);
    for (const value of constants.texts) found.texts.add(value);
    for (const value of constants.functions) found.functions.add(value);
    return found;
  }

  #texts(old: Structural, next: Structural | undefined, constants: Constants): string[] {
    const { texts, integers } = constants;
    const { minor } = this.#options.sampler.check;
    const sizes = [...integers].map(Number).filter((size) => size >= 0 && size <= 300);
    const near = [...texts].flatMap(nearbyTexts);
    const lengths = sizes.flatMap((size) => [size, size + 1, size - 1]).filter((size) => size >= 0);
    const formats = [old, next].flatMap((schema) =>
      schema === undefined ? [] : formatSamples(enforcedFormat(schema, minor)),
    );
    const between = this.#between(old, next, lengths);
    return [
      ...between,
      ...between.slice(0, 3).flatMap((text) => ODD_ENDS.flatMap((end) => [`${text}${end}`, `${end}${text}`])),
      ...amountTexts(constants),
      ...new Set([...near, ...lengths.map((size) => "a".repeat(size)), ...formats, ...ODD_TEXTS, ...assortedTexts()]),
    ];
  }

  /** Strings that match the patterns of the old schema but not those of the new one, with the lengths that matter. */
  #between(old: Structural, next: Structural | undefined, lengths: readonly number[]): string[] {
    const accept = patternsOf(old);
    const reject = next === undefined ? [] : patternsOf(next).filter((pattern) => !accept.includes(pattern));
    const [min, max] = [old.minLength ?? 0, old.maxLength ?? Number.POSITIVE_INFINITY];
    const asked = [
      ...reject.map((pattern) => ({ accept, reject: [pattern], minLength: min, maxLength: max })),
      { accept, reject: [], minLength: min, maxLength: max },
      ...lengths
        .slice(0, 8)
        .map((size) => ({ accept, reject: [], minLength: Math.max(min, size), maxLength: Math.min(max, size) })),
    ];
    return asked.flatMap((facts) => {
      const answer = findFittingText({ ...facts, maxSteps: 20_000 });
      return answer.kind === "found" ? [answer.text] : [];
    });
  }

  #list(old: Structural, next: Structural | undefined, depth: number): JsonValue[] {
    const { random } = this.#options;
    const { items } = old;
    if (items === undefined || depth > MAX_DEPTH) return [];
    const bounds = [old.minItems, old.maxItems, next?.minItems, next?.maxItems, ...this.#sizes];
    const sizes = bounds.flatMap((size) =>
      size === undefined || size < 0 || size > 12 ? [] : [size - 1, size, size + 1],
    );
    const size = random.pick([0, 1, 1, 2, 2, 2, 3, ...sizes.filter((each) => each >= 0)]) ?? 1;
    const made = Array.from({ length: size }, () => this.value(items, next?.items, false, depth + 1));
    // Equal or partly equal items test uniqueness.
    const [first] = made;
    if (size > 2 && first !== undefined && old.listType === undefined && random.isOneIn(5))
      return made.map(() => first);
    if (size > 1 && first !== undefined && random.isOneIn(3)) made[size - 1] = this.#similar(first);
    return made;
  }

  /** The same value, or the same value without one of its members. */
  #similar(value: JsonValue): JsonValue {
    const { random } = this.#options;
    const key = isObject(value) && !random.isOneIn(3) ? random.pick(Object.keys(value)) : undefined;
    return isObject(value) && key !== undefined ? withoutMember(value, key) : value;
  }

  #object(old: Structural, next: Structural | undefined, isRoot: boolean, depth: number): JsonObject {
    const { random } = this.#options;
    const object = newObject();
    if (depth > MAX_DEPTH) return object;
    for (const name of this.#members(old, next)) {
      const schema = old.properties.get(name) ?? droppedMember(old, next, name);
      const isNeeded = old.required.includes(name) || (old.minProperties ?? 0) > 0;
      if (schema === undefined || random.isOneIn(isNeeded ? 30 : 3)) continue;
      object[name] = random.isOneIn(40) ? null : this.value(schema, memberOf(next, name), false, depth + 1);
    }
    if (old.embeddedResource || isRoot) this.#resource(object, old, next, isRoot, depth);
    const values = undeclared(old);
    if (values !== undefined) this.#keys(object, old, next, values, depth);
    return object;
  }

  /** Important members first: required, changed, or mentioned. */
  #members(old: Structural, next: Structural | undefined): string[] {
    const { mentioned } = this.#options;
    const dropped = next === undefined || undeclared(old) !== undefined ? [] : [...next.properties.keys()];
    const all = [...new Set([...old.properties.keys(), ...dropped])];
    if (all.length <= MANY_MEMBERS) return all;
    const isChanged = (name: string): boolean => old.properties.get(name) !== next?.properties.get(name);
    return all.filter(
      (name) => old.required.includes(name) || mentioned.has(escapeName(name) ?? name) || isChanged(name),
    );
  }

  #resource(object: JsonObject, old: Structural, next: Structural | undefined, isRoot: boolean, depth: number): void {
    const { random } = this.#options;
    if (!isRoot) {
      object["apiVersion"] = random.pick(["v1", "apps/v1"]) ?? "v1";
      object["kind"] = random.pick(["Pod", "Service", "Example"]) ?? "Pod";
    }
    const metadata = resourceMember(old, "metadata", isRoot);
    if (metadata === undefined || random.isOneIn(3)) return;
    const after = next && resourceMember(next, "metadata", isRoot);
    const made = this.value({ ...metadata, preserveUnknownFields: undefined }, after, false, depth + 1);
    object["metadata"] = made;
  }

  #keys(object: JsonObject, old: Structural, next: Structural | undefined, values: Structural, depth: number): void {
    const { random, constants } = this.#options;
    const names = next?.propertyNames ?? old.propertyNames;
    const texts = [...constants.texts, ...(names?.enum ?? []), "key", "other", "a", "b", "A b"].filter(
      (key) => typeof key === "string",
    );
    const own =
      old.propertyNames === undefined
        ? texts
        : this.#scalars(old.propertyNames, next?.propertyNames).all.filter((key) => typeof key === "string");
    const count = random.below(4);
    for (let made = 0; made < count; made++) {
      const key = random.pick(own);
      if (key === undefined || old.properties.has(key)) continue;
      object[key] = this.value(values, next && undeclared(next), false, depth + 1);
    }
  }
}

function isNamed(value: JsonValue, { integers, texts }: Constants): boolean {
  if (typeof value === "string") return texts.has(value);
  if (typeof value === "bigint") return integers.has(value);
  return typeof value === "number" && Number.isInteger(value) && integers.has(BigInt(value));
}

/** Characters that functions of strings treat in another way than patterns do. */
const ODD_ENDS: readonly string[] = [" ", "\u00a0", "%", "A", "\u017f"];

const ODD_TEXTS: readonly string[] = ["", " ", "a\nb", "é", "😀", "\ufffd", "01.2.3.4", "A", "Z9", "-a"];

function wholeFloats({ integers }: Constants): JsonValue[] {
  return [...integers].slice(0, 4).map((value) => new Float64(Number(value)));
}

function patternsOf(schema: Structural): string[] {
  const nodes = [schema, ...schema.allOf];
  return nodes.map(({ pattern }) => pattern).filter((pattern) => pattern !== "");
}

/** The new schema of a field that the old CRD drops. */
function droppedMember(old: Structural, next: Structural | undefined, name: string): Structural | undefined {
  return undeclared(old) === undefined ? next?.properties.get(name) : undefined;
}

function memberOf(schema: Structural | undefined, name: string): Structural | undefined {
  return schema && (schema.properties.get(name) ?? undeclared(schema));
}
