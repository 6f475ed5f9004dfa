/**
 * Small values that a schema accepts, the smallest first: the material of witnesses and fixtures.
 *
 * Candidates are made from the keywords, for one choice of `anyOf` and `oneOf` branches after another, and kept only if
 * the validator accepts them. Rules are not evaluated here.
 */
import type { Structural } from "../../schema/structural.ts";
import { deepEqual } from "../../value/equal.ts";
import { hasKey, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";
import type { LocalCheck } from "./local-check.ts";
import { sampleIntegers, sampleNumbers, sampleTexts } from "./sample-scalars.ts";

const MAX_CHOICES = 12;
const MAX_DEPTH = 24;
const LARGEST_LIST = 64;
/** The number of different values that are worth searching for one by one. */
const FEW = 8;

/** The schema, or one of its parts, with the branches that were chosen for it. */
type Nodes = readonly Structural[];

/** Cached values for a schema, and whether there are no more. */
interface Samples {
  readonly values: readonly JsonValue[];
  readonly isAll: boolean;
}

export class Sampler {
  readonly check: LocalCheck;
  readonly #samples = new WeakMap<Structural, Samples>();

  constructor(check: LocalCheck) {
    this.check = check;
  }

  /** Up to `limit` different values that the schema accepts. */
  samples(schema: Structural, limit = 4): readonly JsonValue[] {
    return this.#collect([schema], Math.max(limit, 4), 0).slice(0, limit);
  }

  first(schema: Structural): JsonValue | undefined {
    return this.samples(schema, 1)[0];
  }

  #collect(nodes: Nodes, limit: number, depth: number): JsonValue[] {
    const [schema, second] = nodes;
    if (schema === undefined || depth > MAX_DEPTH) return [];
    const known = second === undefined ? this.#samples.get(schema) : undefined;
    if (known !== undefined && (known.values.length >= limit || known.isAll)) return known.values.slice(0, limit);
    const found: JsonValue[] = [];
    for (const value of this.#candidates(nodes, limit, depth)) {
      if (!this.#isAccepted(nodes, value) || found.some((each) => deepEqual(each, value))) continue;
      found.push(value);
      if (found.length >= limit) break;
    }
    if (second === undefined) this.#samples.set(schema, { values: found, isAll: found.length < limit });
    return found;
  }

  /** The schema prunes and defaults; its branches only validate. */
  #isAccepted([schema, ...branches]: Nodes, value: JsonValue): boolean {
    if (schema === undefined || !this.check.accepts(schema, value)) return false;
    if (branches.length === 0) return true;
    const normalized = this.check.normalize(schema, value);
    return branches.every((branch) => this.check.matches(branch, normalized));
  }

  *#candidates(nodes: Nodes, limit: number, depth: number): Generator<JsonValue> {
    for (const chosen of choices(nodes)) {
      for (const { enum: values } of chosen) if (values !== undefined) yield* values;
      yield* this.#byType(chosen, limit, depth);
    }
    if (nodes[0]?.nullable === true) yield null;
  }

  *#byType(nodes: Nodes, limit: number, depth: number): Generator<JsonValue> {
    const { minor } = this.check;
    const type = nodes.map((node) => node.type).find((each) => each !== "") ?? "";
    if (type === "boolean") yield* [true, false];
    else if (type === "integer") yield* sampleIntegers(nodes);
    else if (type === "number") yield* sampleNumbers(nodes);
    else if (type === "string") yield* sampleTexts(nodes, minor);
    else if (type === "array") yield* this.#lists(nodes, depth);
    else if (type === "object") yield* this.#objects(nodes, limit, depth);
    else if (nodes.some(({ intOrString }) => intOrString))
      yield* [...sampleIntegers(nodes), ...sampleTexts(nodes, minor)];
    else yield* this.#untyped(nodes, limit, depth);
  }

  *#untyped(nodes: Nodes, limit: number, depth: number): Generator<JsonValue> {
    yield* this.#objects(nodes, limit, depth);
    yield* sampleTexts(nodes, this.check.minor);
    yield* sampleNumbers(nodes);
    yield* [true, []];
  }

  *#lists(nodes: Nodes, depth: number): Generator<JsonValue> {
    const min = Math.max(0, ...nodes.map(({ minItems }) => minItems ?? 0));
    const max = Math.min(...nodes.map(({ maxItems }) => maxItems ?? Number.POSITIVE_INFINITY));
    if (min > LARGEST_LIST) return;
    const items = nodes.flatMap((node) => node.items ?? []);
    const wanted = Math.min(max, min + 2);
    const values = wanted === 0 ? [] : this.distinctItems(nodes[0], items, wanted, depth);
    for (let length = min; length <= wanted; length++) {
      if (values.length >= length) yield values.slice(0, length);
    }
  }

  /** Items that a list of this type can hold together. */
  distinctItems(list: Structural | undefined, items: Nodes, count: number, depth = 0): JsonValue[] {
    const isUnique = list?.listType === "set" || list?.listType === "map";
    const few = this.#collect(items, isUnique ? Math.min(count, FEW) : 1, depth + 1);
    const values = isUnique && list?.listType === "set" ? this.#numbered(items, few, count) : few;
    if (list?.listType === "map" && values.length > 0) return this.#keyedItems(list, items, values, count);
    if (isUnique || values[0] === undefined) return values;
    return Array.from({ length: count }, () => values[0] as JsonValue);
  }

  /** More scalars like the given ones, made distinct by a number. */
  #numbered(nodes: Nodes, values: readonly JsonValue[], count: number): JsonValue[] {
    const found = new Set(values);
    const texts = values.filter((value) => typeof value === "string");
    const stem = texts.find((text) => this.#isAccepted(nodes, `${text}1`));
    const isInteger = typeof values[0] === "number";
    for (let number = 0; found.size < count && number < count + 100 && (stem !== undefined || isInteger); number++) {
      const next = isInteger ? number : `${stem}${number}`;
      if (this.#isAccepted(nodes, next)) found.add(next);
    }
    return [...found];
  }

  /** The first item with other keys, which make items of a map list distinct. */
  #keyedItems(list: Structural, items: Nodes, values: readonly JsonValue[], count: number): JsonValue[] {
    const [base] = values;
    const found: JsonValue[] = [];
    if (!isObject(base)) return found;
    for (const key of list.listMapKeys) {
      const schemas = items.flatMap((node) => node.properties.get(key) ?? []);
      const keys = this.#numbered(schemas, this.#collect(schemas, Math.min(count, FEW), 1), count);
      if (keys.length < Math.min(count, 2)) continue;
      for (const value of keys) found.push(withMember(base, key, value));
      return found.filter((item) => this.#isAccepted(items, item));
    }
    return [...values];
  }

  *#objects(nodes: Nodes, limit: number, depth: number): Generator<JsonObject> {
    const required = [...new Set(nodes.flatMap((node) => node.required))];
    const base = this.#withMembers(newObject(), required, nodes, depth);
    if (base === undefined) return;
    const min = Math.max(0, ...nodes.map(({ minProperties }) => minProperties ?? 0));
    const filled = this.#fill(nodes[0]?.embeddedResource === true ? withTypes(base) : base, min, nodes, depth);
    yield filled;
    if (limit <= 1 && depth > 2) return;
    const optional = [...(nodes[0]?.properties.keys() ?? [])].filter((name) => !hasKey(filled, name)).slice(0, 24);
    for (const name of optional) {
      const more = this.#withMembers(filled, [name], nodes, depth);
      if (more !== undefined) yield more;
    }
    for (const name of required) {
      for (const value of this.#collect(memberNodes(nodes, name), 4, depth + 1).slice(1)) {
        yield withMember(filled, name, value);
      }
    }
    for (const key of this.freshKeys(nodes, 2)) {
      const more = this.#withMembers(filled, [key], nodes, depth);
      if (more !== undefined) yield more;
    }
  }

  #withMembers(object: JsonObject, names: readonly string[], nodes: Nodes, depth: number): JsonObject | undefined {
    const copy = copyObject(object);
    for (const name of names) {
      const schemas = memberNodes(nodes, name);
      const value = schemas.length === 0 ? "a" : this.#collect(schemas, 1, depth + 1)[0];
      if (value === undefined) return undefined;
      copy[name] = value;
    }
    return copy;
  }

  /** Adds members until there are enough of them. */
  #fill(object: JsonObject, min: number, nodes: Nodes, depth: number): JsonObject {
    let filled = object;
    const names = [...(nodes[0]?.properties.keys() ?? []), ...this.freshKeys(nodes, Math.min(min, LARGEST_LIST))];
    for (const name of names) {
      if (Object.keys(filled).length >= min) break;
      filled = this.#withMembers(filled, [name], nodes, depth) ?? filled;
    }
    return filled;
  }

  /** Keys that are not declared as properties and that the object may have. */
  freshKeys(nodes: Nodes, count: number): string[] {
    const [schema] = nodes;
    if (schema === undefined || count === 0) return [];
    if (schema.additionalProperties === undefined && schema.preserveUnknownFields !== true) return [];
    const names = nodes.flatMap(({ propertyNames }) => propertyNames ?? []);
    const keys = names.length === 0 ? PLAIN_KEYS : this.#collect(names, count + 4, 1);
    const fresh = keys.filter((key) => typeof key === "string" && !schema.properties.has(key));
    return fresh.filter((key) => typeof key === "string").slice(0, count);
  }
}

const PLAIN_KEYS: readonly string[] = Array.from(
  { length: LARGEST_LIST },
  (_, index) => `key${index === 0 ? "" : index}`,
);

function memberNodes(nodes: Nodes, name: string): Structural[] {
  return nodes.flatMap((node) => node.properties.get(name) ?? node.additionalProperties?.schema ?? []);
}

function withTypes(object: JsonObject): JsonObject {
  const copy = copyObject(object);
  copy["apiVersion"] ??= "v1";
  copy["kind"] ??= "Example";
  copy["metadata"] ??= newObject();
  return copy;
}

/** The nodes with one branch of each `anyOf` and `oneOf`, and all of `allOf`, one choice after another. */
function choices(nodes: Nodes): Nodes[] {
  let lists: Structural[][] = [[]];
  for (const node of nodes) lists = combine(lists, expand(node, 0));
  return lists;
}

function expand(node: Structural, depth: number): Structural[][] {
  let lists: Structural[][] = [[node]];
  if (depth > 3) return lists;
  for (const branch of node.allOf) lists = combine(lists, expand(branch, depth + 1));
  for (const options of [node.anyOf, node.oneOf]) {
    if (options.length === 0) continue;
    lists = combine(
      lists,
      options.flatMap((branch) => expand(branch, depth + 1)),
    );
  }
  return lists;
}

function combine(left: Structural[][], right: Structural[][]): Structural[][] {
  return left.flatMap((one) => right.map((other) => [...one, ...other])).slice(0, MAX_CHOICES);
}
