/** Builds objects from the models that the solver could not rule out. */
import type { Structural } from "../../schema/structural.ts";
import type { Model } from "../../symbolic/facts.ts";
import {
  floatValue,
  integerValue,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "../../value/json.ts";
import { undeclared } from "../pairs.ts";
import { type DataStep, setAt, valueAt } from "../place.ts";
import type { Sampler } from "../witness/sample.ts";

const MAX_SIZE = 400;

/**
 * The object with the values of the model; everything else stays unchanged. The schemas are those of the old and the new
 * CRD, because a manifest may have fields that only the new one has.
 */
export function applyModel(base: JsonObject, model: Model, schemas: Schemas, sampler: Sampler): JsonObject {
  const numbering = new Map<string, number>();
  const edits = [...editsOf(model)].sort((left, right) => left.name.length - right.name.length);
  let object: JsonValue = base;
  for (const { name, value } of edits) {
    const path = toPath(name, numbering);
    if (path === undefined || path.length === 0 || path[0] === "metadata") continue;
    object = edit(object, path, value, schemas, sampler);
  }
  return isObject(object) ? object : base;
}

type Schemas = readonly (Structural | undefined)[];

type Wanted = { readonly set: JsonValue } | "present" | "absent" | "null" | { readonly size: number };

interface ModelEdit {
  readonly name: string;
  readonly value: Wanted;
}

function* editsOf({ flags, texts, integers, doubles }: Model): Generator<ModelEdit> {
  for (const [name, isTrue] of flags) {
    if (name.startsWith("has .")) yield { name: name.slice(4), value: isTrue ? "present" : "absent" };
    if (name.startsWith("null .") && isTrue) yield { name: name.slice(5), value: "null" };
    if (name.startsWith("true .")) yield { name: name.slice(5), value: { set: isTrue } };
  }
  for (const [name, value] of integers) {
    const sized = /^size\((\..*)\)$/.exec(name)?.[1];
    if (sized !== undefined && !texts.has(sized)) yield { name: sized, value: { size: Number(value) } };
    else if (name.startsWith(".")) yield { name, value: { set: integerValue(value) } };
  }
  for (const [name, value] of doubles) if (name.startsWith(".")) yield { name, value: { set: floatValue(value) } };
  for (const [name, value] of texts) if (name.startsWith(".")) yield { name, value: { set: value } };
}

/** Parses `.spec.list[#3].name`. Elements are numbered in the order in which they appear. */
function toPath(name: string, numbering: Map<string, number>): DataStep[] | undefined {
  if (/[@=]/.test(name)) return undefined;
  const steps: DataStep[] = [];
  for (const part of name.matchAll(/\.([^.[]+)|\[#(\d+)\]|\[(\d+)\]/g)) {
    const [, key, element, index] = part;
    if (index !== undefined) steps.push(Number(index));
    if (key !== undefined) steps.push(key);
    if (element !== undefined) steps.push(indexOf(steps, element, numbering));
  }
  return steps;
}

function indexOf(steps: readonly DataStep[], element: string, numbering: Map<string, number>): number {
  const list = JSON.stringify(steps);
  const key = `${list} ${element}`;
  const known = numbering.get(key);
  if (known !== undefined) return known;
  const next = numbering.get(list) ?? 0;
  numbering.set(list, next + 1).set(key, next);
  return next;
}

function edit(
  object: JsonValue,
  path: readonly DataStep[],
  wanted: Wanted,
  schemas: Schemas,
  sampler: Sampler,
): JsonValue {
  if (wanted === "absent") return valueAt(object, path) === undefined ? object : setAt(object, path, undefined);
  if (wanted === "null") return setAt(object, path, null);
  const schema = schemas.map((root) => root && schemaAt(root, path)).find((each) => each !== undefined);
  const present = valueAt(object, path);
  const filler = (): JsonValue => (schema && sampler.first(schema)) ?? newObject();
  if (wanted === "present") return present === undefined ? setAt(object, path, filler()) : object;
  if ("set" in wanted) return setAt(object, path, wanted.set);
  return resize(object, path, wanted.size, schema, sampler);
}

function resize(
  object: JsonValue,
  path: readonly DataStep[],
  size: number,
  schema: Structural | undefined,
  sampler: Sampler,
): JsonValue {
  if (schema === undefined || size < 0 || size > MAX_SIZE) return object;
  const present = valueAt(object, path);
  if (schema.type === "array" && schema.items !== undefined) {
    const items = isArray(present) ? present.slice(0, size) : [];
    const more = sampler.distinctItems(schema, [schema.items], size);
    return setAt(object, path, [...items, ...more].slice(0, size));
  }
  return schema.type === "string" ? setAt(object, path, "a".repeat(size)) : object;
}

function schemaAt(root: Structural, path: readonly DataStep[]): Structural | undefined {
  let at: Structural | undefined = root;
  for (const step of path) {
    if (at === undefined) return undefined;
    at = typeof step === "number" ? at.items : (at.properties.get(step) ?? undeclared(at));
  }
  return at;
}
