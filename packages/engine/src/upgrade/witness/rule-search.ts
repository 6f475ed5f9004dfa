/**
 * Edits that are likely to change the result of a rule: the fields it reads, absent or set to the values it compares
 * them with and the values next to those.
 */
import { type Constant, children, type Expr } from "@portcullis/cel/internal";
import { compileAutomaton, findText } from "@portcullis/gostd/regexp/automaton";
import { escapeName } from "../../kubecel/escaping.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { Structural } from "../../schema/structural.ts";
import { deepEqual } from "../../value/equal.ts";
import { isArray, isInteger, isObject, type JsonValue, newObject } from "../../value/json.ts";
import { assortedTexts } from "../contain/formats.ts";
import { readsOf } from "../contain/rule-reads.ts";
import { type DataStep, valueAt } from "../place.ts";
import type { Sampler } from "./sample.ts";

export interface Edit {
  readonly path: readonly DataStep[];
  /** Undefined removes the value. */
  readonly value: JsonValue | undefined;
}

const VALUES_PER_FIELD = 20;

/** `hints` are strings that are likely to be refused. */
export function ruleEdits(
  rule: CompiledRule,
  value: JsonValue,
  schema: Structural,
  sampler: Sampler,
  hints: readonly string[] = [],
): Edit[] {
  const expr = rule.ast?.checked.expr;
  if (expr === undefined) return [];
  const literals = [...hints, ...literalsOf(expr), ...parsedTexts(expr)];
  const { paths, shallow } = readsOf(expr);
  const places = distinctPlaces([...shallow, ...paths], value, schema);
  // The schema does not declare all that a rule may read: `metadata.name` is there without it.
  const present = [...places.map(({ path }) => path), ...shallow, ...paths].flatMap(
    (path) => valueAt(value, path) ?? [],
  );
  return places.flatMap(({ path, schema: inner }) => {
    const values = candidateValues(inner, literals, present, sampler).filter((each) =>
      sampler.check.accepts(inner, each),
    );
    const edits: Edit[] = distinct(values)
      .slice(0, VALUES_PER_FIELD)
      .map((each) => ({ path, value: each }));
    return path.length === 0 ? edits : [...edits, { path, value: undefined }];
  });
}

function distinct(values: readonly JsonValue[]): JsonValue[] {
  return values.filter((value, index) => values.findIndex((each) => deepEqual(each, value)) === index);
}

interface Place {
  readonly path: readonly DataStep[];
  readonly schema: Structural;
}

/** Includes the parents of each field: a missing parent has as much effect. */
function distinctPlaces(reads: readonly (readonly string[])[], value: JsonValue, schema: Structural): Place[] {
  const places = new Map<string, Place>();
  for (const read of reads) {
    let at: Place = { path: [], schema };
    if (read.length === 0) places.set("[]", at);
    for (const step of read) {
      const next = descend(at, step, value);
      if (next === undefined) break;
      at = next;
      places.set(JSON.stringify(at.path), at);
    }
  }
  return [...places.values()];
}

function descend({ path, schema }: Place, step: string, value: JsonValue): Place | undefined {
  if (step === "*" && schema.items !== undefined) return { path: [...path, 0], schema: schema.items };
  const additional = schema.additionalProperties?.schema;
  if (step === "*" && additional !== undefined) {
    const object = valueAt(value, path);
    const key = isObject(object) ? Object.keys(object)[0] : undefined;
    return { path: [...path, key ?? "key"], schema: additional };
  }
  for (const [name, property] of schema.properties) {
    if ((escapeName(name) ?? name) === step) return { path: [...path, name], schema: property };
  }
  return additional === undefined ? undefined : { path: [...path, step], schema: additional };
}

function literalsOf(expr: Expr): Constant[] {
  const own = expr.kind === "literal" ? [expr.value] : [];
  return [...own, ...children(expr).flatMap(literalsOf)];
}

/** What functions that parse their argument accept. */
const PARSED: ReadonlyMap<string, string> = new Map([
  ["duration", "1h"],
  ["timestamp", "2020-01-01T00:00:00Z"],
  ["url", "https://example.com"],
  ["isURL", "https://example.com"],
  ["ip", "10.0.0.1"],
  ["isIP", "10.0.0.1"],
  ["cidr", "10.0.0.0/8"],
  ["isCIDR", "10.0.0.0/8"],
  ["quantity", "1"],
  ["isQuantity", "1"],
  ["semver", "1.0.0"],
  ["isSemver", "1.0.0"],
]);

function parsedTexts(expr: Expr): string[] {
  const own = expr.kind === "call" ? (PARSED.get(expr.function) ?? []) : [];
  return [own, children(expr).flatMap(parsedTexts)].flat();
}

function candidateValues(
  schema: Structural,
  literals: readonly Constant[],
  present: readonly JsonValue[],
  sampler: Sampler,
): JsonValue[] {
  const numbers = [...literals, ...present].filter(isSmallInteger);
  const texts = [...literals, ...present].filter((each) => typeof each === "string");
  const near = numbers.flatMap((each) => [each, each + 1, each - 1]);
  const samples = sampler.samples(schema, 5);
  switch (schema.type) {
    case "integer":
    case "number":
      return [...near, ...samples, 0, 1, -1];
    case "string":
      return [
        ...texts,
        ...texts.flatMap(patternTexts),
        ...samples,
        ...lengths(near).map((size) => "a".repeat(size)),
        ...EXTRA_TEXTS,
      ];
    case "array":
      return [...listValues(schema, near, texts, sampler), ...samples];
    default:
      if (schema.intOrString) return [...near, ...texts, ...samples];
      return [
        ...samples.slice(0, 2),
        ...mapValues(schema, near, texts, sampler),
        ...samples.slice(2),
        ...moreObjects(schema, sampler),
      ];
  }
}

const EXTRA_TEXTS: readonly string[] = ["", "a", "b", "A", "1", "a.b", "https://a", "-"];

/** An object with every property of the schema: rules often count or compare fields. */
function moreObjects(schema: Structural, sampler: Sampler): JsonValue[] {
  return schema.type === "object" ? sampler.samples(schema, 8).slice(5) : [];
}

function listValues(
  schema: Structural,
  near: readonly number[],
  texts: readonly string[],
  sampler: Sampler,
): JsonValue[] {
  const { items } = schema;
  if (items === undefined) return [];
  const sized = lengths([0, 1, 2, ...near]).map((size) => sampler.distinctItems(schema, [items], size).slice(0, size));
  const [first] = sampler.samples(items, 1);
  const doubled = first === undefined ? [] : [[first, first]];
  if (items.type !== "string") return [...sized, ...doubled];
  const named = [...texts.slice(0, 4), ...texts.flatMap(patternTexts)].filter((text) =>
    sampler.check.accepts(items, text),
  );
  const beside = named.slice(0, 4).flatMap((text) => (first === undefined || first === text ? [] : [[text, first]]));
  const others = assortedTexts().filter((text) => sampler.check.accepts(items, text));
  return [...beside, ...named.map((text) => [text]), ...sized, ...doubled, ...others.map((text) => [text])];
}

/** Maps of one key each: rules about keys check their form, their length, or a name. */
function mapValues(
  schema: Structural,
  near: readonly number[],
  texts: readonly string[],
  sampler: Sampler,
): JsonValue[] {
  const values = schema.additionalProperties?.schema;
  if (values === undefined) return [];
  const [value] = sampler.samples(values, 1);
  if (value === undefined) return [];
  const long = lengths(near).map((size) => "a".repeat(size));
  const keys = new Set([...texts.flatMap(patternTexts), ...texts, ...long, "a b", "", "A/b"]);
  return [...keys].slice(0, VALUES_PER_FIELD).map((key) => Object.assign(newObject(), { [key]: value }));
}

function lengths(sizes: readonly number[]): number[] {
  return [...new Set(sizes)].filter((size) => size >= 0 && size <= 300);
}

/** For a string that is a pattern: one that it matches, and one that it does not. */
function patternTexts(text: string): string[] {
  if (!/[\\^$*+?.()|[\]{}]/.test(text)) return [`${text}x`, `x${text}`];
  const automaton = compileAutomaton(text);
  if (automaton === undefined) return [];
  const answers = [
    findText({ accept: [automaton], reject: [], maxSteps: 50_000 }),
    findText({ accept: [automaton], reject: [], minLength: 3, maxSteps: 50_000 }),
    findText({ accept: [], reject: [automaton], maxSteps: 50_000 }),
    findText({ accept: [], reject: [automaton], minLength: 2, maxSteps: 50_000 }),
  ];
  return answers.flatMap((answer) => (answer.kind === "found" ? [answer.text] : []));
}

function isSmallInteger(value: Constant | JsonValue): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

/** Other values at a place, for an update that changes it. */
export function changedValues(
  value: JsonValue | undefined,
  schema: Structural,
  sampler: Sampler,
): readonly (JsonValue | undefined)[] {
  const samples = sampler.samples(schema, 6);
  const near = isInteger(value) && typeof value === "number" ? [value + 1, value - 1] : [];
  const longer = typeof value === "string" ? [`${value}x`] : [];
  const shorter = isArray(value) && value.length > 0 ? [value.slice(1)] : [];
  return [...near, ...longer, ...shorter, ...samples, undefined];
}
