/** Random rules over one small schema, and small changes of the schema below them: input for proofs about rules. */
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import type { Random } from "../apply/random.ts";

type Plain = { readonly [key: string]: unknown };

/** A random old schema; the new one is an edit of it. */
export function randomPair(random: Random): { readonly old: Plain; readonly new: Plain } {
  const required = random.some(["a", "b", "n", "l", "s"], 5);
  const enumerated = random.bool(0.5) ? { enum: ["x", "y", "*"] } : { maxLength: 3 };
  const properties: Plain = {
    a: { type: "string", pattern: random.pick(["^[a-z]*$", "^(\\*|x+)$", "^.{0,2}$"]), nullable: random.bool(0.1) },
    b: { type: "string", ...enumerated },
    n: { type: "integer", minimum: 0, maximum: 5 },
    s: { type: "array", maxItems: 3, items: { type: "string", pattern: random.pick(["^[a-z]$", "^(\\*|[a-z])$"]) } },
    l: {
      type: "array",
      maxItems: 3,
      items: {
        type: "object",
        required: random.some(["t", "v"], 2),
        properties: { t: { type: "string", enum: ["x", "y"] }, v: { type: "string", maxLength: 2 } },
      },
    },
    m: { type: "object", maxProperties: 3, additionalProperties: { type: "string", maxLength: 2 } },
  };
  const oldRules = rules(random, false, random.below(4));
  const kept = oldRules.filter(() => random.bool(0.5));
  const [newProperties, hasNew] = edited(random, properties);
  const newRules = [...kept, ...rules(random, hasNew, 1 + random.below(2)), ...weaker(random, oldRules)];
  const node = (own: Plain, list: readonly string[]): Plain => ({
    type: "object",
    required,
    properties: own,
    ...(list.length === 0 ? {} : { "x-kubernetes-validations": [...new Set(list)].map((rule) => ({ rule })) }),
  });
  return { old: node(properties, oldRules), new: node(newProperties, newRules) };
}

/** Fields that appear, with and without a default, and defaults for fields that were there. */
function edited(random: Random, properties: Plain): readonly [Plain, boolean] {
  const copy: Record<string, unknown> = structuredClone(properties);
  const hasNew = random.bool(0.6);
  if (hasNew) copy["c"] = random.bool(0.5) ? { type: "string" } : { type: "string", default: "x" };
  if (hasNew) {
    const list = structuredClone(properties["l"]) as { items: { properties: Record<string, unknown> } };
    list.items.properties["c"] = random.bool(0.5) ? { type: "string" } : { type: "string", default: "y" };
    copy["l"] = list;
  }
  if (random.bool(0.2)) copy["b"] = { ...(copy["b"] as Plain), default: "x" };
  if (random.bool(0.1)) delete copy["m"];
  return [copy, hasNew];
}

function rules(random: Random, hasNew: boolean, count: number): string[] {
  return Array.from({ length: count }, () => formula(random, "self", hasNew, 2));
}

/** Rules that often follow from the old ones. */
function weaker(random: Random, old: readonly string[]): string[] {
  return old.flatMap((rule) => {
    if (!random.bool(0.4)) return [];
    return [random.pick([`(${rule}) || ${atom(random, "self", false)}`, `!has(self.b) || (${rule})`, `!(!(${rule}))`])];
  });
}

const VALUES = ["x", "y", "*", "", "xx", "a", "ab"];

/** A value that distinguishes the rules, mostly valid for the schema. */
export function randomWidget(random: Random): JsonObject {
  const text = (): string => random.pick(VALUES);
  const drawn: Record<string, () => unknown> = {
    a: () => (random.bool(0.05) ? null : text()),
    b: text,
    n: () => random.below(6),
    s: () => Array.from({ length: random.below(4) }, text),
    l: () => Array.from({ length: random.below(4) }, () => item(random)),
    m: () => Object.fromEntries(random.some(["x", "y", "*", "a"], 3).map((key) => [key, text()])),
  };
  const names = Object.keys(drawn).filter(() => random.bool(0.75));
  const json = fromPlain(Object.fromEntries(names.map((name) => [name, drawn[name]?.()])));
  return isObject(json) ? json : newObject();
}

function item(random: Random): object {
  const members = { t: random.pick(["x", "y"]), v: random.pick(VALUES) };
  return Object.fromEntries(Object.entries(members).filter(() => random.bool(0.8)));
}

function formula(random: Random, at: string, hasNew: boolean, depth: number): string {
  if (depth === 0) return atom(random, at, hasNew);
  const inner = (): string => formula(random, at, hasNew, depth - 1);
  switch (random.below(7)) {
    case 0:
      return `(${inner()} && ${inner()})`;
    case 1:
      return `(${inner()} || ${inner()})`;
    case 2:
      return `!(${inner()})`;
    case 3:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    default:
      return inner();
  }
}

const TEXTS = ["x", "y", "*", "", "xx"];
const PATTERNS = ["^[a-z]*$", "x", "^\\\\*", "^.$", "^(x|y)$"];

function atom(random: Random, at: string, hasNew: boolean): string {
  if (at === "i") return itemAtom(random, hasNew);
  const names = hasNew ? ["a", "b", "n", "l", "s", "m", "c"] : ["a", "b", "n", "l", "s", "m"];
  switch (random.below(11)) {
    case 0:
      return `has(self.${random.pick(names)})`;
    case 1:
      return `self.n ${random.pick(["<", "<=", ">", ">=", "=="])} ${random.below(6)}`;
    case 2:
      return textAtom(random, hasNew && random.bool(0.4) ? "self.c" : random.pick(["self.a", "self.b"]));
    case 3:
      return `self.l.${random.pick(["all", "exists"])}(i, ${formula(random, "i", hasNew, 1)})`;
    case 4:
      return `self.s.${random.pick(["all", "exists"])}(x, ${textAtom(random, "x")})`;
    case 5:
      return `'${random.pick(TEXTS)}' in self.s`;
    case 6:
      return `size(self.${random.pick(["s", "l", "m"])}) ${random.pick(["<", ">=", "=="])} ${random.below(3)}`;
    case 7:
      return `[${random
        .some(names, 3)
        .map((name) => `has(self.${name})`)
        .join(", ")}].filter(x, x == true).size() ${random.pick(["==", "<=", ">="])} ${random.below(3)}`;
    case 8:
      return `self.l.filter(i, ${itemAtom(random, hasNew)}).size() ${random.pick(["<=", "<"])} ${random.below(3)}`;
    case 9:
      return `self.m.all(k, ${textAtom(random, "k")})`;
    default:
      return `(!has(self.b) || ${textAtom(random, "self.b")})`;
  }
}

function itemAtom(random: Random, hasNew: boolean): string {
  const names = hasNew ? ["t", "v", "c"] : ["t", "v"];
  return random.bool(0.4) ? `has(i.${random.pick(names)})` : textAtom(random, `i.${random.pick(names)}`);
}

function textAtom(random: Random, subject: string): string {
  switch (random.below(6)) {
    case 0:
      return `${subject} == '${random.pick(TEXTS)}'`;
    case 1:
      return `${subject} != '${random.pick(TEXTS)}'`;
    case 2:
      return `${subject}.matches('${random.pick(PATTERNS)}')`;
    case 3:
      return `${subject}.${random.pick(["startsWith", "endsWith", "contains"])}('${random.pick(TEXTS)}')`;
    case 4:
      return `${subject} in ['${random.pick(TEXTS)}', '${random.pick(TEXTS)}']`;
    default:
      return `size(${subject}) ${random.pick(["<", "<=", ">", ">="])} ${random.below(3)}`;
  }
}
