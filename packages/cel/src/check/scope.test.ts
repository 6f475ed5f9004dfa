import { expect, test } from "vitest";
import { fn, global, method } from "../types/decl.ts";
import { BOOL, DYN, INT, listOf, opaqueType, STRING, typeOf } from "../types/type.ts";
import { CheckScope } from "./scope.ts";

const none = () => true;
const base = CheckScope.create({
  variables: [{ name: "x", type: INT }],
  functions: [fn("f", [global("f_int", [INT], BOOL, none), method("f_list", listOf(DYN), [], BOOL, none)])],
});

test("a layer sees the declarations below and hides them", () => {
  const layer = base.extend({
    variables: [
      { name: "x", type: STRING },
      { name: "y", type: BOOL },
    ],
  });
  expect(layer.findVariable("x")?.type).toEqual(STRING);
  expect(layer.findVariable("y")?.type).toEqual(BOOL);
  expect(layer.findFunction("f")).toBe(base.findFunction("f"));
  expect(base.findVariable("x")?.type).toEqual(INT);
  expect(base.findVariable("y")).toBeUndefined();
});

test("a function that is declared again has the new overloads after the old ones", () => {
  const layer = base.extend({ functions: [fn("f", [global("f_string", [STRING], BOOL, none)])] });
  expect(layer.findFunction("f")?.overloads.map(({ id }) => id)).toEqual(["f_int", "f_list", "f_string"]);
});

test("expressions can name the types of a library", () => {
  const layer = base.extend({ types: [opaqueType("net.IP")] });
  expect(layer.resolveIdentifier("net.IP")).toMatchObject({ type: typeOf(opaqueType("net.IP")) });
});
