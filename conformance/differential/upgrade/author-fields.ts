/** Fields of random schemas, one of every type. */
import type { Random } from "../apply/random.ts";

export type Plain = { [key: string]: unknown };

export const PATTERNS = ["^[a-z]+$", "^[a-z]*$", "^[a-z0-9]+$", "^a", "b$", "^(a|b)$", "^.{0,3}$", "a.*b", "^[^a]*$"];
export const FORMATS = [
  "date",
  "date-time",
  "uuid",
  "byte",
  "ipv4",
  "k8s-short-name",
  "k8s-long-name",
  "duration",
  "uri",
];
export const WORDS = ["a", "b", "ab", "c", "x"];

/** Some compare an item with the one that has the same keys. */
const ITEM_RULES = ["self.n != 'x'", "self.n == oldSelf.n", "!has(self.p) || !has(oldSelf.p) || self.p >= oldSelf.p"];

type Field = (random: Random) => Plain;

export const FIELDS: Readonly<Record<string, Field>> = {
  x: (random) => ({
    type: "integer",
    ...some(
      random,
      {
        minimum: random.below(4),
        maximum: 4 + random.below(8),
        multipleOf: 1 + random.below(3),
        nullable: true,
        default: 4,
      },
      0.25,
    ),
  }),
  y: (random) => ({
    type: "integer",
    ...some(random, { format: "int32", minimum: -random.below(3), maximum: random.pick([10, 2 ** 53]) }, 0.25),
  }),
  d: (random) => ({
    type: "number",
    ...some(
      random,
      { minimum: random.pick([0, 0.5, 1]), maximum: random.pick([2, 2.5, 10]), exclusiveMinimum: true },
      0.4,
    ),
  }),
  s: (random) => ({
    type: "string",
    maxLength: 3 + random.below(3),
    ...some(random, { minLength: 1, pattern: random.pick(PATTERNS), nullable: true, default: "a" }, 0.3),
  }),
  t: (random) => ({ type: "string", ...some(random, { enum: random.some(WORDS, 4).concat("a"), maxLength: 4 }, 0.6) }),
  f: (random) => ({ type: "string", maxLength: 40, format: random.pick(FORMATS) }),
  b: () => ({ type: "boolean" }),
  "o.a": () => ({ type: "string", maxLength: 3 }),
  j: () => ({ "x-kubernetes-int-or-string": true }),
  v: (random) => ({
    type: "number",
    ...some(
      random,
      {
        enum: random.pick([
          [1, 2.5],
          [2 ** 53, 3],
          [1e17, -1],
        ]),
      },
      0.7,
    ),
  }),
  w: (random) => ({ type: "string", maxLength: 6, ...some(random, { default: "1", pattern: "^[0-9.]*$" }, 0.4) }),
  r: (random) => ({
    type: "array",
    maxItems: 2,
    items: {
      type: "object",
      properties: {
        q: {
          type: "array",
          maxItems: 2,
          items: { type: "integer", ...some(random, { nullable: true, default: 3 }, 0.3) },
        },
      },
    },
  }),
  i: (random) => ({ "x-kubernetes-int-or-string": true, ...some(random, { pattern: "^[0-9]+%$", maximum: 5 }, 0.4) }),
  l: (random) => ({
    type: "array",
    maxItems: 3,
    items: { type: "string", maxLength: 2, ...some(random, { enum: ["a", "b"], nullable: true, default: "a" }, 0.25) },
    ...some(random, { "x-kubernetes-list-type": random.pick(["set", "atomic"]), minItems: 1 }, 0.3),
  }),
  k: (random) => ({
    type: "array",
    maxItems: 3,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": random.pick([["n"], ["n"], ["n", "o"]]),
    items: {
      type: "object",
      required: ["n", "o"],
      properties: {
        n: { type: "string", maxLength: 2, ...some(random, { default: "a" }, 0.15) },
        o: { type: "string", maxLength: 2, default: "b" },
        p: { type: "integer", ...some(random, { default: 1, minimum: 0, nullable: true }, 0.3) },
      },
      ...some(random, { default: { n: "a", o: "b" } }, 0.15),
      ...some(random, { "x-kubernetes-validations": [{ rule: random.pick(ITEM_RULES) }] }, 0.3),
    },
    ...some(random, { minItems: 1, maxItems: 1 }, 0.2),
  }),
  m: (random) => ({
    type: "object",
    maxProperties: 3,
    additionalProperties: {
      type: random.pick(["string", "integer"]),
      ...some(random, { nullable: true }, 0.3),
    },
    ...some(random, { "x-kubernetes-property-names": { type: "string", maxLength: 3 } }, 0.3),
  }),
  o: (random) => ({
    type: "object",
    properties: { a: { type: "string", maxLength: 3 }, c: { type: "integer", ...some(random, { default: 2 }, 0.3) } },
    ...some(random, { required: ["a"], nullable: true, default: random.pick([{}, { a: "a" }]) }, 0.2),
  }),
  p: () => ({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
  e: (random) => ({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    ...some(random, { "x-kubernetes-preserve-unknown-fields": true }, 0.5),
  }),
};

export function some(random: Random, options: Plain, probability: number): Plain {
  return Object.fromEntries(
    Object.entries(options).filter(([key]) => key === "exclusiveMinimum" || random.bool(probability)),
  );
}
