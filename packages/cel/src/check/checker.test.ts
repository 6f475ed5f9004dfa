import { describe, expect, test } from "vitest";
import { parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { formatType } from "../types/type.ts";
import { checkedText, checkText, testScope } from "./check.testing.ts";
import { check } from "./checker.ts";

// biome-ignore format: a table
const PROBLEMS: readonly (readonly [text: string, ...issues: string[]])[] = [
  ["foo", "1:0 undeclared reference to 'foo' (in container '')"],
  ["foo.bar", "1:0 undeclared reference to 'foo' (in container '')"],
  ["foo()", "1:3 undeclared reference to 'foo' (in container '')"],
  ["s.foo()", "1:5 undeclared reference to 'foo' (in container '')"],
  [".undefinedvar", "1:1 undeclared reference to '.undefinedvar' (in container '')"],
  ["a.c", "1:0 undeclared reference to 'a' (in container '')"],
  ["d(1)", "1:1 undeclared reference to 'd' (in container '')"],
  ["1 + \"a\"", "1:2 found no matching overload for '_+_' applied to '(int, string)'"],
  ["s.contains(1)", "1:10 found no matching overload for 'contains' applied to 'string.(int)'"],
  ["contains(s, s)", "1:8 found no matching overload for 'contains' applied to '(string, string)'"],
  ["matches(1)", "1:7 found no matching overload for 'matches' applied to '(int)'"],
  ["!s", "1:0 found no matching overload for '!_' applied to '(string)'"],
  ["-s", "1:0 found no matching overload for '-_' applied to '(string)'"],
  ["b ? 1 : \"a\"", "1:2 found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
  ["s ? 1 : 2", "1:2 found no matching overload for '_?_:_' applied to '(string, int, int)'"],
  ["1 < \"a\"", "1:2 found no matching overload for '_<_' applied to '(int, string)'"],
  ["s in s", "1:2 found no matching overload for '@in' applied to '(string, string)'"],
  ["l[\"a\"]", "1:1 found no matching overload for '_[_]' applied to '(list(int), string)'"],
  ["m[1]", "1:1 found no matching overload for '_[_]' applied to '(map(string, int), int)'"],
  ["timestamp(1.5)", "1:9 found no matching overload for 'timestamp' applied to '(double)'"],
  ["size(1)", "1:4 found no matching overload for 'size' applied to '(int)'"],
  ["null == 1", "1:5 found no matching overload for '_==_' applied to '(null, int)'"],
  ["type(1) == 1", "1:8 found no matching overload for '_==_' applied to '(type(int), int)'"],
  ["w + \"a\"", "1:2 found no matching overload for '_+_' applied to '(wrapper(int), string)'"],
  ["[].map(x, [].map(y, x in y && y in x))", "1:32 found no matching overload for '@in' applied to '(list(dyn), dyn)'"],
  ["\"é\" + 1", "1:4 found no matching overload for '_+_' applied to '(string, int)'"],
  ["s +\n  i.x", "2:3 type 'int' does not support field selection"],
  ["self.zzz", "1:4 undefined field 'zzz'"],
  ["self.sub.zzz.y", "1:8 undefined field 'zzz'"],
  ["has(self.nope)", "1:3 undefined field 'nope'"],
  ["self.?zz", "1:4 undefined field 'zz'"],
  ["self.items[0].q", "1:13 undefined field 'q'"],
  ["self.items.all(x, x.q == 1 && x.r == 2)", "1:19 undefined field 'q'", "1:31 undefined field 'r'"],
  ["s.x", "1:1 type 'string' does not support field selection"],
  ["i.x.y", "1:1 type 'int' does not support field selection"],
  ["has(s.x)", "1:3 type 'string' does not support field selection"],
  [".s.x", "1:2 type 'string' does not support field selection"],
  ["s.?x", "1:1 type 'string' does not support field selection"],
  ["o.x", "1:1 type 'string' does not support field selection"],
  ["self.labels.x.y", "1:13 type 'string' does not support field selection"],
  ["[].foo", "1:2 type 'list(_var0)' does not support field selection"],
  ["s.all(x, true)", "1:0 expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)"],
  ["any.all(x, true)", "1:0 expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)"],
  ["[1].all(x, y)", "1:11 undeclared reference to 'y' (in container '')"],
  ["[1].all(x, x.a)", "1:12 type 'int' does not support field selection"],
  ["[1].all(x, 1)", "1:11 expected type 'bool' but found 'int'"],
  ["b && s", "1:5 expected type 'bool' but found 'string'"],
  ["1 || \"a\"", "1:0 expected type 'bool' but found 'int'", "1:5 expected type 'bool' but found 'string'"],
  ["[?1]", "1:2 expected type 'optional_type(int)' but found 'int'"],
  ["{?\"a\": 1}", "1:7 expected type 'optional_type(int)' but found 'int'"],
  ["s{}", "1:1 undeclared reference to 's' (in container '')"],
  ["int{}", "1:3 'int' is not a message type"],
  ["Nope{}", "1:4 undeclared reference to 'Nope' (in container '')"],
  ["Obj{name: 1}", "1:8 expected type of field 'name' is 'string' but provided type is 'int'"],
  ["Obj{zz: 1}", "1:6 undefined field 'zz'"],
];

test.each(PROBLEMS)("%s has cel-go's message", (text, ...expected) => {
  const result = checkText(text);
  const issues = result.ok ? [] : result.issues;
  const found = issues.map(({ location, message }) => `${location.line}:${location.column} ${message}`);
  expect(found.sort()).toEqual([...expected].sort());
});

// biome-ignore format: a table
const TYPES: readonly (readonly [text: string, type: string])[] = [
  ["1", "int"],
  ["1u", "uint"],
  ["1.5", "double"],
  ["'a'", "string"],
  ["b'a'", "bytes"],
  ["null", "null"],
  ["int", "type(int)"],
  ["type(1)", "type(int)"],
  ["type(type)", "type(type(type))"],
  ["list", "type(list(dyn))"],
  ["Obj", "type(Obj)"],
  ["Obj{name: 'a'}", "Obj"],
  ["[]", "list(dyn)"],
  ["{}", "map(dyn, dyn)"],
  ["[1, 'a']", "list(dyn)"],
  ["[1, null]", "list(dyn)"],
  ["[dur, null]", "list(null)"],
  ["[w, 1]", "list(wrapper(int))"],
  ["[1, w]", "list(int)"],
  ["[d, 1]", "list(dyn)"],
  ["[[], [1]]", "list(list(int))"],
  ["[[1], []]", "list(list(int))"],
  ["{'a': [], 'b': ['x']}", "map(string, list(string))"],
  ["[] + [1]", "list(int)"],
  ["b ? [] : ls", "list(string)"],
  ["b ? null : dur", "null"],
  ["d + 1", "int"],
  ["d + d", "dyn"],
  ["d.x.y", "dyn"],
  ["any.x", "dyn"],
  ["d[0]", "dyn"],
  ["m.k", "int"],
  ["mm['a'][0]", "string"],
  ["a.b", "int"],
  [".a.b", "int"],
  ["has(m.k)", "bool"],
  ["m.?k", "optional_type(int)"],
  ["m[?'k']", "optional_type(int)"],
  ["self.?sub.text", "optional_type(string)"],
  ["o.orValue('x')", "string"],
  ["optional.of(1)", "optional_type(int)"],
  ["[?o, 'a']", "list(string)"],
  ["{?'a': o}", "map(string, string)"],
  ["l.map(x, string(x))", "list(string)"],
  ["mm.map(k, mm[k].size())", "list(int)"],
  ["l.filter(x, x > 1)", "list(int)"],
  ["d.filter(x, x > 1)", "list(dyn)"],
  ["d.map(x, x)", "list(dyn)"],
  ["[].map(x, x)", "list(dyn)"],
  ["self.items.exists(x, x.tags.all(t, t != x.a))", "bool"],
  ["[1].map(s, s + 1)", "list(int)"],
  ["1 < 2.0", "bool"],
];

test.each(TYPES)("%s has type %s", (text, type) => {
  const { expr, types } = checkedText(text);
  expect(formatType(types.get(expr.id) ?? { kind: "error" })).toBe(type);
});

// biome-ignore format: a table
const OVERLOADS: readonly (readonly [text: string, overloadIds: readonly string[]])[] = [
  ["1 + 2", ["add_int64"]],
  ["d + 1", ["add_int64"]],
  ["d == 1", ["equals"]],
  ["s.size()", ["string_size"]],
  ["d.size()", ["string_size", "bytes_size", "list_size", "map_size"]],
  ["d[0]", ["index_list", "index_map"]],
  ["d in d", ["in_list", "in_map"]],
  ["d && b", ["logical_and"]],
  ["m.?k", ["select_optional_field"]],
  ["optional.of(1)", ["optional_of"]],
];

test.each(OVERLOADS)("%s may call %j", (text, overloadIds) => {
  const { expr, references } = checkedText(text);
  expect(references.get(expr.id)?.overloadIds.toSorted()).toEqual(overloadIds.toSorted());
});

describe("names", () => {
  test("a qualified name becomes one identifier", () => {
    const { expr, references } = checkedText(".a.b + 1");
    expect(expr).toMatchObject({ kind: "call", args: [{ kind: "ident", name: "a.b" }, { kind: "literal" }] });
    expect([...references.values()].map(({ name }) => name)).toContain("a.b");
  });

  test("a call in a namespace becomes a plain call", () => {
    expect(checkedText("optional.of(1)").expr).toMatchObject({ function: "optional.of", target: undefined });
  });

  test("a type name is a constant", () => {
    const { expr, references } = checkedText("int");
    expect(references.get(expr.id)?.value).toMatchObject({ type: { kind: "int" } });
  });

  test("a loop variable hides a variable of the same name, and only inside the loop", () => {
    expect(checkText("[1].all(s, s > 0) && s == 'a'").ok).toBe(true);
    expect(checkText("[1].all(s, s == 'a')").ok).toBe(false);
  });

  test("a container is searched from the inside out", () => {
    const variables = [
      { name: "x.y.v", type: { kind: "int" } as const },
      { name: "x.v", type: { kind: "string" } as const },
    ];
    const scope = testScope.extend({ variables, settings: { container: "x.y" } });
    expect(checkText("v + 1", scope).ok).toBe(true);
    expect(checkText(".v", scope)).toMatchObject({ issues: [{ message: expect.stringContaining("'x.y'") }] });
  });

  test("a tree without such names is not copied", () => {
    const source = new Source("self.items.all(x, x.a == 'q' && x.n in [1, 2])");
    const parsed = parse(source, parseOptions());
    if (!parsed.ok) throw new Error("does not parse");
    const result = check(parsed.ast, source, testScope);
    expect(result.ok && result.checked.expr).toBe(parsed.ast.expr);
  });
});

describe("comparisons between numeric types", () => {
  const strict = testScope.extend({ settings: { crossTypeNumericComparisons: false } });

  test.each([
    ["1 < 2.0", false],
    ["1 < 2", true],
    ["[1].all(x, x < 2.0)", true],
    ["[1].all(x, true) && 1 < 2.0", true],
    ["1 < 2.0 && [1].all(x, true)", false],
  ])("where they are off, %s passes: %s", (text, ok) => {
    expect(checkText(text, strict).ok).toBe(ok);
  });
});

describe("large and hostile expressions", () => {
  const list = (count: number, element: (index: number) => string) =>
    `[${Array.from({ length: count }, (_, index) => element(index)).join(", ")}]`;

  test("lists of thousands of elements are checked", () => {
    expect(checkText(list(20_000, () => "1")).ok).toBe(true);
    expect(checkText(list(20_000, () => "[]")).ok).toBe(true);
  });

  test("chains of thousands of operands are checked", () => {
    expect(checkText(Array(4_000).fill("i == 1").join(" && ")).ok).toBe(true);
  });

  test.each([
    ["selections", `d${".x".repeat(200)}`],
    ["additions", Array(200).fill("i").join(" + ")],
    ["comprehensions in a row", `[1]${".map(x, [x])".repeat(100)}`],
    ["comprehensions in each other", `${"[1].all(x, ".repeat(15)}true${")".repeat(15)}`],
    ["conditions", `${"b ? 1 : ".repeat(15)}2`],
    ["lists", `${"[".repeat(18)}1${"]".repeat(18)}`],
  ])("as many %s as the parser lets through", (_name, text) => {
    expect(checkText(text).ok).toBe(true);
  });

  test("types that double with every step end in an issue at most", () => {
    const text = `[1]${".map(x, {x: x})".repeat(40)}`;
    expect(checkText(text)).toHaveProperty("ok");
    expect(checkText(`${text}.foo`)).toMatchObject({ ok: false });
    expect(checkText(`${text} == [1]${".map(x, {x: x})".repeat(39)}`)).toHaveProperty("ok");
  });

  test("long chains of type variables end in an issue at most", () => {
    expect(checkText(`[].all(x, ${list(5_000, () => "x == []")} == [])`)).toHaveProperty("ok");
  });
});
