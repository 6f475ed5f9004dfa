import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addInts,
  checkedInt,
  divideInts,
  doubleToInt,
  type Int,
  moduloInts,
  multiplyInts,
  negateInt,
  normalInt,
  subtractInts,
} from "./int.ts";
import { CelError } from "./value.ts";

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -9n, max: 9n }),
);

test.each([
  { name: "addition", actual: addInts, expected: (a: bigint, b: bigint) => a + b },
  { name: "subtraction", actual: subtractInts, expected: (a: bigint, b: bigint) => a - b },
  { name: "multiplication", actual: multiplyInts, expected: (a: bigint, b: bigint) => a * b },
  { name: "division", actual: divideInts, expected: (a: bigint, b: bigint) => (b === 0n ? undefined : a / b) },
  { name: "modulo", actual: moduloInts, expected: (a: bigint, b: bigint) => (b === 0n ? undefined : a % b) },
])("$name agrees with 64-bit arithmetic", ({ name, actual, expected }) => {
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      const exact = expected(a, b);
      const overflows = name === "modulo" && a === -(2n ** 63n) && b === -1n;
      const result = actual(normalInt(a), normalInt(b));
      if (exact === undefined || overflows) expect(result).toBeInstanceOf(CelError);
      else expect(result).toEqual(checkedInt(exact));
    }),
  );
});

test.each<{ name: string; result: Int | CelError }>([
  { name: "a product with zero", result: multiplyInts(0, -5) },
  { name: "a remainder of nothing", result: moduloInts(-4, 2) },
  { name: "a quotient of zero", result: divideInts(0, -5) },
  { name: "the negation of zero", result: negateInt(0) },
  { name: "a small negative double", result: doubleToInt(-0.5) },
])("$name is 0, not -0", ({ result }) => {
  expect(Object.is(result, 0)).toBe(true);
});
