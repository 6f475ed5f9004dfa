import { expect, test } from "vitest";
import { debugString, withIds } from "../ast/debug.testing.ts";
import type { ParsedAst } from "../ast/expr.ts";
import { formatIssues } from "../issue.ts";
import { Source } from "../source.ts";
import type { Macro } from "../types/macro.ts";
import { Bytes, Double, Uint } from "../values/value.ts";
import { macroTable, type ParseOptions, parseOptions } from "./options.ts";
import { parse } from "./parser.ts";

const defaults = parseOptions({ optionalSyntax: true });

// biome-ignore format: a table
test.each([
  ["0", 0], ["-0", 0], ["42", 42], ["- 42", -42], ["0xff", 255], ["-0x10", -16],
  ["9007199254740991", 9007199254740991], ["9007199254740992", 9007199254740992n],
  ["9223372036854775807", 9223372036854775807n], ["-9223372036854775808", -9223372036854775808n],
  ["-0x8000000000000000", -9223372036854775808n],
  ["7u", new Uint(7)], ["0xFU", new Uint(15)], ["18446744073709551615u", new Uint(18446744073709551615n)],
  ["1.5", new Double(1.5)], [".5e2", new Double(50)], ["1e3", new Double(1000)], ["-0.0", new Double(-0)], ["1e-400", new Double(0)],
  ["true", true], ["false", false], ["null", null],
  ["'a\"b'", 'a"b'], ['"a\'b"', "a'b"], ["''", ""], ["'''a'b\n'''", "a'b\n"], ['"""a"b"""', 'a"b'], ["''''''", ""],
  ["'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\`\\?'", "\x07\b\f\n\r\t\v\\'\"`?"],
  ["'\\x41\\X42\\u00e9\\U0001F600\\101'", "AB\u00e9\u{1f600}A"], ["'\\xff\\377'", "\u00ff\u00ff"],
  ["r'\\n'", "\\n"], ["R\"\"\"\\\"\"\"", "\\"], ["'''a\r\nb\rc'''", "a\nb\nc"], ["r'''a\r\nb'''", "a\nb"],
  ["b'a\\xff\\377é\\n'", new Bytes(Uint8Array.of(97, 255, 255, 0xc3, 0xa9, 10))], ["br'\\x'", new Bytes(Uint8Array.of(92, 120))],
])("the literal %s", (text, value) => {
  expect(parsed(text).expr).toEqual({ kind: "literal", id: 1, value });
});

// biome-ignore format: a table
test.each([
  ["an operator's id comes between its operands'", "a + b * c",       "_+_(a#1, _*_(b#3, c#5)#4)#2"],
  ["a logical operator's comes after both",        "a && b",          "_&&_(a#1, b#2)#3"],
  ["a chain is balanced",                          "a && b && c && d", "_&&_(_&&_(a#1, b#2)#3, _&&_(c#4, d#6)#7)#5"],
  ["subtraction groups to the left",               "a - b - c",       "_-_(_-_(a#1, b#3)#2, c#5)#4"],
  ["relations group to the left",                  "a < b == c",      "_==_(_<_(a#1, b#3)#2, c#5)#4"],
  ["a ternary groups to the right",                "a ? b : c ? d : e", "_?_:_(a#1, b#3, _?_:_(c#4, d#6, e#7)#5)#2"],
  ["two signs cancel out",                         "--a + !!b",       "_+_(a#1, b#3)#2"],
  ["three signs are one",                          "---1",            "-_(1#2)#1"],
  ["a sign binds less than a selection",           "-a.b",            "-_(a#2.b#3)#1"],
  ["a sign of a number is part of it",             "-1.a",            "-1#1.a#2"],
  ["a map entry's id comes before its key's",      "{a: b, 'c': d}",  "{a#3:b#4#2, \"c\"#6:d#7#5}#1"],
  ["a message",                                    ".a.B{c: 1, ?d: 2,}", ".a.B{c:1#3#2, ?d:2#5#4}#1"],
  ["a comma may end a list, even an empty one",    "[a, [,], {,},]",  "[a#2, []#3, {}#4]#1"],
  ["absolute names",                               ".a + .f(b)",      "_+_(.a#1, .f(b#4)#3)#2"],
  ["reserved words may name fields",               "a.for.if(b)",     "a#1.for#2.if(b#4)#3"],
  ["a reserved word may name a message",           "for{}",           "for{}#1"],
  ["optional parts",                               "a.?b[?c]",        "_[?_](_?._(a#1, \"b\"#2)#3, c#5)#4"],
  ["a macro replaces its call",                    "has(a.b)",        "a#2.b~test-only~#4"],
  ["a macro with another argument count is a call", "a.map(b)",       "a#1.map(b#3)#2"],
  ["an absolute name is not a macro",              ".has(a.b)",       ".has(a#2.b#3)#1"],
  ["comments and blanks are skipped",              "a // b\n\t\f\r+ c// d", "_+_(a#1, c#3)#2"],
])("%s", (_name, text, tree) => {
  const { expr } = parsed(text);
  const flat = debugString(expr, (node) => withIds(node).replace(/\^#(\d+)#/, "#$1"));
  expect(flat.replace(/,\n\s*/g, ", ").replace(/\n\s*/g, "")).toBe(tree);
});

test("positions count code points; a length counts bytes without blanks", () => {
  const { expr, info } = parsed("'😀é' +\n - 12");
  expect(expr).toMatchObject({ id: 2, args: [{ id: 1 }, { id: 3, value: -12 }] });
  expect([...info.positions]).toEqual([
    [1, { start: 0, stop: 8 }],
    [2, { start: 5, stop: 6 }],
    [3, { start: 8, stop: 11 }],
  ]);
});

test("the call that a macro replaced is recorded", () => {
  const { expr, info } = parsed("a.all(x, has(x.y))");
  expect(info.macroCalls.get(expr.id)).toMatchObject({ function: "all", target: { name: "a" }, args: [{}, {}] });
  expect([...info.macroCalls.values()].map((call) => call.function)).toEqual(["has", "all"]);
});

test("a macro may decline, and one with a fixed argument count comes before one without", () => {
  const macro = (argCount: number | undefined, value: string | undefined): Macro => ({
    name: "m",
    receiver: false,
    argCount,
    expand: (build) => (value === undefined ? undefined : build.literal(value)),
  });
  const macros = macroTable([macro(1, "one"), macro(undefined, "any"), macro(2, undefined)]);
  const tree = (text: string) => debugString(parsed(text, parseOptions({ macros })).expr);
  expect([tree("m(a)"), tree("m()"), tree("m(a, b)"), tree("a.m(b)")]).toEqual([
    '"one"',
    '"any"',
    "m(\n  a,\n  b\n)",
    "a.m(\n  b\n)",
  ]);
});

test("the accumulator may have its old name", () => {
  expect(parsed("a.all(x, x)", parseOptions({ accumulatorName: "__result__" })).expr).toMatchObject({
    accuVar: "__result__",
  });
  expect(parsed("a.all(x, x)").expr).toMatchObject({ accuVar: "@result" });
});

// Each limit and the construct that reaches it first: how deep the grammar's rules nest, and how deep a visit of the tree goes.
const nest = (open: string, close: string) => (count: number) => `${open.repeat(count)}1${close.repeat(count)}`;
const chain = (part: string) => (count: number) => `a${part.repeat(count)}`;
// biome-ignore format: a table
test.each([
  { name: "parentheses",           make: nest("(", ")"),       most: 249, message: "expression recursion limit exceeded: 250" },
  { name: "lists",                 make: nest("[", "]"),       most: 249, message: "expression recursion limit exceeded: 250" },
  { name: "sums in parentheses",   make: nest("1+(", ")"),     most: 124, message: "expression recursion limit exceeded: 250" },
  { name: "products in sums",      make: nest("1+2*(", ")"),   most: 83,  message: "expression recursion limit exceeded: 250" },
  { name: "relations",             make: nest("1<(", ")"),     most: 124, message: "expression recursion limit exceeded: 250" },
  { name: "ternaries",             make: (n: number) => `${"a?b:".repeat(n)}c`, most: 249, message: "expression recursion limit exceeded: 250" },
  { name: "selections in a row",   make: chain(".b"),          most: 250, message: "max recursion depth exceeded" },
  { name: "indexing in a row",     make: chain("[0]"),         most: 250, message: "max recursion depth exceeded" },
  { name: "method calls in a row", make: chain(".f()"),        most: 250, message: "max recursion depth exceeded" },
  { name: "sums in a row",         make: chain("+1"),          most: 250, message: "max recursion depth exceeded" },
])("$name are accepted up to $most", ({ make, most, message }) => {
  expect(parse(new Source(make(most)), defaults).ok).toBe(true);
  expect(messageOf(make(most + 1))).toBe(`ERROR: <input>:-1:0: ${message}`);
});

test("chains of logical operators and signs may be of any length", () => {
  expect(parse(new Source(chain("&&a")(20_000)), defaults).ok).toBe(true);
  expect(parse(new Source(`${"!".repeat(50_001)}a`), defaults).ok).toBe(true);
});

test("the size limit counts code points", () => {
  expect(parse(new Source(`'${"😀".repeat(99_998)}'`), defaults).ok).toBe(true);
  expect(messageOf(`'${"😀".repeat(99_999)}'`)).toBe(
    "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000",
  );
});

test.each(
  [
    "(",
    "[",
    "{",
    "{1:",
    "-",
    "!",
    "a.",
    "a.b{c:",
    "a?",
    "f(",
    "a[",
    "'",
    '"""',
    "\\",
    "$",
    "😀",
    "\ud800",
    "a,",
    "?",
    "`",
    "a.all(x,",
  ].map((part) => ({ part })),
)("a text of nothing but $part ends in issues", ({ part }) => {
  for (const count of [10_000, 1_000_000]) expect(parse(new Source(part.repeat(count)), defaults).ok).toBe(false);
});

function parsed(text: string, options: ParseOptions = defaults): ParsedAst {
  const result = parse(new Source(text), options);
  if (!result.ok) throw new Error(`${text}: ${result.issues[0]?.message}`);
  return result.ast;
}

function messageOf(text: string): string {
  const source = new Source(text);
  const result = parse(source, defaults);
  return result.ok ? "" : formatIssues(source, result.issues);
}
