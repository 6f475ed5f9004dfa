/**
 * Random pairs for the parts of the model that combine values: chains of `filter` and `map`, choices between lists and
 * strings, functions of strings, durations, quantities, sets, unique keys, and the optional `oldSelf`.
 *
 * Most pairs share a part between an old and a new rule, so that many are proved; every proof is then attacked.
 */
import type { Random } from "../apply/random.ts";
import type { Plain } from "./author-fields.ts";
import type { AuthorPair } from "./author-pairs.ts";

interface Rule {
  readonly rule: string;
  readonly optionalOldSelf?: true;
}

export function randomChainPair(random: Random): AuthorPair {
  const properties = fields(random);
  const old = Array.from({ length: random.below(3) }, () => randomRule(random));
  const added = random.bool(0.5)
    ? variant(random, random.pick(old.length > 0 ? old : [randomRule(random)]))
    : undefined;
  const kept = random.bool(0.7) ? old : old.slice(1);
  const next = [...kept, added ?? randomRule(random)];
  const edited = structuredClone(properties);
  const operators = random.bool(0.35) ? [random.pick(Object.keys(EDITS))] : [];
  for (const name of operators) EDITS[name]?.(edited, random);
  const required = Object.keys(properties).filter(() => random.bool(0.9));
  const schemas = [root(properties, required, old), root(edited, required, next)] as const;
  return { old: schemas[0], new: schemas[1], status: [false, false], operators };
}

function root(properties: Plain, required: readonly string[], rules: readonly Rule[]): Plain {
  const distinct = [...new Map(rules.map((each) => [each.rule, each])).values()];
  const spec: Plain = { type: "object", properties, required };
  if (distinct.length > 0) spec["x-kubernetes-validations"] = distinct;
  return { type: "object", properties: { spec } };
}

function fields(random: Random): Plain {
  const numbers = (): Plain => ({
    type: "array",
    maxItems: 3,
    items: { type: "integer", ...(random.bool(0.3) ? { minimum: 0, maximum: 3 } : {}) },
  });
  const texts = (listType?: string): Plain => ({
    type: "array",
    maxItems: 3,
    items: { type: "string", maxLength: 5, ...(random.bool(0.4) ? { enum: ["a", "A", "b"] } : {}) },
    ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
  });
  return {
    c: { type: "boolean" },
    l: numbers(),
    m: numbers(),
    t: texts(),
    u: texts(random.bool(0.7) ? "set" : undefined),
    k: {
      type: "array",
      maxItems: 3,
      items: {
        type: "object",
        required: ["n"],
        properties: { n: { type: "string", maxLength: 5 }, p: { type: "integer" } },
      },
      ...(random.bool(0.7) ? { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"] } : {}),
    },
    s: {
      type: "string",
      maxLength: 6,
      ...(random.bool(0.3) ? { pattern: random.pick(["^[a-z]*$", "^-?[0-9]+$"]) } : {}),
    },
    z: { type: "string", maxLength: 6 },
    d: { type: "string", maxLength: 6, ...(random.bool(0.5) ? { format: "duration" } : { enum: ["1h", "60m", "1s"] }) },
    q: { type: "string", maxLength: 6, enum: ["1", "1k", "1Ki", "100m", "1e3", "x"] },
    x: { type: "integer" },
    y: { type: "integer", minimum: 0, maximum: 4 },
    o: { type: "object", maxProperties: 3, additionalProperties: { type: "string", maxLength: 3 } },
  };
}

function randomRule(random: Random): Rule {
  if (random.bool(0.15)) return { rule: optionalAtom(random), optionalOldSelf: true };
  const rule = atom(random);
  if (random.bool(0.3)) return { rule: `(${rule}) ${random.pick(["&&", "||"])} (${atom(random)})` };
  return { rule: random.bool(0.15) ? `!(${rule})` : rule };
}

/** A rule that may follow from the other: weaker, or with other numbers. */
function variant(random: Random, { rule, optionalOldSelf }: Rule): Rule {
  const kept = optionalOldSelf === undefined ? {} : { optionalOldSelf };
  const turn = random.below(6);
  if (turn === 0) return { ...kept, rule: `!(!(${rule}))` };
  if (turn === 1) return { ...kept, rule: `(${rule}) || (${atom(random)})` };
  if (turn === 2) return { ...kept, rule: rule.replaceAll("(i, ", "(j, ").replaceAll(/\bi\b/g, "j") };
  if (turn === 3) return { ...kept, rule: `self.c ? (${rule}) : (${rule})` };
  const shift = random.pick([-1, 1]);
  return { ...kept, rule: rule.replace(/\b([0-3])\b/, (digit) => String(Math.max(0, Number(digit) + shift))) };
}

function atom(random: Random): string {
  return random.pick(ATOMS)(random);
}

function optionalAtom(random: Random): string {
  return random.pick([
    `!oldSelf.hasValue() || self.x ${compare(random)} oldSelf.value().x`,
    `oldSelf.hasValue() || self.x ${compare(random)} ${number(random)}`,
    `self.x ${compare(random)} oldSelf.?x.orValue(${number(random)})`,
    `oldSelf.orValue(self).l.all(i, i in self.l)`,
    `!oldSelf.hasValue() || size(oldSelf.value().u) <= size(self.u)`,
    `oldSelf.?u.orValue(self.u) == self.u`,
  ]);
}

const compare = (random: Random): string => random.pick(["<", "<=", ">", ">=", "==", "!="]);
const number = (random: Random): string => random.pick(["0", "1", "2", "3"]);
const word = (random: Random): string => random.pick(["'a'", "'A'", "'b'", "''", "'1'"]);
const some = (random: Random): string => random.pick(["all", "exists", "exists_one"]);

function numbers(random: Random): string {
  return random.pick([
    "self.l",
    "self.l",
    "(self.c ? self.l : self.m)",
    `self.l.filter(i, i ${compare(random)} ${number(random)})`,
    `(self.c ? self.l : self.m).filter(i, i ${compare(random)} ${number(random)})`,
    `self.l.map(i, i + 1)`,
    `self.l.map(i, -i)`,
    `self.l.map(i, i ${compare(random)} ${number(random)}, i - 1)`,
    `self.k.map(i, size(i.n))`,
    `self.k.map(i, has(i.p), i.p)`,
    `[1, self.x]`,
    `[${number(random)}, ${number(random)}]`,
  ]);
}

function strings(random: Random): string {
  return random.pick([
    "self.t",
    "self.u",
    "(self.c ? self.t : self.u)",
    `self.t.filter(i, i ${random.pick(["==", "!=", "<"])} ${word(random)})`,
    `self.u.map(i, i.lowerAscii())`,
    `self.k.map(i, i.n)`,
    `['a', self.s]`,
    "['a', 'b']",
  ]);
}

function string(random: Random): string {
  const from = random.pick(["self.s", "self.s", "self.z", "(self.c ? self.s : self.z)"]);
  const call = random.pick([
    "",
    ".lowerAscii()",
    ".upperAscii()",
    ".trim()",
    ".replace('a', 'b')",
    `.substring(${number(random)})`,
    ".substring(0, 1)",
    `.charAt(${number(random)})`,
  ]);
  return `${from}${call}`;
}

const ATOMS: readonly ((random: Random) => string)[] = [
  (random) => `size(${numbers(random)}) ${compare(random)} ${number(random)}`,
  (random) => `size(${numbers(random)}) ${compare(random)} size(${numbers(random)})`,
  (random) => `${numbers(random)}.${some(random)}(i, i ${compare(random)} ${number(random)})`,
  (random) => `${strings(random)}.${some(random)}(i, i ${random.pick(["==", "!="])} ${word(random)})`,
  (random) => `${strings(random)}.all(i, ${strings(random)}.${some(random)}(j, i == j))`,
  (random) => `${number(random)} in ${numbers(random)}`,
  (random) => `${word(random)} in ${strings(random)}`,
  (random) => `sets.contains(${strings(random)}, ${strings(random)})`,
  (random) => `sets.intersects(['a', 'b'], ${strings(random)})`,
  (random) =>
    `${random.pick(["self.l", "self.m", "(self.c ? self.l : self.m)"])}.${random.pick(["min", "max"])}() ${compare(random)} ${number(random)}`,
  (random) =>
    `${random.pick(["self.l", "(self.c ? self.l : self.m)"])}[${number(random)}] ${compare(random)} ${number(random)}`,
  (random) => `${random.pick(["self.t == self.u", "self.u == self.t", "self.l == self.m", "self.m.isSorted()"])}`,
  (random) => `${string(random)} ${random.pick(["==", "!="])} ${random.pick([word(random), "self.s", "self.z"])}`,
  (random) => `size(${string(random)}) ${compare(random)} ${random.pick([number(random), "size(self.s)"])}`,
  (random) => `${string(random)}.${random.pick(["startsWith", "endsWith", "contains"])}(${word(random)})`,
  (random) =>
    `${string(random)}.${random.pick(["indexOf", "lastIndexOf"])}(${random.pick(["'a'", "'b'"])}) ${compare(random)} ${number(random)}`,
  (random) => `int(${string(random)}) ${compare(random)} ${number(random)}`,
  (random) => `string(self.x) ${random.pick(["==", "!="])} ${random.pick(["'1'", "'-1'", "self.s"])}`,
  (random) => `self.x ${random.pick(["+", "-", "*"])} ${number(random)} ${compare(random)} self.y`,
  (random) => `self.x ${random.pick(["/", "%"])} 2 ${compare(random)} ${number(random)}`,
  (random) =>
    `duration(${random.pick(["string(self.d)", "'60m'"])}) ${compare(random)} duration('${random.pick(["1h", "3600s", "1s", "0.5s"])}')`,
  (random) =>
    `!isQuantity(self.q) || quantity(self.q).${random.pick(["isLessThan", "isGreaterThan"])}(quantity('${random.pick(["1", "1k", "1Ki", "1024", "0.1"])}'))`,
  (random) =>
    `quantity(self.q).compareTo(quantity('${random.pick(["1", "1000", "1Ki"])}')) ${compare(random)} ${random.pick(["0", "1"])}`,
  (random) => `self.o.all(k, self.o[k] ${random.pick(["==", "!="])} ${word(random)})`,
  (random) => `self.o.all(k, self.o[self.o[k]] ${random.pick(["==", "!="])} self.o[k])`,
  () => `self.o.all(k, v, k != v)`,
  (random) => `!('a' in self.o) || self.o['a'] ${random.pick(["==", "!="])} ${word(random)}`,
  (random) =>
    `self.o.filter(k, k ${random.pick(["==", "!="])} ${word(random)}).size() ${compare(random)} ${number(random)}`,
  (random) => `self.k.all(i, self.k.${random.pick(["exists_one", "exists"])}(j, j.n == i.n))`,
  (random) => `self.k.filter(i, i.n == ${word(random)}).size() ${compare(random)} ${number(random)}`,
  (random) => `self.?x.orValue(${number(random)}) ${compare(random)} ${number(random)}`,
  (random) => `self.k.all(i, i.?p.orValue(0) ${compare(random)} self.l.size())`,
];

type Edit = (properties: Plain, random: Random) => void;

const EDITS: Readonly<Record<string, Edit>> = {
  "make a list a set": (properties) => toggle(properties["t"] as Plain, "x-kubernetes-list-type", "set"),
  "make a set a list": (properties) => toggle(properties["u"] as Plain, "x-kubernetes-list-type", undefined),
  "let items be null": (properties, random) => {
    const list = properties[random.pick(["l", "t", "u"])] as Plain;
    list["items"] = { ...(list["items"] as Plain), nullable: true };
  },
  "read keys as durations": (properties) => {
    const items = (properties["k"] as Plain)["items"] as { properties: { n: Plain } };
    items.properties.n["format"] = "duration";
  },
  "read a string as a duration": (properties) => toggle(properties["d"] as Plain, "format", "duration"),
  "fill in a member": (properties) => {
    const items = (properties["k"] as Plain)["items"] as { properties: { p: Plain } };
    items.properties.p["default"] = 1;
  },
  "fill in a field": (properties, random) => {
    const [name, value] = random.pick<readonly [string, unknown]>([
      ["x", 1],
      ["s", "a"],
      ["l", [1, 2]],
      ["c", true],
    ]);
    (properties[name] as Plain)["default"] = value;
  },
  "allow more items": (properties, random) => toggle(properties[random.pick(["l", "m", "t"])] as Plain, "maxItems", 4),
  "prune a member": (properties) => {
    const items = (properties["k"] as Plain)["items"] as { properties: Plain };
    delete items.properties["p"];
  },
};

function toggle(schema: Plain, keyword: string, value: unknown): void {
  if (value === undefined) delete schema[keyword];
  else schema[keyword] = value;
}
