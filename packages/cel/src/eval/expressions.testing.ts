/** Random expressions, most of them well typed, with the variables they use. The same seed gives the same ones. */
import {
  BOOL,
  DOUBLE,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../types/type.ts";
import { Double, OptionalValue, Timestamp, Uint } from "../values/value.ts";

export const variables: Readonly<Record<string, Type>> = {
  d: DYN,
  i: INT,
  u: UINT,
  x: DOUBLE,
  b: BOOL,
  s: STRING,
  t: TIMESTAMP,
  li: listOf(INT),
  ls: listOf(STRING),
  m: mapOf(STRING, INT),
  os: optionalOf(STRING),
  unbound: INT,
};

export const bindings = {
  d: { a: [1, 2.5, "x", null, { c: [] }], b: { c: true, n: 7 }, s: "text", l: "wörld ".repeat(5), n: null, "": 1 },
  i: 7,
  u: new Uint(3),
  x: new Double(-2.25),
  b: true,
  s: "hello wörld \u{1f6e1}",
  t: new Timestamp(1_600_000_000, 5),
  li: [3, 1, 2, -9],
  ls: ["a", "bb", "a longer piece of text", ""],
  m: { hello: 1, b: 2 },
  os: new OptionalValue("some"),
};

/** The same with objects that have no prototype, as a decoder makes them. */
export const bareBindings: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(bindings).map(([name, data]) => [name, bared(data)]),
);

function bared(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(bared);
  if (data === null || typeof data !== "object" || Object.getPrototypeOf(data) !== Object.prototype) return data;
  const entries = Object.entries(data).map(([name, member]) => [name, bared(member)]);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

export type Random = () => number;

/** mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Sort = "int" | "uint" | "double" | "bool" | "string" | "ints" | "strings" | "dyn" | "optional";

/** One kind of expression: its parts by sort, and how to put them together. */
interface Form {
  readonly parts: readonly Sort[];
  readonly write: (...parts: readonly string[]) => string;
}

function form(parts: readonly Sort[], write: (...parts: readonly string[]) => string): Form {
  return { parts, write };
}

function leaves(...texts: readonly string[]): readonly Form[] {
  return texts.map((text) => form([], () => text));
}

const same = (sort: Sort, ...operators: readonly string[]): readonly Form[] =>
  operators.map((operator) => form([sort, sort], (a, b) => `(${a} ${operator} ${b})`));

const tests = (sort: Sort): readonly Form[] => same(sort, "==", "!=", "<", "<=", ">", ">=");

// biome-ignore format: a table
const LEAVES: Readonly<Record<Sort, readonly Form[]>> = {
  int: leaves("0", "1", "-3", "i", "d.b.n", "9223372036854775807", "unbound", "li[0]", "m.hello", "m['none']"),
  uint: leaves("0u", "2u", "u", "18446744073709551615u"),
  double: leaves("0.0", "1.5", "x", "1e300"),
  bool: leaves("true", "false", "b", "d.b.c", "has(d.b)", "has(d.none.x)", "has(m.hello)"),
  string: leaves("''", "'a'", "'hello'", "s", "ls[2]", "d.s", "'a long constant text'"),
  ints: leaves("[]", "[1, 2, 3]", "li", "[i]", "[1, unbound]"),
  strings: leaves("['a', 'b']", "ls", "[s]", "[]"),
  dyn: leaves("d", "d.a", "d.b", "d.n", "d.s", "d.a[4]", "d.missing", "d.a[i]", "d[s]", "dyn(1)", "dyn('x')", "null"),
  optional: leaves("os", "optional.none()", "optional.of('v')", "m[?s].optMap(v, string(v))", "ls[?9]"),
};

// biome-ignore format: a table
const FORMS: Readonly<Record<Sort, readonly Form[]>> = {
  int: [
    ...same("int", "+", "-", "*", "/", "%"),
    form(["int"], (a) => `-(${a})`),
    form(["string"], (a) => `size(${a})`), form(["ints"], (a) => `${a}.size()`), form(["dyn"], (a) => `size(${a})`),
    form(["bool", "int", "int"], (c, a, b) => `(${c} ? ${a} : ${b})`),
    form(["ints", "int"], (l, a) => `${l}[${a}]`), form(["double"], (a) => `int(${a})`), form(["string"], (a) => `int(${a})`),
    form(["string", "string"], (a, b) => `${a}.indexOf(${b})`), form(["dyn"], (a) => `int(${a})`),
    form(["ints", "int", "int"], (l, a, b) => `${l}.map(e, e * ${a})[${b}]`),
  ],
  uint: [...same("uint", "+", "-", "*", "/", "%"), form(["int"], (a) => `uint(${a})`)],
  double: [...same("double", "+", "-", "*", "/"), form(["int"], (a) => `double(${a})`)],
  bool: [
    ...same("bool", "&&", "||", "==", "!="), form(["bool"], (a) => `!(${a})`),
    ...tests("int"), ...tests("uint"), ...tests("double"), ...tests("string"), ...same("ints", "==", "!="), ...same("dyn", "==", "!=", "<"),
    form(["int", "double"], (a, b) => `(${a} < ${b})`),
    form(["bool", "bool", "bool"], (c, a, b) => `(${c} ? ${a} : ${b})`),
    form(["string", "string"], (a, b) => `${a}.startsWith(${b})`), form(["string", "string"], (a, b) => `${a}.contains(${b})`),
    form(["string"], (a) => `${a}.matches('^[a-z ]+$')`), form(["string", "string"], (a, b) => `${a}.matches(${b})`), form(["dyn"], (a) => `${a}.endsWith('t')`),
    form(["int"], (a) => `(${a} in [1, 2, 3])`), form(["int", "ints"], (a, l) => `(${a} in ${l})`), form(["string"], (a) => `(${a} in m)`), form(["dyn", "dyn"], (a, b) => `(${a} in ${b})`),
    form(["ints", "int"], (l, a) => `${l}.all(e, e > ${a})`), form(["ints", "int"], (l, a) => `${l}.exists(e, e == ${a})`), form(["strings", "string"], (l, a) => `${l}.exists_one(e, e == ${a})`),
    form(["dyn", "bool"], (l, a) => `${l}.all(e, ${a})`), form(["ints", "int"], (l, a) => `${l}.all(k, v, k + v < ${a})`),
    form(["dyn"], (a) => `has(${a}.c)`), form(["bool", "dyn", "dyn"], (c, a, b) => `has((${c} ? ${a} : ${b}).n)`), form(["optional"], (a) => `${a}.hasValue()`),
  ],
  string: [
    ...same("string", "+"), form(["int"], (a) => `string(${a})`), form(["dyn"], (a) => `string(${a})`), form(["bool", "string", "string"], (c, a, b) => `(${c} ? ${a} : ${b})`),
    form(["string", "int", "int"], (a, f, t) => `${a}.substring(${f}, ${t})`), form(["string"], (a) => `${a}.lowerAscii()`), form(["strings"], (l) => `${l}.join(',')`),
    form(["string", "string", "string"], (a, f, t) => `${a}.replace(${f}, ${t})`), form(["optional", "string"], (o, a) => `${o}.orValue(${a})`), form(["int", "string"], (a, t) => `'%d %s'.format([${a}, ${t}])`),
  ],
  ints: [
    ...same("ints", "+"), form(["ints", "int"], (l, a) => `${l}.filter(e, e < ${a})`), form(["ints", "int"], (l, a) => `${l}.map(e, e + ${a})`), form(["ints", "bool", "int"], (l, c, a) => `${l}.map(e, ${c}, ${a})`),
    form(["int", "int"], (a, b) => `[${a}, ${b}]`), form(["bool", "ints", "ints"], (c, a, b) => `(${c} ? ${a} : ${b})`), form(["ints"], (l) => `${l}.sort()`), form(["ints", "int", "int"], (l, a, b) => `${l}.slice(${a}, ${b})`),
    form(["int", "int"], (a, b) => `{'k': ${a}, 'l': ${b}}.transformList(k, v, v)`),
  ],
  strings: [...same("strings", "+"), form(["strings", "string"], (l, a) => `${l}.map(e, e + ${a})`), form(["string"], (a) => `${a}.split('l')`), form(["optional", "string"], (o, a) => `[?${o}, ${a}]`)],
  dyn: [
    form(["int"], (a) => `dyn(${a})`), form(["string"], (a) => `dyn(${a})`), form(["dyn"], (a) => `${a}.b`), form(["dyn", "int"], (a, k) => `${a}[${k}]`), form(["dyn", "string"], (a, k) => `${a}[${k}]`),
    form(["dyn", "dyn"], (a, k) => `${a}[${k}]`), form(["bool", "dyn", "dyn"], (c, a, b) => `(${c} ? ${a} : ${b}).b`), form(["dyn"], (a) => `${a}.?b.orValue(null)`), ...same("dyn", "+", "-"),
    form(["string", "int"], (k, a) => `{${k}: ${a}}`), form(["dyn", "string"], (l, a) => `${l}.map(e, dyn(${a}))`), form(["ints"], (l) => `{'k': ${l}}.k`), form(["dyn"], (a) => `type(${a})`),
    form(["ints", "int"], (l, a) => `${l}.transformMap(k, v, v + ${a})`),
  ],
  optional: [
    form(["optional", "optional"], (a, b) => `${a}.or(${b})`), form(["strings", "int"], (l, a) => `${l}[?${a}]`), form(["string"], (a) => `optional.of(${a})`), form(["string"], (a) => `optional.ofNonZeroValue(${a})`),
    form(["optional", "string"], (o, a) => `${o}.optMap(v, v + ${a})`), form(["bool", "optional", "optional"], (c, a, b) => `(${c} ? ${a} : ${b})`), form(["optional"], (o) => `${o}.optFlatMap(v, ls[?0])`),
  ],
};

const SORTS: readonly Sort[] = ["int", "uint", "double", "bool", "string", "ints", "strings", "dyn", "optional"];

function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

export function randomExpression(random: Random, depth: number): string {
  return write(random, pick(random, SORTS) ?? "bool", depth);
}

function write(random: Random, sort: Sort, depth: number): string {
  const chosen = pick(random, depth === 0 ? LEAVES[sort] : FORMS[sort]);
  if (chosen === undefined) return "true";
  const parts = chosen.parts.map((part) => {
    // Now and then a part of another sort, for the checker to refuse or dyn to let through.
    const wanted = random() < 0.02 ? (pick(random, SORTS) ?? part) : part;
    return write(random, wanted, random() < 0.4 ? 0 : Math.max(0, depth - 1));
  });
  return chosen.write(...parts);
}

const SCRAPS = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ".",
  ",",
  "?",
  ":",
  "!",
  "-",
  "'",
  '"',
  "1",
  "u",
  "x",
  "in",
  "&&",
  "\\",
  "\u{1f6e1}",
];

/** A small change somewhere: most results are not valid expressions. */
export function mutate(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const scrap = pick(random, SCRAPS) ?? "";
  const removed = random() < 0.5 ? Math.ceil(random() * 3) : 0;
  return text.slice(0, at) + (random() < 0.7 ? scrap : "") + text.slice(at + removed);
}
