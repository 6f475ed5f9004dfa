/** Random values for a schema: mostly valid ones, sometimes anything. */
import {
  Float64,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";

const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "abc",
  "abcd",
  "B",
  "1",
  "é",
  "🛡",
  "2020-01-01",
  "2020-01-01T00:00:00Z",
  "1.2.3.4",
  "::1",
  "5m",
  "aGk=",
  "a@b.c",
];
const INTEGERS: readonly JsonValue[] = [0, 1, 2, 3, 4, 5, 6, -1, 100, 2147483648, 9223372036854775807n];
const FLOATS: readonly JsonValue[] = [
  0.5,
  1.5,
  2.5,
  0.1,
  new Float64(1),
  new Float64(2),
  new Float64(3),
  new Float64(-1),
  new Float64(1e21),
];
const KEYS = ["a", "b", "c", "k.l/m", ""];

/** `wildness` is the probability that a node does not follow its schema. */
export function randomValue(random: Random, schema: JsonValue | undefined, wildness: number): JsonValue {
  if (!isObject(schema) || random.bool(wildness)) return anything(random, 2);
  if (random.bool(schema["nullable"] === true ? 0.2 : 0.02)) return null;
  if (isArray(schema["enum"]) && random.bool(0.6)) return random.pick(schema["enum"]);
  switch (schema["type"]) {
    case "string":
      return random.pick(TEXTS);
    case "integer":
      return random.pick(random.bool(0.1) ? FLOATS : INTEGERS);
    case "number":
      return random.pick(random.bool(0.5) ? FLOATS : INTEGERS);
    case "boolean":
      return random.bool(0.5);
    case "array":
      return Array.from({ length: random.below(4) }, () => randomValue(random, schema["items"], wildness));
    case "object":
      return randomObject(random, schema, wildness);
    default:
      if (schema["x-kubernetes-int-or-string"] !== true) return anything(random, 2);
      return random.pick<JsonValue>(random.bool(0.5) ? TEXTS : INTEGERS);
  }
}

function randomObject(random: Random, schema: JsonObject, wildness: number): JsonObject {
  const object = newObject();
  const properties = isObject(schema["properties"]) ? schema["properties"] : newObject();
  for (const name of Object.keys(properties)) {
    if (random.bool(0.75)) object[name] = randomValue(random, properties[name], wildness);
  }
  if (schema["additionalProperties"] !== undefined) {
    for (const key of random.some(KEYS, 3)) object[key] = randomValue(random, schema["additionalProperties"], wildness);
  }
  if (schema["x-kubernetes-embedded-resource"] === true) addTypes(random, object);
  if (random.bool(0.1)) object[random.pick(["a", "z", "kind", "metadata"])] = anything(random, 1);
  return object;
}

function addTypes(random: Random, object: JsonObject): void {
  if (random.bool(0.9)) object["apiVersion"] = random.pick(["v1", "a/v1", "a/b/c"]);
  if (random.bool(0.9)) object["kind"] = random.pick(["Pod", "Pod", "bad kind"]);
  if (random.bool(0.4)) object["metadata"] = Object.assign(newObject(), { name: random.pick(["a", "a/b"]) });
}

function anything(random: Random, depth: number): JsonValue {
  const kind = random.below(depth > 0 ? 8 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random.bool(0.5);
  if (kind === 2) return random.pick(INTEGERS);
  if (kind === 3) return random.pick(FLOATS);
  if (kind <= 5) return random.pick(TEXTS);
  if (kind === 6) return Array.from({ length: random.below(3) }, () => anything(random, depth - 1));
  const object = newObject();
  for (const key of random.some(KEYS, 2)) object[key] = anything(random, depth - 1);
  return object;
}
