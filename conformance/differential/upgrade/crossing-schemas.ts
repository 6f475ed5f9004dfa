/**
 * Nodes of a schema by type, and values to try on them. Every node is compared with every other one of its list: each
 * list has the causes of wrong proofs that were found so far, and their neighbours.
 */

type Node = Readonly<Record<string, unknown>>;

export interface Crossing {
  readonly nodes: readonly Node[];
  /** As JSON texts, because `1.0` is not `1` and integers may be beyond 2^53. */
  readonly values: readonly string[];
}

const TEXT = { type: "string" };
const WHOLE = { type: "integer" };

function ruled(node: Node, ...rules: readonly string[]): Node {
  return { ...node, "x-kubernetes-validations": rules.map((rule) => ({ rule })) };
}

function eachRule(node: Node, rules: readonly string[]): Node[] {
  return rules.map((rule) => ruled(node, rule));
}

/** Rules that also run when there is no old value. */
function optional(node: Node, rule: string): Node {
  return { ...node, "x-kubernetes-validations": [{ rule, optionalOldSelf: true }] };
}

const INTEGERS: readonly string[] = [
  ..."-1 0 1 2 3 4 5 6 7 8 10 12 100 2147483647 2147483648 -2147483649 9007199254740992 9007199254740993".split(" "),
  ..."9223372036854775807 -9223372036854775808 1.0 2.0 4.0 1e3 9007199254740992.0".split(" "),
];

// biome-ignore format: a table
const INTEGER_NODES: readonly Node[] = [
  {}, { minimum: 0 }, { minimum: 3 }, { minimum: 0.5 }, { minimum: 3, exclusiveMinimum: true }, { minimum: -(2 ** 63) },
  { maximum: 5 }, { maximum: 6, exclusiveMaximum: true }, { maximum: 5.5 }, { maximum: 2 ** 53 }, { maximum: 2 ** 63 },
  { minimum: 0, maximum: 5 }, { multipleOf: 2 }, { multipleOf: 3 }, { multipleOf: 6 }, { multipleOf: 0.5 }, { enum: [1, 2, 3] },
  { enum: [1, 2] }, { enum: [1, 2, null], nullable: true }, { enum: [1, 2], nullable: true }, { format: "int32" }, { format: "int64" },
  { nullable: true }, { default: 4 }, { default: 4, nullable: true }, { not: { minimum: 4 } }, { not: { enum: [2] } },
  { anyOf: [{ maximum: 3 }, { minimum: 6 }] }, { oneOf: [{ maximum: 5 }, { minimum: 3 }] }, { allOf: [{ not: { multipleOf: 2 } }] },
].map((node) => ({ ...WHOLE, ...node }));

// biome-ignore format: a table
const INTEGER_RULES: readonly string[] = [
  "self < 5", "self != 4", "self % 2 == 0", "self * 2 < 10", "self + 1 > self", "self == oldSelf", "self >= oldSelf", "self in [1, 2, 3]",
  "self / 2 < 3", "-self < 0", "double(self) < 5.0", "string(self) != '4'", "type(self) == int", "self < 9007199254740993",
];

// biome-ignore format: a table
const NUMBER_NODES: readonly Node[] = [
  {}, { minimum: 0 }, { minimum: 2.5 }, { minimum: 2.5, exclusiveMinimum: true }, { maximum: 5 }, { maximum: 2.5, exclusiveMaximum: true },
  { maximum: 1e19 }, { multipleOf: 2 }, { multipleOf: 0.5 }, { multipleOf: 0.1 }, { enum: [1, 2.5] }, { enum: [1] }, { enum: [0.1, 0.3] },
  { format: "float" }, { format: "float", maximum: 1e300 }, { format: "double" }, { nullable: true }, { default: 1.5 },
  { anyOf: [{ maximum: 2.5 }, { minimum: 2.5, exclusiveMinimum: true }] }, { oneOf: [{ maximum: 2.5 }, { minimum: 2.5 }] },
].map((node) => ({ type: "number", ...node }));

// biome-ignore format: a table
const NUMBER_RULES: readonly string[] = [
  "self < 5.0", "self <= 2.5", "self != 0.1 + 0.2", "self * 2.0 < 10.0", "self < 5", "!(self >= 5.0)", "int(self) < 5", "self >= oldSelf",
  "self in [1.0, 2.5]", "self + 1.0 > self",
];

// biome-ignore format: a table
const EITHER_NODES: readonly Node[] = [
  {}, { maximum: 5 }, { pattern: "^[0-9]+%$" }, { maxLength: 1 }, { enum: [1, 2, "a"] }, { anyOf: [{ type: "integer" }, { type: "string" }] },
].map((node) => ({ "x-kubernetes-int-or-string": true, ...node }));

const ANY: Node = { "x-kubernetes-preserve-unknown-fields": true };

const TEXTS: readonly string[] = [
  ..." a b ab abc abcd A é éé 𝒳 𝒳𝒳 a\\n \\n 0 10 - a-b a.b 1.2.3.4 ::1 10.0.0.0/8 2020-01-01 5m 1h http://a aGk= K ſ 50%".split(
    " ",
  ),
  "2020-01-01T00:00:00Z",
  "550e8400-e29b-41d4-a716-446655440000",
].map((text) => `"${text}"`);

// biome-ignore format: a table
const TEXT_NODES: readonly Node[] = [
  {}, { minLength: 1 }, { minLength: 2 }, { maxLength: 0 }, { maxLength: 1 }, { maxLength: 2 }, { minLength: 1, maxLength: 2 },
  ...["^a", "a$", "^a*$", "^[a-z]+$", "(?i)^a", "(?i)^[a-z]+$", "(?s)^.*$", "^.*$", "(?m)^a$", "^\\w+$", "^[^a]*$", "^.{0,2}$", "a|b", "(?i)s"].map((pattern) => ({ pattern })),
  ...["date", "date-time", "uuid", "byte", "ipv4", "ipv6", "cidr", "k8s-short-name", "duration", "uri", "password", "unknown"].map((format) => ({ format })),
  { enum: ["a", "b"] }, { enum: ["a", ""] }, { enum: ["a"], nullable: true }, { nullable: true }, { default: "a" }, { default: "abcd", nullable: true },
  { not: { pattern: "^a" } }, { not: { maxLength: 1 } }, { anyOf: [{ maxLength: 1 }, { minLength: 3 }] }, { oneOf: [{ pattern: "^a" }, { pattern: "b$" }] },
].map((node) => ({ ...TEXT, ...node }));

// biome-ignore format: a table
const TEXT_RULES: readonly string[] = [
  "self != 'a'", "size(self) < 3", "self.startsWith('a')", "self.endsWith('b')", "self.contains('b')", "self.matches('(?i)^a')", "self < 'b'",
  "self in ['a', 'b']", "self == oldSelf", "!(oldSelf == 'a' && self == 'b')", "self + 'x' != 'ax'", "self.lowerAscii() == self", "int(self) < 5",
  "self.split('.').size() < 2", "isQuantity(self)", "isURL(self)", "self.substring(0, 1) == 'a'", "duration(self) < duration('1h')",
];

const OBJECTS: readonly string[] = [
  ...[
    "{}",
    '{"a":"a"}',
    '{"a":"abc"}',
    '{"a":null}',
    '{"b":1}',
    '{"a":"a","b":1}',
    '{"a":"a","b":null}',
    '{"a":"a","b":2}',
  ],
  ...[
    '{"c":"x"}',
    '{"a":"a","c":"x"}',
    '{"o":{}}',
    '{"o":{"p":1}}',
    '{"o":{"q":"x"}}',
    '{"o":null}',
    '{"a":1}',
    '{"b":3.0}',
  ],
  ...['{"kind":"Pod","apiVersion":"v1"}', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"xy"},"a":"a"}'],
  ...[
    '{"aa":"a"}',
    '{"a":"a","aa":"a"}',
    '{"a.b/c":"a"}',
    '{"__proto__":"a"}',
    '{"a":{"x":1}}',
    '{"a":"a","b":1,"o":{},"z":1}',
  ],
];

function fields(properties: Node, more: Node = {}): Node {
  return { type: "object", properties, ...more };
}

function map(values: unknown, more: Node = {}): Node {
  return { type: "object", additionalProperties: values, ...more };
}

function keys(schema: Node): Node {
  return map(TEXT, { maxProperties: 3, "x-kubernetes-property-names": { ...TEXT, ...schema } });
}

const AB = { a: TEXT, b: WHOLE };
const EMBEDDED = { "x-kubernetes-embedded-resource": true };

// biome-ignore format: a table
const OBJECT_NODES: readonly Node[] = [
  ...[AB, { a: TEXT }, { a: TEXT, b: { ...WHOLE, default: 1 } }, { a: { ...TEXT, nullable: true }, b: WHOLE }, { ...AB, o: { type: "object", properties: { p: WHOLE } } },
    { ...AB, o: { type: "object", default: {}, properties: { p: { ...WHOLE, default: 2 } } } }, { ...AB, z: { ...WHOLE, default: 7 } }].flatMap((properties) =>
    [{}, { required: ["a"] }, { minProperties: 1 }, { maxProperties: 1 }, { maxProperties: 2 }].map((more) => fields(properties, more))),
  fields(AB, { nullable: true }), fields(AB, { default: {} }), fields(AB, { default: { a: "a" }, nullable: true }), fields(AB, { enum: [{}, { a: "a" }] }),
  fields(AB, { not: { required: ["a"] } }), fields(AB, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }), fields(AB, { anyOf: [{ properties: { a: { maxLength: 1 } } }, { required: ["b"] }] }),
  fields(AB, { not: { minProperties: 2 } }), { type: "object", ...ANY }, fields({ a: TEXT }, { ...ANY, required: ["a"] }), { type: "object", ...ANY, maxProperties: 1 }, { type: "object" },
  map(TEXT), map({ ...TEXT, maxLength: 1 }), map({ ...TEXT, nullable: true }), map({ ...TEXT, nullable: true, default: "z" }), map(TEXT, { maxProperties: 1 }), map(true), map(false),
  keys({ maxLength: 1 }), keys({ pattern: "^a" }), keys({ enum: ["a", "aa"] }), keys({ format: "k8s-short-name" }), keys(ruled({}, "self != 'a'")),
  fields({ a: TEXT }, EMBEDDED), fields({ kind: { ...TEXT, enum: ["Pod"] } }, EMBEDDED), fields({ metadata: fields({ name: { ...TEXT, maxLength: 1 } }) }, EMBEDDED), { type: "object", ...EMBEDDED, ...ANY },
];

const SHORT_AB = { a: { ...TEXT, maxLength: 10 }, b: WHOLE };

// biome-ignore format: a table
const OBJECT_RULES: readonly string[] = [
  "has(self.a)", "has(self.a) || has(self.b)", "!has(self.b) || self.b < 2", "self.?b.orValue(0) < 2", "!has(self.a) || self.a == oldSelf.a", "!has(oldSelf.a) || has(self.a)",
  "self == oldSelf", "[has(self.a), has(self.b)].filter(x, x).size() <= 1", "[has(self.a), has(self.b)].exists_one(x, x)", "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
];

// biome-ignore format: a table
const MAP_RULES: readonly string[] = [
  "size(self) < 2", "self.all(k, k != 'a')", "'a' in self", "self.all(k, self[k] != 'b')", "!('a' in self) || self['a'] == 'a'", "self.all(k, k in oldSelf)", "self.exists_one(k, k == 'a')",
];

const LISTS: readonly string[] = [
  ...[
    "[]",
    '["a"]',
    '["b"]',
    '["a","a"]',
    '["a","b"]',
    '["b","a"]',
    '["a","b","c"]',
    '["abc"]',
    "[null]",
    '["a",null]',
  ],
  ...[
    "[1]",
    "[1,1.0]",
    "[1,1]",
    '[{"n":"a"}]',
    '[{"n":"a"},{"n":"a"}]',
    '[{"n":"a"},{"n":"b"}]',
    '[{"n":"a","v":1},{"n":"a","v":2}]',
  ],
  ...[
    '[{"n":"a","v":0},{"n":"a"}]',
    '[{"n":"a","v":null},{"n":"a","v":0}]',
    "[{}]",
    "[{},{}]",
    '[{"n":"a","v":1},{"n":"b","v":1}]',
  ],
];

function list(items: Node, more: Node = {}): Node {
  return { type: "array", items, ...more };
}

const SET = { "x-kubernetes-list-type": "set" };
const BY_NAME = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"] };
const NAMED = fields({ n: TEXT, v: WHOLE }, { required: ["n"] });
const SHORT_NAMED = fields({ n: { ...TEXT, maxLength: 5 }, v: WHOLE }, { required: ["n"] });

// biome-ignore format: a table
const LIST_NODES: readonly Node[] = [
  ...[{}, { minItems: 1 }, { maxItems: 1 }, { maxItems: 0 }].flatMap((more) => [list(TEXT, more), list(TEXT, { ...more, ...SET })]),
  list({ ...TEXT, nullable: true }), list({ ...TEXT, nullable: true, default: "a" }), list({ ...TEXT, default: "a" }), list({ ...TEXT, enum: ["a", "b"] }, SET), list({ ...TEXT, maxLength: 1 }),
  list(TEXT, { nullable: true }), list(TEXT, { default: ["a"] }), list(WHOLE), list(WHOLE, SET), list({ type: "number" }, SET), list({ "x-kubernetes-int-or-string": true }, SET),
  list(NAMED), list(NAMED, BY_NAME), list(fields({ n: { ...TEXT, default: "a" }, v: WHOLE }), BY_NAME), list(fields({ n: TEXT, v: { ...WHOLE, default: 0 } }, { required: ["n"] }), { ...BY_NAME, "x-kubernetes-list-map-keys": ["n", "v"] }),
  list(fields({ n: TEXT, v: WHOLE }, { "x-kubernetes-map-type": "atomic" }), SET), list(fields({ n: TEXT }, { "x-kubernetes-map-type": "atomic" }), SET), list({ type: "object", ...ANY }),
];

// biome-ignore format: a table
const LIST_RULES: readonly string[] = [
  "size(self) < 2", "self.all(i, i != 'a')", "self.exists(i, i == 'a')", "self.exists_one(i, i == 'a')", "'a' in self", "self.filter(i, i == 'a').size() <= 1",
  "self.all(i, self.exists_one(j, i == j))", "self == oldSelf", "oldSelf.all(i, i in self)", "size(self) == 0 || self[0] == 'a'", "self[0] == 'a'", "self.isSorted()",
];

// biome-ignore format: a table
const ITEM_RULES: readonly string[] = [
  "self.all(i, has(i.v))", "self.exists(i, i.n == 'a')", "self.all(i, !has(i.v) || i.v < 2)", "self.exists_one(i, i.n == 'a')", "self.all(i, self.filter(j, j.n == i.n).size() == 1)", "oldSelf.all(o, self.exists(s, s.n == o.n))",
];

// biome-ignore format: a table
const FLAG_NODES: readonly Node[] = [
  {}, { enum: [true] }, { enum: [true, false] }, { nullable: true }, { default: true }, { not: { enum: [true] } },
].map((node) => ({ type: "boolean", ...node }));

export const CROSSINGS: Readonly<Record<string, Crossing>> = {
  integers: {
    nodes: [
      ...INTEGER_NODES,
      ...eachRule(WHOLE, INTEGER_RULES),
      optional(WHOLE, "oldSelf.hasValue() || self < 5"),
      ...NUMBER_NODES.slice(0, 6),
      ...EITHER_NODES,
      ANY,
    ],
    values: [...INTEGERS, "null", "0.5"],
  },
  numbers: {
    nodes: [
      ...NUMBER_NODES,
      ...eachRule({ type: "number" }, NUMBER_RULES),
      ...INTEGER_NODES.slice(0, 8),
      ...EITHER_NODES,
    ],
    values: [
      ...INTEGERS,
      "0.5",
      "0.1",
      "0.30000000000000004",
      "2.5",
      "2.4999999999999996",
      "1e300",
      "-0.0",
      "1e19",
      "null",
    ],
  },
  texts: {
    nodes: [...TEXT_NODES, ...eachRule({ ...TEXT, maxLength: 60 }, TEXT_RULES), ...EITHER_NODES, ANY],
    values: [...TEXTS, "null", "1", "[]"],
  },
  objects: {
    nodes: [
      ...OBJECT_NODES,
      ...eachRule(fields(SHORT_AB), OBJECT_RULES),
      optional(fields(SHORT_AB), "oldSelf.hasValue() || has(self.a)"),
      ...eachRule(map({ ...TEXT, maxLength: 5 }, { maxProperties: 5 }), MAP_RULES),
    ],
    values: [...OBJECTS, "null", "[]"],
  },
  lists: {
    nodes: [
      ...LIST_NODES,
      ...eachRule(list({ ...TEXT, maxLength: 5 }, { maxItems: 10 }), LIST_RULES),
      ...eachRule(list(SHORT_NAMED, { maxItems: 5 }), ITEM_RULES),
      ...eachRule(list(SHORT_NAMED, { maxItems: 5, ...BY_NAME }), ITEM_RULES),
    ],
    values: [...LISTS, "null", "{}"],
  },
  flags: {
    nodes: [
      ...FLAG_NODES,
      ...eachRule({ type: "boolean" }, ["self", "!self", "self == oldSelf", "self || !oldSelf", "self != oldSelf"]),
      optional({ type: "boolean" }, "!oldSelf.orValue(false) || self"),
      ANY,
    ],
    values: ["true", "false", "null", '"true"'],
  },
};

/** The place of the node in the object, and the objects that have a value there. */
export interface Frame {
  readonly schema: (node: Node) => Node;
  readonly bodies: (value: string) => readonly string[];
}

function root(spec: Node): Node {
  return { type: "object", properties: { spec } };
}

export const FRAMES: Readonly<Record<string, Frame>> = {
  field: { schema: (f) => root(fields({ f })), bodies: (value) => [`{"spec":{"f":${value}}}`] },
  required: { schema: (f) => root(fields({ f }, { required: ["f"] })), bodies: (value) => [`{"spec":{"f":${value}}}`] },
  items: {
    schema: (f) => root(fields({ f: list(f, { maxItems: 3 }) })),
    bodies: (value) => [`{"spec":{"f":[${value}]}}`, `{"spec":{"f":[${value},${value}]}}`],
  },
  values: {
    schema: (f) => root(fields({ f: map(f, { maxProperties: 3 }) })),
    bodies: (value) => [`{"spec":{"f":{"k":${value}}}}`],
  },
  default: {
    schema: (f) => root(fields({ f }, { default: {} })),
    bodies: (value) => [`{"spec":{"f":${value}}}`],
  },
};
