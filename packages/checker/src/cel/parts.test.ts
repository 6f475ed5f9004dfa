import { fromJson } from "@portcullis/cel";
import { expect, test } from "vitest";
import { celEnvironment } from "./evaluate.ts";
import { celParts } from "./parts.ts";

const variables = { x: fromJson(2), m: fromJson({ a: { b: "c" } }), many: fromJson([1, 2, 3, 4, 5, 6, 7, 8]) };

function parts(expression: string): string[] {
  return celParts(expression, celEnvironment(variables, "1.36"), variables).map(
    ({ depth, text, value, isNeeded }) => `${"  ".repeat(depth)}${text} = ${value}${isNeeded ? "" : " !"}`,
  );
}

// biome-ignore format: a table
const CASES: { name: string; expression: string; rows: string[] }[] = [
  { name: "a single value has no parts", expression: "1", rows: [] },
  { name: "a path is one part", expression: "m.a.b == 'c'", rows: ["m.a.b = \"c\""] },
  { name: "operands after the deciding one are not needed", expression: "x > 5 && x < 9 && x != 1", rows: ["x > 5 = false", "  x = 2", "x < 9 = true !", "x != 1 = true !"] },
  { name: "the branch that was not taken is not needed", expression: "x == 2 ? x + 1 : x / 0", rows: ["x == 2 = true", "  x = 2", "x + 1 = 3", "x / 0 = error: division by zero !"] },
  { name: "a macro shows its elements, and why one ends `all`", expression: "[1, 2].all(i, i < x)", rows: ["[1, 2] = [1, 2]", "i = 1 = true", "i = 2 = false", "  i = 2", "  x = 2"] },
  { name: "only the element that ends `all` is explained", expression: "many.all(i, i < 3 && i != 9)", rows: ["many = [1, 2, 3, 4, 5, 6, 7, 8]", "i = 1 = true", "i = 2 = true", "i = 3 = false", "  i < 3 = false", "    i = 3", "  i != 9 = true !", "i = 4 = false", "i = 5 = false", "i = 6 = false", "and 2 more = "] },
  { name: "a long list shows only its first elements", expression: "many.exists(i, i > 9)", rows: ["many = [1, 2, 3, 4, 5, 6, 7, 8]", ...[1, 2, 3, 4, 5, 6].map((i) => `i = ${i} = false`), "and 2 more = "] },
  { name: "a macro over a map shows its keys", expression: "m.exists(k, k == 'a')", rows: ["m = {a: {b: c}}", "k = \"a\" = true"] },
  { name: "has() is one part with its whole path", expression: "has(m.a.z) || x == 2", rows: ["has(m.a.z) = false", "x == 2 = true", "  x = 2"] },
  { name: "names that are not values are left out", expression: "ip.isCanonical('::1')", rows: [] },
  { name: "values that cannot be printed are left out", expression: "quantity('1Gi').sub(quantity(string(x))).asInteger() > 0", rows: ["quantity(\"1Gi\").sub(quantity(string(x))).asInteger() = 1073741822", "  string(x) = \"2\"", "    x = 2"] },
  { name: "literals are left out", expression: "[x, x] == [2, 2]", rows: ["[x, x] = [2, 2]", "  x = 2", "[2, 2] = [2, 2]"] },
];

test.each(CASES)("$name", ({ expression, rows }) => {
  expect(parts(expression)).toEqual(rows);
});
