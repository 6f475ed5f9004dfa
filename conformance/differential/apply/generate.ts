/**
 * Random sequences of writes to one widget by a handful of managers: creates, replacements, merge patches and applies, to
 * the object and its status, now and then under another version or a changed schema.
 *
 * Values come from small pools so that managers meet: the same items, the same values, the same fields.
 */
import type { Random } from "./random.ts";

type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
type Maker = (random: Random) => Plain;

export interface Step {
  readonly [name: string]: unknown;
}

const text: Maker = (random) => random.pick(["x", "y", "z", ""]);
const integer: Maker = (random) => random.pick([0, 1, 2, 3, 1000000, 9007199254740992]);
const object = (fields: { readonly [name: string]: Maker }, always: readonly string[] = []): Maker => {
  return (random) => {
    const names = Object.keys(fields);
    const chosen = new Set([...always, ...random.some(names, names.length)]);
    return Object.fromEntries(
      names.filter((name) => chosen.has(name)).map((name) => [name, make(fields, name, random)]),
    );
  };
};
const make = (fields: { readonly [name: string]: Maker }, name: string, random: Random): Plain => {
  const maker = fields[name];
  return maker === undefined || random.bool(0.03) ? null : maker(random);
};
const mapOf =
  (keys: readonly string[], value: Maker): Maker =>
  (random) =>
    Object.fromEntries(random.some(keys, 3).map((key) => [key, value(random)]));
const setOf =
  (items: readonly Plain[]): Maker =>
  (random) =>
    random.some(items, 3);
/** Items by name, rarely with a name twice. */
const itemsOf =
  (keys: readonly Plain[], item: (key: Plain, random: Random) => Plain): Maker =>
  (random) => {
    const chosen = random.some(keys, 4);
    if (random.bool(0.03) && chosen[0] !== undefined) chosen.push(chosen[0]);
    return chosen.map((key) => item(key, random));
  };
const withKey =
  (name: string, fields: { readonly [name: string]: Maker }): ((key: Plain, random: Random) => Plain) =>
  (key, random) => ({ [name]: key, ...(object(fields)(random) as object) });

const freeForm: Maker = (random) =>
  random.pick<Maker>([
    text,
    integer,
    () => ["a", 1, { b: null }],
    () => [],
    mapOf(["a", "b", "c"], text),
    mapOf(["a", "b", "c"], (inner) => inner.pick<Plain>(["x", 1, {}, [], null, { d: "e" }, { d: { f: 1 } }])),
  ])(random);

const SPEC_FIELDS: { readonly [name: string]: Maker } = {
  replicas: integer,
  name: text,
  ratio: (random) => random.pick([0.5, 1, 2.25, 1e21]),
  on: (random) => random.bool(0.5),
  note: text,
  dflt: text,
  when: text,
  data: text,
  obj: object({ a: text, b: text, deep: object({ x: integer, y: integer }) }),
  items: itemsOf(
    ["a", "b", "c", "d", "e"],
    withKey("name", { value: text, count: integer, nested: object({ a: text, b: text }), tags: setOf(["p", "q"]) }),
  ),
  ports: itemsOf([80, 443, 1000000], (port, random) => ({
    port,
    ...(random.bool(0.5) ? { protocol: random.pick(["TCP", "UDP"]) } : {}),
    ...(random.bool(0.5) ? { label: text(random) } : {}),
  })),
  opt: itemsOf(["a", "b"], (a, random) => ({
    ...(random.bool(0.8) ? { a } : { b: 2 }),
    ...(random.bool(0.5) ? { b: random.below(2) } : {}),
    v: text(random),
  })),
  atomicItems: itemsOf(["a", "b", "c"], withKey("name", { value: text })),
  tags: setOf(["p", "q", "r", "s<t", "é"]),
  nums: setOf([1, 2, 2.5, 10, -3, 1000000]),
  plain: setOf(["p", "q", "r"]),
  objs: itemsOf(["a", "b"], withKey("k", { v: text })),
  grain: mapOf(["a", "b", "c", "d/e"], text),
  grainObj: mapOf(["a", "b"], object({ a: text, b: text })),
  block: object({ a: text, b: text }),
  blockMap: mapOf(["a", "b"], text),
  free: mapOf(["a", "b", "c"], freeForm),
  any: freeForm,
  semi: (random) => ({
    ...(object({ known: text, sub: object({ a: text }) })(random) as object),
    ...(mapOf(["u", "v"], freeForm)(random) as object),
  }),
  extra: text,
  ios: (random) => random.pick<Plain>([1, "50%", 2]),
  emb: object({
    apiVersion: () => "v1",
    kind: () => "Thing",
    metadata: object({ name: text, labels: mapOf(["a", "b"], text) }),
    spec: mapOf(["v", "w"], text),
  }),
};

/** A field that only one of two versions has. */
const EXTRA = "extra";

const METADATA_FIELDS: { readonly [name: string]: Maker } = {
  labels: mapOf(["a", "b", "c"], text),
  annotations: mapOf(["a", "b"], text),
  finalizers: setOf(["f/a", "f/b", "f/c"]),
  ownerReferences: itemsOf(["u1", "u2"], (uid, random) => ({
    apiVersion: "v1",
    kind: "Pod",
    name: random.pick(["p", "q"]),
    uid,
  })),
};

const STATUS = object({
  phase: text,
  conds: itemsOf(["Ready", "Done"], withKey("type", { status: text })),
});

interface Focus {
  readonly spec: readonly string[];
  readonly metadata: readonly string[];
}

/** Few fields a script, so that writes overlap. */
function focusOf(random: Random, family: readonly string[]): Focus {
  const all = Object.keys(SPEC_FIELDS).filter((name) => name !== EXTRA);
  const spec = new Set(Array.from({ length: 1 + random.below(4) }, () => random.pick(all)));
  if (family.includes("two-shapes") && random.bool(0.6)) spec.add(EXTRA);
  return {
    spec: [...spec],
    metadata: random.bool(0.3) ? random.some(Object.keys(METADATA_FIELDS), 2) : [],
  };
}

function widget(random: Random, focus: Focus): Plain {
  const pick = (fields: { readonly [name: string]: Maker }, names: readonly string[]): Maker =>
    object(Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))));
  const metadata = { name: "w", ...(pick(METADATA_FIELDS, focus.metadata)(random) as object) };
  const spec = random.bool(0.95) ? { spec: pick(SPEC_FIELDS, focus.spec)(random) } : {};
  return { metadata, ...spec, ...(random.bool(0.15) ? { status: STATUS(random) } : {}) };
}

const MANAGERS = ["one", "two", "three", "kubectl", ""];
const SCHEMA_FAMILIES: readonly (readonly string[])[] = [
  ["widgets"],
  ["widgets"],
  ["no-status"],
  ["preserve"],
  ["old-preserve"],
  ["no-schema"],
  ["widgets", "atomic", "granular", "smaller", "retyped", "widgets"],
  ["two-versions"],
  ["two-shapes"],
  ["mixed-lists", "two-versions"],
  ["two-versions", "only-v2"],
];

export function randomScript(random: Random, id: string): { readonly [name: string]: unknown } {
  const family = random.pick(SCHEMA_FAMILIES);
  const focus = focusOf(random, family);
  const steps: Step[] = [];
  const length = 2 + random.below(7);
  let schema = family[0] ?? "";
  for (let index = 0; index < length; index++) {
    if (index > 0 && family.length > 1 && random.bool(0.2)) {
      schema = random.pick(family);
      steps.push({ op: "schema", schema });
    } else {
      steps.push(randomStep(random, { focus, versions: versionsOf(schema), index }));
    }
  }
  return { id, schema: family[0], each: true, steps };
}

function versionsOf(schema: string): readonly string[] {
  if (schema === "only-v2") return ["v2"];
  return /two|mixed/.test(schema) ? ["v1", "v2"] : ["v1"];
}

interface StepContext {
  readonly focus: Focus;
  readonly versions: readonly string[];
  readonly index: number;
}

function randomStep(random: Random, { focus, versions, index }: StepContext): Step {
  const version = random.pick(versions);
  const common = {
    manager: random.pick(MANAGERS),
    ...(version === "v1" ? {} : { version }),
    ...(index > 0 && random.bool(0.1) ? { subresource: "status" } : {}),
  };
  const kind = random.next();
  if (index === 0 && kind < 0.4) return { op: "create", ...common, object: widget(random, focus) };
  if (index === 0 || kind < 0.6) {
    return { op: "apply", ...common, ...(random.bool(0.4) ? { force: true } : {}), object: widget(random, focus) };
  }
  if (kind < 0.85) return { op: "merge", ...common, object: mergeOf(random, focus) };
  return { op: "replace", ...common, object: widget(random, focus) };
}

/** Sometimes clients send managed fields of their own. */
function mergeOf(random: Random, focus: Focus): Plain {
  const patch = widget(random, focus) as { [name: string]: Plain };
  if (random.bool(0.06)) {
    const metadata = patch["metadata"] as { [name: string]: Plain };
    metadata["managedFields"] = random.pick<Plain>([
      [],
      [{}],
      [{ manager: "x" }],
      [entry("edited", { "f:spec": { "f:replicas": {}, "f:tags": { 'v:"p"': {} } } })],
      [entry("edited", { "f:spec": { bad: {} } })],
      [entry("edited", { "f:spec": { "x:later": {}, "f:name": {} } })],
      [entry("edited", {})],
    ]);
  }
  return patch;
}

function entry(manager: string, fieldsV1: Plain): Plain {
  return {
    manager,
    operation: "Apply",
    apiVersion: "example.com/v1",
    time: "2019-06-01T02:00:00+02:00",
    fieldsType: "FieldsV1",
    fieldsV1,
  };
}
