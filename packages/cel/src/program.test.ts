/** Values, error texts and costs as cel-go gives them for the same expressions and data. */
import { expect, test } from "vitest";
import { environment, programOf, show } from "./program.testing.ts";
import { fn, global } from "./types/decl.ts";
import { BOOL, DYN, INT, listOf, STRING } from "./types/type.ts";
import { Panic } from "./values/panic.ts";
import { CelError, MapValue, type Value } from "./values/value.ts";

const variables = { o: DYN, k: STRING, i: INT, l: listOf(INT), s: STRING, t: BOOL, nobody: DYN };

const data = {
  o: { a: { b: "c" }, b: 1, s: "text", k: "a", n: null },
  k: "a",
  i: 1,
  l: [1, 2, 3],
  s: "short",
  t: true,
};

function outcome(text: string): { is: string; cost: number } {
  const { value, cost } = programOf(text, { variables }).evaluate(data);
  return { is: show(value), cost };
}

// biome-ignore format: a table
test.each([
  { text: "o.a", is: "{\"b\": \"c\"}", cost: 2 },
  { text: "o.a.b", is: "\"c\"", cost: 3 },
  { text: "o.a.b.c", is: "no such key: c", cost: 4 },
  { text: "o.missing", is: "no such key: missing", cost: 2 },
  { text: "o.missing.deeper", is: "no such key: missing", cost: 2 },
  { text: "nobody", is: "no such attribute(s): nobody", cost: 1 },
  { text: "nobody.a.b", is: "no such attribute(s): nobody", cost: 1 },
  { text: "has(o.a)", is: "true", cost: 1 },
  { text: "has(o.a.b)", is: "true", cost: 2 },
  { text: "has(o.missing.b)", is: "no such key: missing", cost: 1 },
  { text: "has(o.s.x)", is: "false", cost: 2 },
  { text: "has((t ? o : o.a).b)", is: "true", cost: 1 },
  { text: "o['a']", is: "{\"b\": \"c\"}", cost: 2 },
  { text: "o[k]", is: "{\"b\": \"c\"}", cost: 2 },
  { text: "o[o.k]", is: "{\"b\": \"c\"}", cost: 3 },
  { text: "o['a' + '']", is: "{\"b\": \"c\"}", cost: 3 },
  { text: "l[0]", is: "1", cost: 2 },
  { text: "l[i]", is: "2", cost: 2 },
  { text: "l[9]", is: "index out of bounds: 9", cost: 2 },
  { text: "l[dyn('x')]", is: "unsupported index type 'string' in list", cost: 2 },
  { text: "l[dyn(1.0)]", is: "2", cost: 2 },
  { text: "o[o.n]", is: "invalid qualifier type: <nil>", cost: 3 },
  { text: "o.s.x", is: "no such key: x", cost: 3 },
  { text: "o.n.x", is: "no such key: x", cost: 3 },
])("each step of an attribute costs 1, up to the one that fails: $text", ({ text, is, cost }) => {
  expect(outcome(text)).toEqual({ is, cost });
});

// biome-ignore format: a table
test.each([
  { text: "t ? o.a : o.b", is: "{\"b\": \"c\"}", cost: 2 },
  { text: "t ? 1 : 2", is: "1", cost: 1 },
  { text: "(t ? o : o.a).a", is: "{\"b\": \"c\"}", cost: 2 },
  { text: "(t ? o.a : o).b", is: "\"c\"", cost: 3 },
  { text: "t ? o.a.b : o.missing", is: "\"c\"", cost: 3 },
  { text: "dyn(1) ? 1 : 2", is: "no such overload", cost: 0 },
  { text: "1 / 0 == 1 || true", is: "true", cost: 2 },
  { text: "true || 1 / 0 == 1", is: "true", cost: 0 },
  { text: "1 / 0 == 1 && false", is: "false", cost: 2 },
  { text: "1 / 0 == 1 && true", is: "division by zero", cost: 2 },
  { text: "dyn(1) && true", is: "no such overload", cost: 0 },
  { text: "false || dyn('x')", is: "no such overload", cost: 0 },
])("a branch that is a bare attribute costs only its steps, and logic absorbs errors: $text", ({ text, is, cost }) => {
  expect(outcome(text)).toEqual({ is, cost });
});

// biome-ignore format: a table
test.each([
  { text: "s == 'short'", is: "true", cost: 2 },
  { text: "'' == s", is: "false", cost: 1 },
  { text: "s == 'a constant of more than ten characters'", is: "false", cost: 2 },
  { text: "s + s", is: "\"shortshort\"", cost: 3 },
  { text: "s < 'z'", is: "true", cost: 2 },
  { text: "l == l", is: "true", cost: 3 },
  { text: "i == 1", is: "true", cost: 2 },
  { text: "o.a == o.a", is: "true", cost: 5 },
  { text: "s in ['a', 'short']", is: "true", cost: 1 },
  { text: "i in l", is: "true", cost: 5 },
  { text: "i in []", is: "false", cost: 0 },
  { text: "1 / 0 in []", is: "false", cost: 0 },
  { text: "dyn(1.0) in [1, 2]", is: "true", cost: 0 },
  { text: "k in o", is: "true", cost: 3 },
  { text: "[1, 2]", is: "[1, 2]", cost: 0 },
  { text: "[i, i]", is: "[1, 1]", cost: 12 },
  { text: "[i, 1 / 0, i]", is: "division by zero", cost: 12 },
  { text: "{'a': 1}", is: "{\"a\": 1}", cost: 0 },
  { text: "{'a': i}", is: "{\"a\": 1}", cost: 31 },
  { text: "{'a': i, 'b': 1 / 0, 'c': i}", is: "division by zero", cost: 32 },
  { text: "[]", is: "[]", cost: 0 },
])("costs depend on sizes, and constants are free: $text", ({ text, is, cost }) => {
  expect(outcome(text)).toEqual({ is, cost });
});

// biome-ignore format: a table
test.each([
  { text: "dyn(i)", is: "1", cost: 2 },
  { text: "dyn(1)", is: "1", cost: 0 },
  { text: "type(i)", is: "int", cost: 2 },
  { text: "string(i)", is: "\"1\"", cost: 2 },
  { text: "string(1)", is: "\"1\"", cost: 0 },
  { text: "size(s)", is: "5", cost: 2 },
  { text: "s.size()", is: "5", cost: 2 },
  { text: "s.startsWith('sh')", is: "true", cost: 2 },
  { text: "s.contains('or')", is: "true", cost: 2 },
  { text: "s.matches('^[a-z]+$')", is: "true", cost: 3 },
  { text: "matches(s, '^[a-z]+$')", is: "true", cost: 3 },
  { text: "s.matches(k)", is: "false", cost: 3 },
  { text: "dyn(i).startsWith('x')", is: "no such overload", cost: 3 },
  { text: "dyn(i) + 'x'", is: "no such overload", cost: 3 },
  { text: "dyn(s) + 1", is: "no such overload", cost: 3 },
  { text: "-dyn(s)", is: "no such overload", cost: 3 },
  { text: "!dyn(i)", is: "no such overload", cost: 3 },
  { text: "dyn(null) < dyn(null)", is: "no such overload: _<_", cost: 1 },
  { text: "dyn(i) < dyn('x')", is: "no such overload", cost: 3 },
  { text: "size(dyn(i))", is: "no such overload: size", cost: 3 },
  { text: "int(dyn(l))", is: "no such overload: int(list)", cost: 3 },
  { text: "s.substring(1 / 0, i)", is: "division by zero", cost: 2 },
  { text: "s.substring(0, 1 / 0)", is: "division by zero", cost: 3 },
])("calls with one or two arguments are charged for errors too, longer ones stop there: $text", ({ text, is, cost }) => {
  expect(outcome(text)).toEqual({ is, cost });
});

// biome-ignore format: a table
test.each([
  { text: "l.all(x, x > 0)", is: "true", cost: 17 },
  { text: "l.all(x, x > 2)", is: "false", cost: 9 },
  { text: "l.all(x, x > 2 || 1 / 0 == 1)", is: "division by zero", cost: 21 },
  { text: "l.all(x, 1 / 0 == 1)", is: "division by zero", cost: 17 },
  { text: "l.exists(x, x == 2)", is: "true", cost: 17 },
  { text: "l.exists(x, x == 9)", is: "false", cost: 20 },
  { text: "l.exists_one(x, x == 2)", is: "true", cost: 11 },
  { text: "l.map(x, x + 1)", is: "[2, 3, 4]", cost: 44 },
  { text: "l.map(x, 1)", is: "[1, 1, 1]", cost: 8 },
  { text: "l.map(x, x > 1, x)", is: "[2, 3]", cost: 34 },
  { text: "l.map(x, 1 / (x - 2))", is: "division by zero", cost: 47 },
  { text: "l.filter(x, x > 1)", is: "[2, 3]", cost: 34 },
  { text: "l.filter(x, x in [1, 2])", is: "[1, 2]", cost: 31 },
  { text: "o.a.all(x, x == 'b')", is: "true", cost: 8 },
  { text: "dyn(i).all(x, true)", is: "got 'types.Int', expected iterable type", cost: 2 },
  { text: "l.all(p, v, p < v)", is: "true", cost: 20 },
  { text: "l.transformMap(p, v, v)", is: "{0: 1, 1: 2, 2: 3}", cost: 14 },
  { text: "[].map(x, x)", is: "[]", cost: 1 },
  { text: "optional.of(i).optMap(v, v + 1)", is: "optional.of(2)", cost: 9 },
])("loops cost their test, their step and their result: $text", ({ text, is, cost }) => {
  expect(outcome(text)).toEqual({ is, cost });
});

// biome-ignore format: a table
test.each([
  { text: "optional.none().optMap(v, 1 / 0)", is: "optional.none()", cost: 3 },
  { text: "optional.of(i).optMap(v, 5)", is: "optional.of(5)", cost: 4 },
  { text: "o.?a.b", is: "optional.of(\"c\")", cost: 3 },
  { text: "o.?missing.b", is: "optional.none()", cost: 1 },
  { text: "o.?missing.b.orValue('x')", is: "\"x\"", cost: 1 },
  { text: "o[?'a'].or(optional.none())", is: "optional.of({\"b\": \"c\"})", cost: 2 },
  { text: "l[?9]", is: "optional.none()", cost: 1 },
  { text: "has(o.?a.b)", is: "true", cost: 2 },
  { text: "[?o.?s, ?o.?missing]", is: "[\"text\"]", cost: 13 },
  { text: "optional.of(type(i)).hasValue() ? optional.of(type(i)) : optional.none()", is: "optional.of(int)", cost: 7 },
])("optional steps that find nothing cost nothing: $text", ({ text, is, cost }) => {
  expect(outcome(text)).toEqual({ is, cost });
});

test.each([
  { text: "int('x')", error: "type conversion error from 'string' to 'int'" },
  { text: "o[dyn(null)]", error: "invalid qualifier type: types.Null" },
  { text: "s.matches('a' + '[') || s.matches('[')", error: "error parsing regexp: missing closing ]: `[`" },
])("a constant part that fails makes `program` fail: $text", ({ text, error }) => {
  expect(() => programOf(text, { variables })).toThrow(error);
});

test("exceeding the cost limit ends evaluation even where an error would be absorbed", () => {
  const evaluation = programOf("l.all(x, x > 0) || true", { variables }, { costLimit: 10 }).evaluate(data);
  expect(evaluation.exceeded).toBe(true);
  expect(evaluation.value).toEqual(new CelError("operation cancelled: actual cost limit exceeded"));
  expect(evaluation.cost).toBe(11);
});

test("a cost at the limit is within it", () => {
  const program = programOf("l.all(x, x > 0)", { variables });
  expect(program.evaluate(data, { costLimit: 17 })).toEqual({ value: true, cost: 17, exceeded: false });
  expect(program.evaluate(data, { costLimit: 16 }).exceeded).toBe(true);
});

test("a limit applies to the actual cost, not to the cost charged in advance", () => {
  // The steps after the missing one are charged beforehand and given back.
  const program = programOf("o.missing.x.x.x.x.x.x == 1 || true", { variables });
  expect(program.evaluate(data, { costLimit: 3 })).toEqual({ value: true, cost: 3, exceeded: false });
});

test("variables may come from a function, which is called once for each name", () => {
  const asked: string[] = [];
  const lookup = (name: string) => {
    asked.push(name);
    return name === "s" ? "text" : undefined;
  };
  const program = programOf("s == s && s.size() == 4", { variables });
  expect(program.evaluate(lookup)).toMatchObject({ value: true });
  expect(asked).toEqual(["s"]);
  expect(program.variables).toEqual(["s"]);
});

test("properties that every object inherits are not variables", () => {
  const program = programOf("toString", { variables: { toString: DYN } });
  expect(program.evaluate({}).value).toEqual(new CelError("no such attribute(s): toString"));
});

test("a program may be evaluated from within itself", () => {
  const program = programOf("o.depth == 0 ? 'end' : o.next + o.s", { variables });
  class Nested extends MapValue {
    readonly depth: number;
    readonly size = 3;
    constructor(depth: number) {
      super();
      this.depth = depth;
    }
    keys(): readonly Value[] {
      return ["depth", "next", "s"];
    }
    get(key: Value): Value | undefined {
      if (key === "depth") return this.depth;
      return key === "next" ? program.evaluate({ o: new Nested(this.depth - 1) }).value : `${this.depth}`;
    }
  }
  expect(program.evaluate({ o: new Nested(3) }).value).toBe("end123");
});

test("strings that double with every step exceed the limit before memory runs out", () => {
  let text = "x.size() > 0";
  for (let round = 0; round < 30; round++) text = `optional.of(x + x).optMap(x, ${text}).value()`;
  const program = programOf(text, { variables: { x: STRING } }, { costLimit: 1_000_000 });
  expect(program.evaluate({ x: "0123456789" }).exceeded).toBe(true);
});

test("a value that is too large for memory is an error, not an exception", () => {
  class Huge extends MapValue {
    readonly size = 1;
    keys(): readonly Value[] {
      return ["a"];
    }
    get(): Value {
      throw new RangeError("Invalid string length");
    }
  }
  const evaluation = programOf("o.a == 1 || true", { variables }).evaluate({ o: new Huge() });
  expect(evaluation.value).toEqual(new CelError("internal error: Invalid string length"));
});

test("a panic ends the evaluation, whatever else could be absorbed", () => {
  const crash = fn("crash", [global("crash", [], BOOL, () => throwPanic())]);
  const program = programOf("crash() || true", { libraries: [{ name: "crash", functions: [crash] }] });
  expect(program.evaluate({}).value).toEqual(new CelError("internal error: out of luck"));
});

function throwPanic(): never {
  throw new Panic("out of luck");
}

test("an outer loop's entry is read again in every iteration, however often an inner loop reads it", () => {
  const program = programOf("d.map(x, [1, 2, 3].filter(y, y > x.n))", { variables: { d: DYN } });
  const { value } = program.evaluate({ d: [{ n: 0 }, { n: 2 }, { m: 5 }] });
  expect(value).toEqual(new CelError("no such key: n"));
  const sizes = programOf("d.map(x, [1, 2, 3].filter(y, y > x.n).size()) == [3, 1, 2]", { variables: { d: DYN } });
  expect(sizes.evaluate({ d: [{ n: 0 }, { n: 2 }, { n: 1 }] }).value).toBe(true);
});

test("an evaluation sees nothing of the one before, nor of one of the same program within it", () => {
  const program = programOf("o.a + k", { variables: { o: DYN, k: STRING } });
  const evaluate = (a: string, k: (name: string) => unknown): string =>
    show(program.evaluate((name) => (name === "o" ? { a } : k(name))).value);
  expect(program.evaluate({ o: { a: "x" }, k: "y" })).toEqual({ value: "xy", cost: 4, exceeded: false });
  expect(program.evaluate({ o: { a: "x" } }).value).toEqual(new CelError("no such attribute(s): k"));
  expect(program.evaluate({ k: "y" }).value).toEqual(new CelError("no such attribute(s): o"));
  expect(evaluate("1", () => evaluate("2", () => evaluate("3", () => "4")))).toBe('"1\\"2\\\\\\"34\\\\\\"\\""');
  expect(program.evaluate({ o: { a: "x" }, k: "y" }, { costLimit: 3 }).exceeded).toBe(true);
  expect(program.evaluate({ o: { a: "x" }, k: "y" })).toEqual({ value: "xy", cost: 4, exceeded: false });
});

test("a function can be found with its overloads and documentation", () => {
  const startsWith = environment.functions().find(({ name }) => name === "startsWith");
  expect(startsWith?.overloads.map(({ id }) => id)).toEqual(["starts_with_string"]);
  expect(startsWith?.doc).toBeDefined();
});
