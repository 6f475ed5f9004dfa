/** Random values for a schema: mostly valid, with nulls, unknown fields and values of other types in between. */

const STRINGS = [
  "a",
  "b",
  "ax",
  "x",
  "",
  "abc",
  "2024-01-02",
  "1h",
  "1.2.3.4",
  "YQ==",
  "1",
  "K8s",
  "\u00e9",
  "a".repeat(12),
];
const ODD = [null, "", "a", 0, -1, 1, 1.5, 3e9, true, [], {}, [null], { a: 1 }, "1", [1, 1], { metadata: {} }];

export function randomValue(schema, random, depth = 6) {
  if (schema === true || schema === undefined || depth === 0) return random.pick(ODD);
  if (random.bool(0.05)) return random.pick(ODD);
  if (schema.nullable === true && random.bool(0.3)) return null;
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && random.bool(0.8)) return random.pick(schema.enum);
  if (schema["x-kubernetes-int-or-string"] === true) return random.pick([1, 5, "x", "1", "50%", true]);
  return (MAKERS[schema.type] ?? anything)(schema, random, depth);
}

const anything = (_, random) => random.pick(ODD);

const MAKERS = {
  string: ({ default: value }, random) => (value !== undefined && random.bool(0.2) ? value : random.pick(STRINGS)),
  integer: (_, random) => random.pick([0, 1, 2, 3, 4, 7, 10, 19, 100, 1.0]),
  number: (_, random) => random.pick([0, 0.5, 1.5, 1, 0.3, 2]),
  boolean: (_, random) => random.bool(0.5),
  array({ items, "x-kubernetes-list-type": listType }, random, depth) {
    const list = Array.from({ length: random.below(4) }, () => randomValue(items, random, depth - 1));
    if (listType === "set" || listType === "map") return random.bool(0.8) ? distinct(list) : list;
    return list;
  },
  object(schema, random, depth) {
    const { properties = {}, additionalProperties, required = [] } = schema;
    const result = {};
    if (schema["x-kubernetes-embedded-resource"] === true) Object.assign(result, embedded(random));
    for (const [name, inner] of Object.entries(properties)) {
      if (random.bool(required.includes?.(name) ? 0.95 : 0.7)) result[name] = randomValue(inner, random, depth - 1);
    }
    if (additionalProperties !== undefined && additionalProperties !== false)
      for (const name of ["a", "b", "x"])
        if (random.bool(0.5)) result[name] = randomValue(additionalProperties, random, depth - 1);
    if (random.bool(0.1)) result[random.pick(["unknown", "a", "zz"])] = random.pick(ODD);
    return result;
  },
};

function embedded(random) {
  return random.pick([
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } },
    { apiVersion: "v1", kind: "Pod" },
    { apiVersion: "x/y/z", kind: "a b", metadata: { name: "A_" } },
    { kind: "Pod", metadata: { labels: { "a b": "c" } } },
    { apiVersion: "v1", kind: "Pod", metadata: { name: 1, foo: "x" } },
    {},
  ]);
}

function distinct(list) {
  const seen = new Set();
  return list.filter((item) => {
    const key = JSON.stringify(item?.k ?? item);
    return !seen.has(key) && seen.add(key);
  });
}
