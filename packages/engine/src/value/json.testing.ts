/** Random values for property tests. */
import fc from "fast-check";
import { floatValue, integerValue, type JsonValue, newObject } from "./json.ts";

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(integerValue),
  // Minus zero is written as `-0`, which decodes to the int64 0.
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Object.is(value, -0))
    .map(floatValue),
);

const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "0", ""));

export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map(objectOf),
  ),
})).value;

function objectOf(entries: readonly [string, JsonValue][]): JsonValue {
  const object = newObject();
  for (const [name, value] of entries) object[name] = value;
  return object;
}
