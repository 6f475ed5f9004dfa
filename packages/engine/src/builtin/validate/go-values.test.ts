import { expect, test } from "vitest";
import { invalid } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import { newPath } from "../../field/path.ts";
import { asVersion } from "../../value/server-version.ts";
import { asPrinted, intOrString, nilOf, quantityValue, unquoted } from "./go-values.ts";

// Each was recorded from v1.32.13 and v1.36.4.
// biome-ignore format: a table
test.each([
  ["a list", () => ["*", "a"], '[]string{"*", "a"}', '["*","a"]'],
  ["a list of numbers", () => [2, 1], "[]int32{2, 1}", "[2,1]"],
  ["a map", () => ({ app: "x" }), 'map[string]string{"app":"x"}', '{"app":"x"}'],
  ["a resource name", () => unquoted("foo"), "foo", '"foo"'],
  ["a percentage", () => intOrString("x"), 'intstr.IntOrString{Type:1, IntVal:0, StrVal:"x"}', '"x"'],
  ["a number", () => intOrString(0), 'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}', "0"],
  ["no map", () => nilOf("map[string]string"), "map[string]string(nil)", "null"],
  ["a quantity", () => quantityValue("500m"), 'resource.Quantity{i:resource.int64Amount{value:500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"500m", Format:"DecimalSI"}', '"500m"'],
] as const)("%s", (_, value, go, json) => {
  const shown = (): string[] => asPrinted([invalid(newPath("a"), value() as never, "")]).map(formatFieldError);
  expect(asVersion("1.32", shown)).toEqual([`a: Invalid value: ${go}`]);
  expect(asVersion("1.36", shown)).toEqual([`a: Invalid value: ${json}`]);
});
