/** Random questions, and their text: one JSON line each, in which a float64 keeps its fraction. */
import { createHash } from "node:crypto";
import {
  Float64,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { Kind } from "../../runners/engine/case.ts";
import type { Random } from "../apply/random.ts";
import { randomEdit } from "./edit.ts";
import { NAMES, randomSchema } from "./generate-schema.ts";
import { randomValue } from "./generate-value.ts";

/** What a corpus line holds, without the answer. */
export type Question = JsonObject;

const OBJECTS_PER_SCHEMA = 8;

/** Questions about one schema are consecutive, because compiling it is the slow part. */
export function randomQuestions(random: Random, kind: Kind, count: number): Question[] {
  const questions: Question[] = [];
  while (questions.length < count) questions.push(...aboutOneSchema(random, kind));
  return questions.slice(0, count);
}

function aboutOneSchema(random: Random, kind: Kind): Question[] {
  if (kind === "definitions") return [randomDefinition(random)];
  const isWhole = random.bool(0.15);
  const schema = isWhole ? wholeSchema(random) : randomSchema(random);
  return Array.from({ length: OBJECTS_PER_SCHEMA }, () => {
    const question = newObject();
    question["schema"] = schema;
    if (isWhole) {
      question["root"] = true;
      if (random.bool(0.7)) question["subresources"] = Object.assign(newObject(), { status: newObject() });
    }
    const value = isWhole ? whole(random, schema) : randomValue(random, schema, 0.06);
    if (kind === "values") question["object"] = value;
    else {
      if (question["subresources"] !== undefined && random.bool(0.6)) question["status"] = true;
      question["old"] = value;
      question["object"] = isWhole ? withMeta(randomEdit(random, value, schema)) : randomEdit(random, value, schema);
    }
    return question;
  });
}

function wholeSchema(random: Random): JsonObject {
  const schema = newObject();
  schema["type"] = "object";
  schema["properties"] = Object.assign(newObject(), { spec: randomSchema(random, 1), status: randomSchema(random, 1) });
  return schema;
}

function whole(random: Random, schema: JsonObject): JsonObject {
  return withMeta(randomValue(random, schema, 0.04));
}

function withMeta(value: JsonValue): JsonObject {
  const object = Object.assign(newObject(), isObject(value) ? value : {});
  object["apiVersion"] = "example.com/v1";
  object["kind"] = "Widget";
  object["metadata"] = Object.assign(newObject(), { name: "a", namespace: "default", resourceVersion: "1" });
  return object;
}

/** A CRD with a random schema, often with one part that does not belong there. */
function randomDefinition(random: Random): Question {
  const schema = wholeSchema(random);
  if (random.bool(0.7)) spoil(random, schema);
  const question = newObject();
  question["object"] = definition(schema);
  if (!random.bool(0.3)) return question;
  const changed = wholeSchema(random);
  question["old"] = definition(random.bool(0.5) ? schema : changed);
  return question;
}

function definition(schema: JsonObject): JsonObject {
  const of = (members: Readonly<Record<string, JsonValue>>) => Object.assign(newObject(), members);
  return of({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: of({ name: "widgets.example.com", resourceVersion: "1" }),
    spec: of({
      group: "example.com",
      scope: "Namespaced",
      names: of({ plural: "widgets", kind: "Widget" }),
      versions: [of({ name: "v1", served: true, storage: true, schema: of({ openAPIV3Schema: schema }) })],
    }),
  });
}

const SPOILERS: readonly (readonly [string, JsonValue])[] = [
  ["type", "string"],
  ["type", "bogus"],
  ["type", ""],
  ["nullable", true],
  ["default", "x"],
  ["uniqueItems", true],
  ["x-kubernetes-list-type", "set"],
  ["x-kubernetes-list-type", "map"],
  ["x-kubernetes-map-type", "atomic"],
  ["x-kubernetes-list-map-keys", ["a"]],
  ["x-kubernetes-int-or-string", true],
  ["x-kubernetes-embedded-resource", true],
  ["x-kubernetes-preserve-unknown-fields", true],
  ["x-kubernetes-preserve-unknown-fields", false],
  ["additionalProperties", true],
  ["additionalProperties", false],
  ["pattern", "("],
  ["format", "whatever"],
  ["required", ["a", "z"]],
  ["title", "t"],
  ["enum", [1]],
];

function spoil(random: Random, schema: JsonObject): void {
  const nodes = nodesOf(schema);
  for (let left = 1 + random.below(2); left > 0; left--) {
    const [name, value] = random.pick(SPOILERS);
    random.pick(nodes)[name] = value;
  }
  if (random.bool(0.1)) delete random.pick(nodes)["type"];
  if (random.bool(0.1))
    random.pick(nodes)["properties"] = Object.assign(newObject(), { [random.pick(NAMES)]: newObject() });
}

function nodesOf(schema: JsonValue | undefined): JsonObject[] {
  if (!isObject(schema)) return [];
  const { properties, items, additionalProperties, not } = schema;
  const inner = [...(isObject(properties) ? Object.values(properties) : []), items, additionalProperties, not];
  for (const name of ["allOf", "anyOf", "oneOf"]) if (isArray(schema[name])) inner.push(...schema[name]);
  return [schema, ...inner.flatMap(nodesOf)];
}

export function questionId(kind: Kind, topic: string, question: Question): string {
  const hash = createHash("sha256").update(lineText(question)).digest("hex").slice(0, 10);
  return `${kind}-${topic}/${hash}`;
}

export function lineText(value: JsonValue): string {
  if (value instanceof Float64) {
    const text = canonicalJson(value);
    return /[.eE]/.test(text) ? text : `${text}.0`;
  }
  if (isArray(value)) return `[${value.map(lineText).join(",")}]`;
  if (!isObject(value)) return canonicalJson(value, { escapeHtml: false });
  const members = Object.keys(value).map(
    (key) => `${canonicalJson(key, { escapeHtml: false })}:${lineText(value[key] ?? null)}`,
  );
  return `{${members.join(",")}}`;
}
