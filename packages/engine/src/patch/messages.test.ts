import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { newObject } from "../value/json.ts";
import { badDirective } from "./messages.ts";

test.each([
  { directive: null, shown: "%!s(<nil>)" },
  { directive: 5, shown: "%!s(int64=5)" },
  { directive: { a: null, b: true }, shown: "map[a:<nil> b:%!s(bool=true)]" },
  { directive: [null, "x"], shown: "[<nil> x]" },
])("a directive that is not a string is printed as by Go: $directive", ({ directive, shown }) => {
  expect(badDirective(fromPlain(directive), newObject())).toBe(`unknown patch type: ${shown} in map: map[]`);
});
