import { expect, test } from "vitest";
import { durationLiterals } from "./check/validators.ts";
import { Environment } from "./env.ts";
import { optionalsLibrary } from "./ext/optionals.ts";
import { stringsLibrary } from "./ext/strings.ts";
import { standardLibrary } from "./stdlib/standard.ts";
import { fn, global } from "./types/decl.ts";
import { BOOL, formatType, INT, listOf, STRING } from "./types/type.ts";

test("an expression compiles to a tree with its type", () => {
  const compiled = new Environment({ variables: { xs: listOf(INT) } }).compile("xs.map(x, string(x))");
  expect(compiled.ok && formatType(compiled.ast.type)).toBe("list(string)");
});

test("issues come as data and as cel-go prints them", () => {
  const compiled = new Environment().compile("1 + nobody");
  if (compiled.ok) throw new Error("compiled");
  expect(compiled.issues).toEqual([
    { message: "undeclared reference to 'nobody' (in container '')", location: { line: 1, column: 4 } },
  ]);
  expect(compiled.text).toBe(
    "ERROR: <input>:1:5: undeclared reference to 'nobody' (in container '')\n | 1 + nobody\n | ....^",
  );
});

test("a syntax error is found before any type is checked", () => {
  const compiled = new Environment().compile("nobody +");
  expect(!compiled.ok && compiled.issues[0]?.message).toMatch(/^Syntax error: /);
});

test("extending leaves the smaller environment as it was", () => {
  const small = new Environment();
  const large = small.extend({ variables: { a: INT } }).extend({ variables: { b: INT } });
  expect(large.compile("a + b").ok).toBe(true);
  expect(small.compile("a").ok).toBe(false);
});

test("macros and syntax come with libraries", () => {
  const without = new Environment({ variables: { s: STRING } });
  const having = without.extend({ libraries: [optionalsLibrary()] });
  expect(without.compile("{'a': 1}.?a").ok).toBe(false);
  expect(having.compile("{'a': 1}.?a.optMap(x, x + 1)").ok).toBe(true);
});

test("a library whose name is already present is ignored", () => {
  const environment = new Environment({ libraries: [standardLibrary, stringsLibrary(2), stringsLibrary(0)] });
  expect(environment.functions().filter(({ name }) => name === "size")).toHaveLength(1);
  expect(environment.compile("'a'.join()").ok).toBe(false);
});

test("a library adds overloads to a function of another library", () => {
  const twice = { name: "twice", functions: [fn("size", [global("size_bool", [BOOL], INT, () => 1)])] };
  const environment = new Environment({ libraries: [twice] });
  const compiled = environment.compile("size(true) + size('ab')");
  if (!compiled.ok) throw new Error(compiled.text);
  const made = environment.program(compiled.ast);
  expect(made.ok && made.program.evaluate({}).value).toBe(3);
});

test("validators run last", () => {
  const strict = new Environment({ settings: { validators: [durationLiterals] } });
  expect(new Environment().compile("duration('1 hour')").ok).toBe(true);
  expect(strict.compile("duration('1 hour')").ok).toBe(false);
});

test("the estimate uses the size hints", () => {
  const environment = new Environment({ variables: { xs: listOf(INT) } });
  const compiled = environment.compile("xs.all(x, x > 0)");
  if (!compiled.ok) throw new Error(compiled.text);
  const hints = { estimateSize: () => ({ min: 0n, max: 10n }) };
  expect(environment.estimateCost(compiled.ast, hints).max).toBeLessThan(100n);
  expect(environment.estimateCost(compiled.ast).max).toBeGreaterThan(10n ** 18n);
});

test("a cost model applies to functions and to == of its own types, not to the language's operators", () => {
  const asked: string[] = [];
  const costModel = {
    estimateCall: () => undefined,
    callPrice: (functionName: string) => {
      asked.push(functionName);
      return functionName === "lowerAscii" ? () => 1000 : undefined;
    },
  };
  const environment = new Environment({ libraries: [stringsLibrary(2)], costModel, variables: { s: STRING } });
  const compiled = environment.compile("s.lowerAscii() == s && s.size() + 1 > 2");
  if (!compiled.ok) throw new Error(compiled.text);
  const made = environment.program(compiled.ast);
  expect(made.ok && made.program.evaluate({ s: "abc" })).toEqual({ value: true, cost: 1007, exceeded: false });
  expect(asked).toEqual(["lowerAscii", "_==_"]);
});
