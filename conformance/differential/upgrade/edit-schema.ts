/** Random edits of a schema, as an author might make them: a keyword tightened, loosened, added or dropped somewhere. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";
import { randomSchema } from "../engine/generate-schema.ts";
import { randomValue } from "../engine/generate-value.ts";

export function editSchema(random: Random, schema: JsonObject): JsonObject {
  let edited = schema;
  for (let left = 1 + random.below(3); left > 0; left--) edited = editSomewhere(random, edited, 0);
  return edited;
}

function editSomewhere(random: Random, schema: JsonObject, depth: number): JsonObject {
  const properties = schema["properties"];
  const inner: [string, JsonValue | undefined][] = [
    ["items", schema["items"]],
    ["additionalProperties", schema["additionalProperties"]],
  ];
  if (isObject(properties) && Object.keys(properties).length > 0 && random.bool(depth === 0 ? 0.8 : 0.6)) {
    const name = random.pick(Object.keys(properties));
    const property = properties[name];
    if (isObject(property)) {
      const next = Object.assign(newObject(), properties, { [name]: editSomewhere(random, property, depth + 1) });
      return Object.assign(newObject(), schema, { properties: next });
    }
  }
  for (const [key, child] of inner) {
    if (isObject(child) && random.bool(0.6)) {
      return Object.assign(newObject(), schema, { [key]: editSomewhere(random, child, depth + 1) });
    }
  }
  return editNode(random, schema, depth);
}

const COMMON: readonly string[] = [
  "nullable",
  "default",
  "x-kubernetes-validations",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "enum",
];
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ["maxLength", "minLength", "pattern", "format"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format", "type"],
  number: ["minimum", "maximum", "exclusiveMinimum", "multipleOf", "type"],
  array: ["minItems", "maxItems", "x-kubernetes-list-type"],
  object: ["required", "minProperties", "maxProperties", "properties", "x-kubernetes-preserve-unknown-fields"],
};

/** Takes a keyword from another random schema of the same type, or drops it. */
function editNode(random: Random, schema: JsonObject, depth: number): JsonObject {
  const type = typeof schema["type"] === "string" ? schema["type"] : "";
  const keyword = random.pick([...(BY_TYPE[type] ?? []), ...(BY_TYPE[type] ?? []), ...COMMON]);
  const edited = Object.assign(newObject(), schema);
  if (edited[keyword] !== undefined && keyword !== "type" && keyword !== "properties" && random.bool(0.4)) {
    delete edited[keyword];
    return edited;
  }
  if (keyword === "type") edited["type"] = type === "integer" ? "number" : "integer";
  else if (keyword === "default") edited["default"] = randomValue(random, schema, 0);
  else if (keyword === "nullable") edited["nullable"] = schema["nullable"] !== true;
  else if (keyword === "required") edited["required"] = random.some(Object.keys(propertiesOf(schema)), 3);
  else if (keyword === "properties") edited["properties"] = editProperties(random, schema, depth);
  else borrow(random, edited, keyword, type);
  return edited;
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema["properties"]) ? schema["properties"] : newObject();
}

function editProperties(random: Random, schema: JsonObject, depth: number): JsonObject {
  const properties = Object.assign(newObject(), propertiesOf(schema));
  const names = Object.keys(properties);
  if (names.length > 0 && random.bool(0.5)) delete properties[random.pick(names)];
  else properties[random.pick(["a", "b", "c", "n"])] = randomSchema(random, depth + 1);
  return properties;
}

function borrow(random: Random, schema: JsonObject, keyword: string, type: string): void {
  for (let tries = 0; tries < 60; tries++) {
    const other = randomSchema(random, 2);
    const value = other[keyword];
    if ((type === "" || other["type"] === type) && value !== undefined) {
      schema[keyword] = value;
      if (keyword === "x-kubernetes-list-type" && !isArray(value)) keepKeys(schema, other);
      return;
    }
  }
}

function keepKeys(schema: JsonObject, other: JsonObject): void {
  const keys = other["x-kubernetes-list-map-keys"];
  if (keys === undefined) delete schema["x-kubernetes-list-map-keys"];
  else schema["x-kubernetes-list-map-keys"] = keys;
}
