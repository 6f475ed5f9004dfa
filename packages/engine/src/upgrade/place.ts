/** Puts a value at a schema path, inside a small object that the surrounding schema accepts. */
import type { Structural } from "../schema/structural.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { withMember, withoutMember } from "../value/rewrite.ts";
import { ANYTHING, type SchemaStep } from "./pairs.ts";
import type { Sampler } from "./witness/sample.ts";

export type DataStep = string | number;

export interface Placed {
  readonly value: JsonValue;
  /** The path of the value in the object. */
  readonly path: readonly DataStep[];
}

const BASES = 6;

/** Objects with the value at the path that the schemas along the path accept. */
export function* placeValue(
  schema: Structural,
  path: readonly SchemaStep[],
  value: JsonValue,
  sampler: Sampler,
): Generator<Placed> {
  const [step, ...rest] = path;
  if (step === undefined) {
    yield { value, path: [] };
    return;
  }
  const inner = stepSchema(schema, step);
  // Without a schema there may still be data, if unknown fields are preserved.
  for (const placed of placeValue(inner ?? ANYTHING, rest, value, sampler)) yield* wrap(schema, step, placed, sampler);
}

function* wrap(schema: Structural, step: SchemaStep, inner: Placed, sampler: Sampler): Generator<Placed> {
  let count = 0;
  for (const { value, path } of step.kind === "item"
    ? inLists(schema, inner, sampler)
    : inObjects(schema, step, inner, sampler)) {
    if (count >= BASES) return;
    if (!sampler.check.accepts(schema, value)) continue;
    count++;
    yield { value, path };
  }
}

function* inLists(schema: Structural, inner: Placed, sampler: Sampler): Generator<Placed> {
  const path = [0, ...inner.path];
  yield { value: [inner.value], path };
  const more = Math.min(Math.max((schema.minItems ?? 0) - 1, 1), 64);
  const others = schema.items === undefined ? [] : sampler.distinctItems(schema, [schema.items], more + 1);
  yield { value: [inner.value, ...others.slice(0, more)], path };
  yield { value: [inner.value, ...others.slice(1, more + 1)], path };
}

function* inObjects(schema: Structural, step: SchemaStep, inner: Placed, sampler: Sampler): Generator<Placed> {
  const names = step.kind === "property" ? [step.name] : sampler.freshKeys([schema], 2);
  const bases = [newObject(), ...sampler.samples(schema, 12)].filter(isObject);
  for (const name of names) {
    const path = [name, ...inner.path];
    for (const base of bases) yield { value: withMember(base, name, inner.value), path };
    // The value may exclude other members: leave them out one at a time.
    for (const base of bases) {
      for (const key of Object.keys(base)) {
        if (key !== name) yield { value: withMember(withoutMember(base, key), name, inner.value), path };
      }
    }
  }
}

/** The schema that a path leads to. */
export function schemaAt(schema: Structural | undefined, path: readonly SchemaStep[]): Structural | undefined {
  let at = schema;
  for (const step of path) at = at && stepSchema(at, step);
  return at;
}

export function stepSchema(schema: Structural, step: SchemaStep): Structural | undefined {
  if (step.kind === "item") return schema.items;
  if (step.kind === "key") return schema.additionalProperties?.schema;
  return schema.properties.get(step.name) ?? schema.additionalProperties?.schema;
}

export function valueAt(root: JsonValue, path: readonly DataStep[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const step of path) {
    if (isArray(at) && typeof step === "number") at = at[step];
    else if (isObject(at) && typeof step === "string" && hasKey(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** A copy with the value at the path; undefined removes it. Missing parents are created. */
export function setAt(root: JsonValue, path: readonly DataStep[], value: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (typeof step === "number") {
    const items = isArray(root) ? [...root] : [];
    const inner = rest.length === 0 ? value : setAt(items[step] ?? newObject(), rest, value);
    if (inner === undefined) items.splice(step, 1);
    else items[Math.min(step, items.length)] = inner;
    return items;
  }
  const object: JsonObject = isObject(root) ? root : newObject();
  if (rest.length === 0) return value === undefined ? withoutMember(object, step) : withMember(object, step, value);
  return withMember(object, step, setAt(object[step] ?? newObject(), rest, value));
}

/** Parses `spec.list[0].name`. The object shows where a key with dots ends. */
export function parseDataPath(text: string, root: JsonValue): DataStep[] {
  const steps: DataStep[] = [];
  let at: JsonValue | undefined = root;
  let rest = text;
  while (rest !== "") {
    const step = nextStep(rest, at);
    if (step === undefined) return steps;
    steps.push(step.value);
    at = at === undefined ? undefined : valueAt(at, [step.value]);
    rest = step.rest;
  }
  return steps;
}

function nextStep(text: string, at: JsonValue | undefined): { value: DataStep; rest: string } | undefined {
  const index = /^\[([0-9]+)\]/.exec(text);
  if (index !== null) return { value: Number(index[1]), rest: trimDot(text.slice(index[0].length)) };
  const key = /^\[([^\]]*)\]/.exec(text);
  if (key !== null) return { value: key[1] ?? "", rest: trimDot(text.slice(key[0].length)) };
  const known = isObject(at) ? Object.keys(at).filter((name) => isPrefix(name, text)) : [];
  const longest = known.sort((left, right) => right.length - left.length)[0];
  const name = longest ?? /^[^.[]+/.exec(text)?.[0];
  return name === undefined ? undefined : { value: name, rest: trimDot(text.slice(name.length)) };
}

function isPrefix(name: string, text: string): boolean {
  return (
    name !== "" && text.startsWith(name) && (text.length === name.length || ".[".includes(text.charAt(name.length)))
  );
}

function trimDot(text: string): string {
  return text.startsWith(".") ? text.slice(1) : text;
}

/** As errors write it: `spec.list[0].name`. */
export function formatDataPath(path: readonly DataStep[]): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

/** Keys of maps are written with dots by some checks and in brackets by others. */
export function normalizePath(path: string): string {
  return path.replace(/^</, "").replaceAll(/\[([^\]]*)\]/g, ".$1");
}
