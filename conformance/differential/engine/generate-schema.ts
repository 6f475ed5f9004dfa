/**
 * Random structural schemas: every keyword, small pools of names, bounds and rules so that values meet them.
 *
 * Most are acceptable; some defaults and rules are not, as in CRDs that were stored before stricter checks existed.
 */
import { Float64, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";
import { randomValue } from "./generate-value.ts";
import { randomRules } from "./rules.ts";

export const NAMES: readonly string[] = ["a", "b", "c", "d-e", "if", "x.y"];

const MAX_DEPTH = 3;

type Maker = (random: Random, depth: number) => JsonObject;

const scalars: readonly Maker[] = [string, string, integer, integer, number, boolean, intOrString];
const compounds: readonly Maker[] = [object, object, object, map, list, list, setList, mapList, preserved, embedded];

export function randomSchema(random: Random, depth = 0): JsonObject {
  const isCompound = depth < MAX_DEPTH && random.bool(depth === 0 ? 0.85 : 0.55);
  const schema = random.pick(isCompound ? compounds : scalars)(random, depth);
  if (random.bool(0.1)) schema["nullable"] = true;
  if (random.bool(0.2)) addCombinator(random, schema);
  if (random.bool(0.25)) schema["x-kubernetes-validations"] = randomRules(random, schema);
  if (depth > 0 && random.bool(0.12)) schema["default"] = randomValue(random, schema, 0.02);
  return schema;
}

function of(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.assign(newObject(), members);
}

/** Adds a keyword one time in `odds`. */
function maybe(random: Random, schema: JsonObject, name: string, odds: number, values: readonly JsonValue[]): void {
  if (random.bool(1 / odds)) schema[name] = random.pick(values);
}

const FORMATS = ["date", "date-time", "duration", "ipv4", "ipv6", "uuid", "byte", "k8s-short-name", "email", "unknown"];
const PATTERNS = ["^a", "b$", "^[a-c]*$", "^.{1,3}$", "[0-9]", "(?i)^B"];

function string(random: Random): JsonObject {
  const schema = of({ type: "string" });
  stringKeywords(random, schema);
  maybe(random, schema, "format", 6, FORMATS);
  maybe(random, schema, "enum", 6, [
    ["a", "b"],
    ["abc", ""],
    ["a", 1, null],
  ]);
  return schema;
}

function stringKeywords(random: Random, schema: JsonObject): void {
  maybe(random, schema, "maxLength", 4, [0, 1, 2, 3, 20]);
  maybe(random, schema, "minLength", 5, [0, 1, 2, 3]);
  maybe(random, schema, "pattern", 5, PATTERNS);
}

function integer(random: Random): JsonObject {
  const schema = of({ type: "integer" });
  numberKeywords(random, schema);
  maybe(random, schema, "format", 5, ["int32", "int64", "date", "unknown"]);
  maybe(random, schema, "enum", 8, [
    [1, 2, 3],
    [new Float64(1), 5],
  ]);
  return schema;
}

function number(random: Random): JsonObject {
  const schema = of({ type: "number" });
  numberKeywords(random, schema);
  maybe(random, schema, "format", 5, ["float", "double", "int32"]);
  maybe(random, schema, "enum", 8, [[1, 2.5], [0.5]]);
  return schema;
}

function numberKeywords(random: Random, schema: JsonObject): void {
  maybe(random, schema, "minimum", 5, [0, 1, 2.5, -1]);
  maybe(random, schema, "maximum", 5, [2, 3, 2.5, 100]);
  maybe(random, schema, "exclusiveMinimum", 8, [true]);
  maybe(random, schema, "exclusiveMaximum", 8, [true]);
  maybe(random, schema, "multipleOf", 8, [2, 0.5, 1.5, 3]);
}

function boolean(random: Random): JsonObject {
  const schema = of({ type: "boolean" });
  maybe(random, schema, "enum", 8, [[true]]);
  return schema;
}

function intOrString(random: Random): JsonObject {
  const schema = of({ "x-kubernetes-int-or-string": true });
  stringKeywords(random, schema);
  maybe(random, schema, "minimum", 6, [1, 2]);
  if (random.bool(0.3)) schema["anyOf"] = [of({ type: "integer" }), of({ type: "string" })];
  return schema;
}

function object(random: Random, depth: number): JsonObject {
  const properties = newObject();
  for (const name of random.some(NAMES, 4)) properties[name] = randomSchema(random, depth + 1);
  const schema = of({ type: "object", properties });
  if (random.bool(0.3)) schema["required"] = random.some([...Object.keys(properties), "z"], 2);
  sizeKeywords(random, schema);
  maybe(random, schema, "x-kubernetes-preserve-unknown-fields", 8, [true]);
  maybe(random, schema, "x-kubernetes-map-type", 8, ["atomic", "granular"]);
  return schema;
}

function sizeKeywords(random: Random, schema: JsonObject): void {
  maybe(random, schema, "minProperties", 10, [1, 2]);
  maybe(random, schema, "maxProperties", 10, [1, 2, 3]);
}

function map(random: Random, depth: number): JsonObject {
  const isFree = random.bool(0.1);
  const schema = of({ type: "object", additionalProperties: isFree ? true : randomSchema(random, depth + 1) });
  sizeKeywords(random, schema);
  return schema;
}

function list(random: Random, depth: number): JsonObject {
  const schema = of({ type: "array", items: randomSchema(random, depth + 1) });
  listKeywords(random, schema);
  maybe(random, schema, "x-kubernetes-list-type", 6, ["atomic"]);
  return schema;
}

function listKeywords(random: Random, schema: JsonObject): void {
  maybe(random, schema, "minItems", 10, [1, 2]);
  maybe(random, schema, "maxItems", 5, [1, 2, 3]);
}

function setList(random: Random): JsonObject {
  const items = random.pick([string, integer, number, boolean])(random);
  const schema = of({ type: "array", "x-kubernetes-list-type": "set", items });
  listKeywords(random, schema);
  return schema;
}

function mapList(random: Random, depth: number): JsonObject {
  const items = object(random, depth + 1);
  const keys = random.bool(0.7) ? ["k"] : ["k", "l"];
  const properties = items["properties"] as JsonObject;
  properties["k"] = random.bool(0.7) ? of({ type: "string" }) : of({ "x-kubernetes-int-or-string": true });
  if (keys.length > 1) properties["l"] = of({ type: "integer", default: 1 });
  items["required"] = ["k"];
  const schema = of({ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, items });
  listKeywords(random, schema);
  return schema;
}

function preserved(random: Random): JsonObject {
  const schema = of({ "x-kubernetes-preserve-unknown-fields": true });
  maybe(random, schema, "type", 2, ["object"]);
  return schema;
}

function embedded(random: Random, depth: number): JsonObject {
  const schema = of({ type: "object", "x-kubernetes-embedded-resource": true });
  if (random.bool(0.5)) schema["x-kubernetes-preserve-unknown-fields"] = true;
  const properties = newObject();
  properties["spec"] = randomSchema(random, depth + 1);
  schema["properties"] = properties;
  return schema;
}

/** One of `anyOf`, `oneOf`, `allOf` and `not`, for properties of the schema. */
function addCombinator(random: Random, schema: JsonObject): void {
  const kind = random.pick(["anyOf", "oneOf", "allOf", "not"]);
  if (schema[kind] !== undefined) return;
  if (kind === "not") schema[kind] = branch(random, schema, 2);
  else schema[kind] = Array.from({ length: 1 + random.below(3) }, () => branch(random, schema, 2));
}

function branch(random: Random, schema: JsonObject, depth: number): JsonObject {
  const made = newObject();
  const { type } = schema;
  if (type === "string") stringKeywords(random, made);
  else if (type === "integer" || type === "number") numberKeywords(random, made);
  else if (type === "array") listKeywords(random, made);
  else if (type === "object") objectBranch(random, schema, made, depth);
  else stringKeywords(random, made);
  if (type === "array" && depth > 0 && random.bool(0.4)) {
    made["items"] = branch(random, schema["items"] as JsonObject, depth - 1);
  }
  if (depth > 0 && random.bool(0.1))
    made[random.pick(["anyOf", "allOf", "oneOf"])] = [branch(random, schema, depth - 1)];
  return made;
}

function objectBranch(random: Random, schema: JsonObject, made: JsonObject, depth: number): void {
  const properties = (schema["properties"] ?? newObject()) as JsonObject;
  const names = Object.keys(properties);
  if (random.bool(0.6)) made["required"] = random.some([...names, "a"], 2);
  if (depth === 0 || names.length === 0 || random.bool(0.5)) return;
  const nested = newObject();
  for (const name of random.some(names, 2)) nested[name] = branch(random, properties[name] as JsonObject, depth - 1);
  made["properties"] = nested;
}
