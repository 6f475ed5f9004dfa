/** Random CRDs: mostly structural, with features and mistakes of all sorts, and rules that compile more often than not. */
import { rarely, right, sometimes } from "./random-choices.mjs";
import { randomRule } from "./random-rules.mjs";

const FORMATS = [
  "date",
  "date-time",
  "duration",
  "byte",
  "email",
  "ipv4",
  "cidr",
  "uuid",
  "int32",
  "int64",
  "double",
  "x",
];
const PATTERNS = ["^a+$", "^[a-z]{1,3}$", "(", "a{2,1}", "\\d+", "^(?i)x$", "(?=x)", "^$"];
const NAMES = [
  "a",
  "b",
  "c",
  "d",
  "replicas",
  "type",
  "spec",
  "metadata",
  "x-y",
  "$ref",
  "in",
  "__a",
  "n.m",
  "kind",
  "k",
];

/** Two out of three have no mistakes on purpose. */
export function randomCrd(source) {
  const random = source.bool(0.65) ? { ...source, isClean: true } : source;
  const versions = random.bool(0.3) ? ["v1", random.pick(["v1beta1", "v2", "v1alpha1"])] : ["v1"];
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "{{n}}s.{{g}}" },
    spec: {
      group: "{{g}}",
      scope: random.pick(["Namespaced", "Namespaced", "Cluster"]),
      names: { plural: "{{n}}s", singular: "{{n}}", kind: "K{{n}}", listKind: "K{{n}}List", ...randomNames(random) },
      versions: versions.map((name, index) => randomVersion(name, index === 0, random)),
      ...rarely(random, 0.15, () => ({ conversion: randomConversion(random) })),
      ...rarely(random, 0.1, () => ({ preserveUnknownFields: random.bool(0.5) })),
    },
  };
  if (random.isClean) return crd;
  if (random.bool(0.05)) crd.spec.versions[0].storage = !crd.spec.versions[0].storage;
  if (random.bool(0.05)) crd.spec.versions[0].served = false;
  return crd;
}

function randomNames(random) {
  return {
    ...rarely(random, 0.1, () => ({ shortNames: random.pick([["k"], ["K"], ["a b"], []]) })),
    ...rarely(random, 0.1, () => ({ categories: random.pick([["all"], ["A"], [""]]) })),
  };
}

function randomConversion(random) {
  return random.pick([
    { strategy: "None" },
    { strategy: "Webhook" },
    { strategy: "Other" },
    { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } },
    {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://x.example/c" } },
    },
    { strategy: "Webhook", webhook: { conversionReviewVersions: ["v2"], clientConfig: { url: "http://x" } } },
    {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1", "v1", "x_y"],
        clientConfig: { service: { namespace: "n", name: "s", path: "x//y", port: 70000 } },
      },
    },
    { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1beta1"], clientConfig: {} } },
  ]);
}

function randomVersion(name, isStorage, random) {
  const schema = randomRoot(random);
  return {
    name,
    served: true,
    storage: isStorage,
    ...((random.isClean || random.bool(0.98)) && { schema: { openAPIV3Schema: schema } }),
    ...sometimes(random, 0.2, () => ({ subresources: randomSubresources(random) })),
    ...sometimes(random, 0.15, () => ({ additionalPrinterColumns: [randomColumn(random), randomColumn(random)] })),
    ...rarely(random, 0.15, () => ({
      selectableFields: [
        { jsonPath: random.pick([".spec.a", ".spec.b", ".metadata.name", ".spec.x.y", "spec.a", ".spec.c[0]", ""]) },
        ...(random.bool(0.2) ? [{ jsonPath: ".spec.a" }] : []),
      ],
    })),
    ...rarely(random, 0.1, () => ({
      deprecated: random.bool(0.7),
      deprecationWarning: random.pick(["w", "", "\u0007"]),
    })),
  };
}

function randomSubresources(random) {
  const scale = {
    specReplicasPath: right(random, [".spec.replicas", ".spec.a", ".status.replicas", "spec.x", ".spec.n[0]"]),
    statusReplicasPath: right(random, [".status.replicas", ".status.x", ".spec.replicas", ""]),
    ...sometimes(random, 0.5, () => ({
      labelSelectorPath: right(random, [".status.selector", ".spec.selector", "x"]),
    })),
  };
  return random.pick([{ status: {} }, { scale }, { status: {}, scale }, {}]);
}

function randomColumn(random) {
  return {
    name: right(random, ["A", "Age", ""], 2),
    type: right(random, ["string", "integer", "date", "boolean", "number", "x"], 5),
    jsonPath: right(random, [".spec.a", ".metadata.creationTimestamp", "spec", ".spec['a']", ".a[?(@.b)].c"]),
    ...sometimes(random, 0.3, () => ({ format: right(random, ["int32", "date-time", "x"], 2) })),
    ...sometimes(random, 0.2, () => ({ priority: random.pick([0, 1, -1]) })),
  };
}

function randomRoot(random) {
  const spec = randomSchema(random, 3);
  const root = { type: "object", properties: { spec } };
  if (random.bool(0.5)) root.properties.status = randomSchema(random, 2);
  if (random.bool(0.15)) root.properties.metadata = randomMetadata(random);
  if (random.isClean) return root;
  if (random.bool(0.1)) root["x-kubernetes-validations"] = [randomRule(random, root)];
  if (random.bool(0.05)) root.required = [random.pick(["spec", "status", "x"])];
  if (random.bool(0.04)) root["x-kubernetes-preserve-unknown-fields"] = true;
  if (random.bool(0.03)) root["x-kubernetes-embedded-resource"] = true;
  if (random.bool(0.02)) root.type = random.pick(["array", "string"]);
  return root;
}

function randomMetadata(random) {
  return right(
    random,
    [
      { type: "object" },
      { type: "object", properties: { name: { type: "string", maxLength: 5, pattern: "^a" } } },
      { type: "object", properties: { generateName: { type: "string", pattern: "^a" } } },
      { type: "object", properties: { labels: { type: "object" } } },
      { type: "object", required: ["name"] },
      { type: "object", properties: { name: { type: "integer" } } },
      {
        type: "object",
        properties: { name: { type: "string", "x-kubernetes-validations": [{ rule: "self == 'a'" }] } },
      },
      { type: "object", "x-kubernetes-validations": [{ rule: "self.name == 'a'" }] },
    ],
    3,
  );
}

const TYPES = ["object", "object", "object", "array", "array", "string", "integer", "boolean", "number", "map", "any"];

export function randomSchema(random, depth) {
  const type = random.pick(depth > 0 ? TYPES : TYPES.slice(5, 9));
  const schema = MAKERS[type](random, depth);
  if (random.bool(0.2)) addRules(schema, random);
  if (random.bool(0.12)) schema.nullable = random.bool(0.8);
  if (random.bool(0.15)) schema.default = defaultFor(schema, random);
  if (random.bool(0.08)) addCombination(schema, random, depth);
  if (!random.isClean && random.bool(0.08)) addOdd(schema, random);
  return schema;
}

const MAKERS = {
  object(random, depth) {
    const names = [...new Set(Array.from({ length: 1 + random.below(4) }, () => right(random, NAMES, 6)))];
    const properties = Object.fromEntries(names.map((name) => [name, randomSchema(random, depth - 1)]));
    return {
      type: "object",
      properties,
      ...sometimes(random, 0.2, () => ({ required: [random.pick(names)] })),
      ...sometimes(random, 0.1, () => ({ "x-kubernetes-preserve-unknown-fields": random.bool(0.9) })),
      ...sometimes(random, 0.08, () => ({ "x-kubernetes-embedded-resource": true })),
      ...sometimes(random, 0.1, () => ({ "x-kubernetes-map-type": right(random, ["atomic", "granular", "x"], 2) })),
      ...sometimes(random, 0.08, () => ({ maxProperties: random.below(3), minProperties: random.below(2) })),
    };
  },
  map(random, depth) {
    const value = random.bool(0.05) ? random.bool(0.5) : randomSchema(random, depth - 1);
    return {
      type: "object",
      additionalProperties: value,
      ...sometimes(random, 0.3, () => ({ maxProperties: random.below(20) })),
    };
  },
  array(random, depth) {
    const listType = right(random, [undefined, "atomic", "map", "map", "set", "x"], 4);
    const items = listType === "map" ? keyedItem(random, depth) : randomSchema(random, depth - 1);
    return {
      type: "array",
      ...((random.isClean || random.bool(0.97)) && { items }),
      ...(listType !== undefined && { "x-kubernetes-list-type": listType }),
      ...(listType === "map" && (random.isClean || random.bool(0.92))
        ? { "x-kubernetes-list-map-keys": right(random, [["k"], ["k"], ["k", "a"], ["k", "k"], ["x"], []]) }
        : {}),
      ...sometimes(random, 0.4, () => ({ maxItems: random.below(20) })),
      ...rarely(random, 0.05, () => ({ uniqueItems: random.bool(0.5) })),
    };
  },
  string(random) {
    return {
      type: "string",
      ...sometimes(random, 0.3, () => ({ maxLength: random.below(30) })),
      ...sometimes(random, 0.1, () => ({ minLength: random.below(3) })),
      ...sometimes(random, 0.15, () => ({ pattern: right(random, PATTERNS, 2) })),
      ...sometimes(random, 0.15, () => ({ format: right(random, FORMATS, 11) })),
      ...sometimes(random, 0.15, () => ({ enum: right(random, [["a", "b"], ["a", 1], ["a", "a"], [], [null, "a"]]) })),
    };
  },
  integer(random) {
    return {
      type: "integer",
      ...sometimes(random, 0.2, () => ({ maximum: random.below(20), minimum: random.below(3) })),
      ...sometimes(random, 0.1, () => ({ exclusiveMaximum: random.bool(0.5) })),
      ...sometimes(random, 0.1, () => ({ multipleOf: right(random, [2, 0, 0.5, -1]) })),
      ...sometimes(random, 0.15, () => ({ format: random.pick(["int32", "int64", "x"]) })),
    };
  },
  boolean: () => ({ type: "boolean" }),
  number: (random) => ({ type: "number", ...sometimes(random, 0.2, () => ({ maximum: 1.5, multipleOf: 0.1 })) }),
  any(random) {
    return structuredClone(
      right(
        random,
        [
          { "x-kubernetes-int-or-string": true },
          { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
          { "x-kubernetes-int-or-string": true, maximum: 3, pattern: "^x" },
          { "x-kubernetes-preserve-unknown-fields": true },
          { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          { type: "object" },
          { "x-kubernetes-int-or-string": true, type: "string" },
          {},
        ],
        6,
      ),
    );
  },
};

function keyedItem(random, depth) {
  const key = right(random, [
    { type: "string" },
    { type: "string", default: "x" },
    { type: "integer" },
    { type: "boolean" },
    { type: "object" },
    { type: "string", nullable: true },
  ]);
  const properties = { k: key, a: { type: "string" }, ...(random.bool(0.5) && { b: randomSchema(random, depth - 1) }) };
  return {
    type: "object",
    properties,
    ...((random.isClean || random.bool(0.85)) && { required: random.bool(0.7) ? ["k"] : ["k", "a"] }),
    ...rarely(random, 0.1, () => ({ nullable: true })),
  };
}

function defaultFor({ type, enum: values, properties }, random) {
  if (!random.isClean && random.bool(0.1)) return random.pick([null, "x", 1, {}, []]);
  if (Array.isArray(values) && values.length > 0 && random.bool(0.7)) return values[0];
  if (type === "object" && properties !== undefined && random.bool(0.5)) {
    const key = random.pick(Object.keys(properties));
    return { [key]: defaultFor(properties[key], random) };
  }
  return { object: {}, array: [], string: "a", integer: 1, boolean: true, number: 0.5 }[type] ?? "a";
}

function addCombination(schema, random, depth) {
  const name = random.pick(["allOf", "anyOf", "oneOf", "not"]);
  const branch = () =>
    right(
      random,
      [
        { required: ["a"] },
        { properties: { a: { pattern: "^x" } } },
        { properties: { a: { enum: ["x"] } }, required: ["a"] },
        { maxLength: 3 },
        { minimum: 2 },
        { type: "string" },
        { default: 1 },
        { properties: { zz: { maxLength: 1 } } },
        { description: "d" },
        { items: { maxLength: 2 } },
        { additionalProperties: { maxLength: 1 } },
        { "x-kubernetes-validations": [{ rule: "true" }] },
      ],
      1,
    );
  schema[name] = name === "not" ? branch() : Array.from({ length: 1 + random.below(2) }, branch);
  if (depth === 0 && random.bool(0.1)) schema[name] = [];
}

function addOdd(schema, random) {
  Object.assign(
    schema,
    random.pick([
      { $ref: "#/definitions/x" },
      { id: "x" },
      { definitions: { a: { type: "string" } } },
      { dependencies: { a: ["b"] } },
      { patternProperties: { a: { type: "string" } } },
      { additionalItems: true },
      { additionalItems: { type: "string" } },
      { additionalProperties: { type: "string" } },
      { externalDocs: { url: "x" } },
      { example: { a: 1 } },
      { title: "t", description: "d" },
      { type: "null" },
      { type: "" },
      { type: "file" },
      { "x-kubernetes-list-type": "set" },
      { "x-kubernetes-list-map-keys": ["k"] },
      { "x-kubernetes-map-type": "atomic" },
      { "x-kubernetes-int-or-string": true },
      { "x-kubernetes-int-or-string": false },
      { "x-kubernetes-embedded-resource": true },
      { "x-kubernetes-preserve-unknown-fields": true },
      { "x-kubernetes-preserve-unknown-fields": false },
      { "x-kubernetes-foo": 1 },
      { $schema: "http://json-schema.org/draft-04/schema#" },
      { required: ["a", "a"] },
      { minLength: -1 },
      { maxItems: -1 },
      { enum: [{ a: 1 }, [1], 1, "a", null] },
      { minProperties: 5, maxProperties: 1 },
    ]),
  );
}

function addRules(schema, random) {
  schema["x-kubernetes-validations"] = Array.from({ length: 1 + random.below(2) }, () => randomRule(random, schema));
}
