/** Random `x-kubernetes-validations` that fit a schema's type. */
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";

const STRING = ["self.size() < 3", "self.startsWith('a')", "self != 'b'", "self.matches('^[a-c]*$')", "self < 'b'"];
const INTEGER = ["self > 1", "self % 2 == 0", "self != 3", "10 / self > 1"];
const NUMBER = ["self > 1.5", "self != 2.0", "self < 3.0"];
const LIST = ["self.size() < 2", "self.size() > 0", "self == self"];
const ANY = ["self == oldSelf", "oldSelf != self"];
const OPTIONAL = [
  "!oldSelf.hasValue()",
  "!oldSelf.hasValue() || oldSelf.value() == self",
  "oldSelf.orValue(self) == self",
];
const REASONS = ["FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate", "FieldValueInvalid"];

export function randomRules(random: Random, schema: JsonObject): JsonValue {
  return Array.from({ length: 1 + random.below(2) }, () => randomRule(random, schema));
}

function randomRule(random: Random, schema: JsonObject): JsonObject {
  const rule = newObject();
  if (random.bool(0.12)) {
    rule["rule"] = random.pick(OPTIONAL);
    rule["optionalOldSelf"] = true;
  } else rule["rule"] = random.bool(0.15) ? random.pick(ANY) : random.pick(rulesFor(schema));
  if (random.bool(0.3)) rule["message"] = random.pick(["no", " spaced "]);
  if (random.bool(0.2)) rule["messageExpression"] = random.pick(["'made up'", "string(self)", "''", "'a' + 'b'"]);
  if (random.bool(0.2)) rule["reason"] = random.pick(REASONS);
  if (random.bool(0.1) && isObject(schema["properties"])) rule["fieldPath"] = fieldPath(random, schema["properties"]);
  return rule;
}

function fieldPath(random: Random, properties: JsonObject): string {
  const names = Object.keys(properties);
  return names.length === 0 ? ".a" : `['${random.pick(names)}']`;
}

function rulesFor(schema: JsonObject): readonly string[] {
  switch (schema["type"]) {
    case "string":
      return typeof schema["format"] === "string" ? ["self == self", "self != self"] : STRING;
    case "integer":
      return INTEGER;
    case "number":
      return NUMBER;
    case "boolean":
      return ["self", "!self"];
    case "array":
      return LIST;
    case "object":
      return objectRules(schema);
    default:
      return schema["x-kubernetes-int-or-string"] === true ? ["type(self) == int", "self != 'a'"] : ["true"];
  }
}

function objectRules(schema: JsonObject): readonly string[] {
  if (isObject(schema["additionalProperties"])) return ["self.size() < 2", "self.all(k, k != 'b')", "'a' in self"];
  const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const named = properties
    .filter((name) => /^[a-c]$/.test(name))
    .flatMap((name) => [`has(self.${name})`, `!has(self.${name})`]);
  return [...named, "self == self", "true", "false"];
}
