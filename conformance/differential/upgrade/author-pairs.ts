/**
 * Random pairs of schemas as authors write and edit them: one object with fields of every type, rules in the commonly
 * used subset, and one to three edits. The operators below are the edits.
 */
import type { Random } from "../apply/random.ts";
import { FIELDS, FORMATS, PATTERNS, type Plain, some, WORDS } from "./author-fields.ts";
import { fieldRules, randomRule } from "./author-rules.ts";

export interface AuthorPair {
  readonly old: Plain;
  readonly new: Plain;
  /** Whether each side has a status subresource. */
  readonly status: readonly [boolean, boolean];
  readonly operators: readonly string[];
}

export function randomAuthorPair(random: Random): AuthorPair {
  const old = rootSchema(random);
  if (random.bool(0.4)) OPERATORS["add a rule to a field"]?.(old, random);
  const next = structuredClone(old);
  const operators: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const name = random.pick(Object.keys(OPERATORS));
    OPERATORS[name]?.(next, random);
    operators.push(name);
  }
  const hadStatus = random.bool(0.3);
  return { old, new: next, status: [hadStatus, hadStatus || random.bool(0.15)], operators };
}

function rootSchema(random: Random): Plain {
  const properties: Plain = { spec: specSchema(random) };
  if (random.bool(0.2)) properties["status"] = { type: "object", properties: { phase: { type: "string" } } };
  if (random.bool(0.1))
    properties["metadata"] = { type: "object", properties: { name: { type: "string", maxLength: 20 } } };
  return { type: "object", properties };
}

function specSchema(random: Random): Plain {
  const names = random.some(Object.keys(FIELDS), 5);
  const properties: Plain = {};
  for (const name of names.length > 0 ? names : ["x"]) properties[name] = FIELDS[name]?.(random) ?? { type: "integer" };
  const spec: Plain = { type: "object", properties };
  const required = random.some(Object.keys(properties), 3);
  if (required.length > 0) spec["required"] = required;
  if (random.bool(0.1)) spec["minProperties"] = 1;
  if (random.bool(0.1)) spec["maxProperties"] = Object.keys(properties).length;
  const rules = Array.from({ length: random.below(3) }, () => ({ rule: randomRule(random, properties) }));
  if (rules.length > 0) spec["x-kubernetes-validations"] = distinct(rules);
  if (random.bool(0.15))
    spec["anyOf"] = [{ required: [random.pick(Object.keys(properties))] }, combinatorBranch(random, properties)];
  return spec;
}

function distinct(rules: readonly { rule: string }[]): { rule: string }[] {
  return [...new Map(rules.map((each) => [each.rule, each])).values()];
}

function combinatorBranch(random: Random, properties: Plain): Plain {
  const name = random.pick(Object.keys(properties));
  const { type } = properties[name] as Plain;
  const inner =
    type === "integer" ? { minimum: random.below(5) } : type === "string" ? { maxLength: random.below(4) } : {};
  return random.bool(0.3) ? { not: { required: [name] } } : { properties: { [name]: inner } };
}

type Operator = (root: Plain, random: Random) => void;

function spec(root: Plain): Plain {
  return (root["properties"] as Plain)["spec"] as Plain;
}

function fields(root: Plain): Plain {
  return spec(root)["properties"] as Plain;
}

/** A field, or a node inside one. */
function node(root: Plain, random: Random): Plain {
  const all = Object.values(fields(root)) as Plain[];
  const inner = all.flatMap((each) => [
    each,
    each["items"],
    each["additionalProperties"],
    ...Object.values((each["properties"] ?? {}) as Plain),
    ...Object.values(((each["items"] as Plain | undefined)?.["properties"] ?? {}) as Plain),
  ]);
  const nodes = inner.filter((each): each is Plain => typeof each === "object" && each !== null);
  return random.pick(nodes.length > 0 ? nodes : [spec(root)]);
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  integer: ["minimum", "maximum", "multipleOf"],
  number: ["minimum", "maximum", "multipleOf"],
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"],
};

function rulesOf(root: Plain): { rule: string }[] {
  return (spec(root)["x-kubernetes-validations"] ?? []) as { rule: string }[];
}

function editRule(root: Plain, random: Random, edit: (rule: string) => string): void {
  const rules = rulesOf(root);
  if (rules.length === 0) return;
  const index = random.below(rules.length);
  spec(root)["x-kubernetes-validations"] = distinct(
    rules.map((each, at) => (at === index ? { rule: edit(each.rule) } : each)),
  );
}

/** The edits, by name. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  "move a bound": (root, random) => {
    const at = node(root, random);
    const keyword = random.pick(KEYWORDS[String(at["type"])] ?? ["maxLength"]);
    const value = at[keyword];
    at[keyword] =
      typeof value === "number"
        ? Math.max(keyword === "multipleOf" ? 1 : 0, value + random.pick([-1, 1]))
        : 1 + random.below(5);
  },
  "drop a keyword": (root, random) => {
    const at = node(root, random);
    const keys = Object.keys(at).filter(
      (key) =>
        ![
          "type",
          "properties",
          "items",
          "additionalProperties",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-map-keys",
        ].includes(key),
    );
    if (keys.length > 0) delete at[random.pick(keys)];
  },
  "exclude a bound": (root, random) => {
    const at = node(root, random);
    if (at["minimum"] !== undefined) at["exclusiveMinimum"] = true;
    if (at["maximum"] !== undefined) at["exclusiveMaximum"] = true;
  },
  "change a pattern": (root, random) => {
    const at = node(root, random);
    if (at["type"] === "string") at["pattern"] = random.pick(PATTERNS);
  },
  "change a format": (root, random) => {
    const at = node(root, random);
    if (at["type"] === "string") at["format"] = random.pick(FORMATS);
    if (at["type"] === "integer") at["format"] = random.pick(["int32", "int64"]);
  },
  "change an enum": (root, random) => {
    const at = node(root, random);
    if (at["type"] === "string") at["enum"] = [...new Set(random.some(WORDS, 4).concat("a"))];
    if (at["type"] === "integer") at["enum"] = [1, 2, 3, 4].slice(random.below(2));
    if (at["type"] === "boolean") at["enum"] = random.pick([[true], [true, false]]);
  },
  "change a type": (root, random) => {
    const at = node(root, random);
    if (at["type"] === "integer") {
      if (random.bool(0.5)) at["type"] = "number";
      else {
        delete at["type"];
        at["x-kubernetes-int-or-string"] = true;
      }
    } else if (at["type"] === "number") at["type"] = "integer";
  },
  "toggle nullable": (root, random) => {
    const at = node(root, random);
    at["nullable"] = at["nullable"] !== true;
  },
  "change a default": (root, random) => {
    const at = node(root, random);
    const values: Plain = {
      integer: random.below(6),
      string: random.pick(WORDS),
      boolean: true,
      object: {},
      number: 1.5,
    };
    const value = values[String(at["type"])];
    if (value !== undefined) at["default"] = value;
  },
  "require or release a field": (root, random) => {
    const at = random.bool(0.7) ? spec(root) : node(root, random);
    const names = Object.keys((at["properties"] ?? {}) as Plain);
    const required = random.some(names, 3);
    if (required.length > 0) at["required"] = required;
    else delete at["required"];
  },
  "remove a field": (root, random) => {
    const at = random.bool(0.6) ? spec(root) : node(root, random);
    const properties = (at["properties"] ?? {}) as Plain;
    const names = Object.keys(properties);
    if (names.length > 1) delete properties[random.pick(names)];
    at["required"] = ((at["required"] ?? []) as string[]).filter((name) => name in properties);
    if ((at["required"] as string[]).length === 0) delete at["required"];
  },
  "add a field": (root, random) => {
    fields(root)["z"] = { type: "integer", ...some(random, { default: random.below(5) }, 0.5) };
  },
  "change a list type": (root, random) => {
    const at = fields(root)["l"] as Plain | undefined;
    if (at !== undefined) at["x-kubernetes-list-type"] = random.pick(["set", "atomic"]);
  },
  "change the keys of a list map": (root, random) => {
    const at = fields(root)["k"] as Plain | undefined;
    if (at !== undefined) at["x-kubernetes-list-map-keys"] = random.pick([["n"], ["o"], ["n", "o"], ["o", "n"]]);
  },
  "fill in nulls of items or values": (root, random) => {
    const at = random.pick(Object.values(fields(root)) as Plain[]);
    const inner = (at["items"] ?? at["additionalProperties"]) as Plain | undefined;
    if (inner === undefined) return;
    const values: Plain = {
      integer: random.below(6),
      string: random.pick(WORDS),
      object: { n: "a", o: random.pick(WORDS) },
    };
    if (random.bool(0.5)) inner["default"] = values[String(inner["type"])];
    else inner["nullable"] = inner["nullable"] !== true;
  },
  "require of each item in a combinator": (root, random) => {
    const at = random.pick(Object.values(fields(root)) as Plain[]);
    if (at["type"] !== "array") return;
    at["allOf"] = [
      { items: random.pick<Plain>([{ enum: ["a", "b"] }, { maxLength: 1 }, { minimum: 1 }, { required: ["p"] }]) },
    ];
  },
  "wrap a keyword in a combinator": (root, random) => {
    const at = node(root, random);
    const keys = ["minimum", "maximum", "pattern", "minLength", "maxLength", "enum"].filter((key) => key in at);
    if (keys.length === 0) return;
    const key = random.pick(keys);
    const branch = { [key]: at[key] };
    delete at[key];
    const kind = random.pick(["allOf", "anyOf", "oneOf"]);
    at[kind] = [branch, ...(kind === "anyOf" && random.bool(0.5) ? [{ maxLength: 1 }, { minimum: 3 }] : [])];
  },
  "forbid with not": (root, random) => {
    const at = node(root, random);
    if (at["type"] === "string") at["not"] = { pattern: random.pick(PATTERNS) };
    if (at["type"] === "integer") at["not"] = { minimum: 3 + random.below(4) };
    if (at["type"] === "object") at["not"] = { required: [random.pick(["a", "c", "q"])] };
  },
  "preserve or prune": (root, random) => {
    const at = node(root, random);
    if (at["type"] !== "object" || at["additionalProperties"] !== undefined) return;
    if (at["x-kubernetes-preserve-unknown-fields"] === true) {
      delete at["x-kubernetes-preserve-unknown-fields"];
      at["properties"] ??= { a: { type: "string" } };
    } else at["x-kubernetes-preserve-unknown-fields"] = true;
  },
  "name keys": (root, random) => {
    const at = fields(root)["m"] as Plain | undefined;
    if (at !== undefined)
      at["x-kubernetes-property-names"] = {
        type: "string",
        ...some(random, { maxLength: 1 + random.below(4), pattern: random.pick(PATTERNS), enum: ["a", "b"] }, 0.5),
      };
  },
  "restrict metadata": (root, random) => {
    const properties = root["properties"] as Plain;
    properties["metadata"] = {
      type: "object",
      properties: {
        name: { type: "string", ...some(random, { maxLength: 5 + random.below(20), pattern: "^[a-z]" }, 0.6) },
      },
    };
  },
  "restrict an embedded resource": (root, random) => {
    const at = fields(root)["e"] as Plain | undefined;
    if (at !== undefined)
      at["properties"] = { kind: { type: "string", ...some(random, { enum: ["Pod"], maxLength: 3 }, 0.6) } };
  },
  "require a status": (root, random) => {
    const properties = root["properties"] as Plain;
    if (properties["status"] === undefined) return;
    if (random.bool(0.5)) root["required"] = ["status"];
    else root["x-kubernetes-validations"] = [{ rule: "has(self.status)" }];
  },
  "add a rule": (root, random) => {
    spec(root)["x-kubernetes-validations"] = distinct([...rulesOf(root), { rule: randomRule(random, fields(root)) }]);
  },
  "add a rule to a field": (root, random) => {
    const at = node(root, random);
    const choices = [...fieldRules(at)];
    if (choices.length > 0) at["x-kubernetes-validations"] = [{ rule: random.pick(choices) }];
  },
  "drop a rule": (root, random) => {
    const rules = rulesOf(root);
    if (rules.length > 1) rules.splice(random.below(rules.length), 1);
    else delete spec(root)["x-kubernetes-validations"];
  },
  "change a constant of a rule": (root, random) => {
    editRule(root, random, (rule) =>
      rule.replace(/(?<![\w'])\d+(?![\w'.])/, (digits) =>
        String(Math.max(0, Number(digits) + random.pick([-1, 1, 2]))),
      ),
    );
  },
  "swap the operands of a rule": (root, random) => {
    editRule(root, random, (rule) =>
      rule.replace(/(self\.\w+) < (\d+)/, "$2 > $1").replace(/(self\.\w+) >= (\d+)/, "$2 <= $1"),
    );
  },
  "rename a loop variable": (root, random) => {
    editRule(root, random, (rule) => (rule.includes("(j,") ? rule : rule.replaceAll(/\bi\b/g, "j")));
  },
  "turn a rule by De Morgan": (root, random) => {
    editRule(root, random, (rule) =>
      rule.includes(" && ") || rule.split(" || ").length !== 2
        ? rule
        : `!(!(${rule.split(" || ")[0]}) && !(${rule.split(" || ")[1]}))`,
    );
  },
  "weaken or strengthen a rule": (root, random) => {
    const other = randomRule(random, fields(root));
    editRule(root, random, (rule) => `(${rule}) ${random.pick(["&&", "||"])} (${other})`);
  },
  "turn a loop around": (root, random) => {
    editRule(root, random, (rule) =>
      rule.replace(/(self\.\w+)\.all\((\w), (\w+) != ('\w+')\)/, "!$1.exists($2, $3 == $4)"),
    );
  },
};
