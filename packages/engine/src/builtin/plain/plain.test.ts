import { describe, expect, test } from "vitest";
import { decodeYaml } from "../../codec/yaml.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import { asVersion, type KubernetesVersion } from "../../value/server-version.ts";
import { type BuiltinResource, builtinResources } from "../builtin.ts";
import { isPlain } from "./plain.ts";
import { PLAIN_SAMPLES } from "./samples.testing.ts";

const samples = PLAIN_SAMPLES.map((text) => parse(text));

describe("objects with every field that plain checks know", () => {
  test.each(samples.map((each) => [`${each["kind"]}`, each]))("%s", (_, object) => {
    expect(isPlain(object)).toBe(true);
    for (const version of VERSIONS) expect(problems(object, version)).toEqual([]);
  });
});

test.each([
  ["an unknown field", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {}"],
  ["no metadata", "apiVersion: v1\nkind: ConfigMap"],
  ["a generated name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}"],
  ["an unknown kind", "apiVersion: v1\nkind: Widget\nmetadata: {name: a}"],
  ["a status", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80}]}\nstatus: {}"],
])("%s is left to the full rules", (_, text) => {
  expect(isPlain(parse(text))).toBe(false);
});

/** Kinds of values that rules tell apart. */
const VALUES: readonly JsonValue[] = [
  ...[null, true, false, 0, 1, -1, 2, 7, 80, 100, 1000, 65_536, 2_147_483_648, 1.5, "", " ", "a", "A", "a b", "a_b"],
  ...["-a", "a-", "a.b", "a..b", "a/b", "/", "/a/../b", "//", "..", ".", "1", "01", "1a", "a--b", "a".repeat(16)],
  ...["a".repeat(52), "a".repeat(63), "a".repeat(64), "a".repeat(254), "0%", "1%", "100%", "101%", "1m", "1.5", "0"],
  ...["2000", "5Gi", "1e3", "100Ei", "kubernetes.io/a", "job-name", "beta.kubernetes.io/os", "*", "*/0", "@daily"],
  ...["10.0.0.0/8", "10.0.0.1/8", "0.0.0.0/0", "::/0", "10.1.2.3/33", "http", "é", "a\nb", "10.0.0.1", "YQ=", "Y==="],
  ...([[], [""], ["a", "a"], newObject()] as JsonValue[]),
];

const TEXTS = VALUES.filter((value) => typeof value === "string");

test.each(samples.map((each) => [`${each["kind"]}`, each]))("%s: each edit that is plain passes", (_, sample) => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const place of placesIn(sample)) {
    for (const object of editsAt(sample, place)) {
      if (!isObject(object) || !isPlain(object)) continue;
      const text = JSON.stringify(object);
      if (seen.has(text)) continue;
      seen.add(text);
      const found = problems(object, "1.37");
      if (found.length > 0) wrong.push(`${found.join()} ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(10);
});

test("plain objects with several edits pass the full rules of every version", () => {
  const random = generator(20);
  const wrong: string[] = [];
  for (const sample of samples) {
    const places = [...placesIn(sample)];
    for (const version of VERSIONS) {
      let object = sample;
      for (let tries = 0; tries < 60; tries++) {
        const edited = pick([...editsAt(object, pick(places, random) ?? [])], random);
        if (isObject(edited) && isPlain(edited)) object = edited;
      }
      const found = problems(object, version);
      if (found.length > 0) wrong.push(`${version} ${found.join()} ${JSON.stringify(object)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const VERSIONS: readonly KubernetesVersion[] = ["1.30", "1.33", "1.36", "1.37"];

const CONTEXT = { now: () => "1970-01-01T00:00:00Z", clusterIp: () => "10.0.0.1", nodePort: () => 30_000 };

/** What the full rules find. */
function problems(json: JsonObject, version: KubernetesVersion): readonly string[] {
  return asVersion(version, () => {
    const resource = resourceOf(json);
    if (resource === undefined) return ["no such kind"];
    const { value, unknown, error } = resource.decodeFields(json);
    if (error !== undefined || unknown.length > 0) return [error ?? "", ...unknown];
    const meta = Object.assign(newObject(), value["metadata"], { uid: "00000000-0000-0000-0000-000000000000" });
    if (resource.namespaced) meta["namespace"] ??= "default";
    const prepared = resource.prepareCreate(withMember(value, "metadata", meta), CONTEXT);
    return [...resource.validateCreate(prepared).map(({ path }) => `${path}`), ...resource.warningsOnCreate(prepared)];
  });
}

function resourceOf({ apiVersion, kind }: JsonObject): BuiltinResource | undefined {
  return builtinResources().find(
    (each) => each.kind === kind && [each.group, each.version].filter((part) => part !== "").join("/") === apiVersion,
  );
}

type Place = readonly (string | number)[];

function* placesIn(value: JsonValue, at: Place = []): Generator<Place> {
  if (at.length > 0) yield at;
  const members: readonly [string | number, JsonValue][] = isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? (Object.entries(value) as [string, JsonValue][])
      : [];
  for (const [key, member] of members) yield* placesIn(member, [...at, key]);
}

type Random = (below: number) => number;

/** The value with the place replaced, removed, renamed, repeated or moved. */
function* editsAt(value: JsonValue, [key, ...rest]: Place): Generator<JsonValue> {
  if (isArray(value)) {
    if (typeof key !== "number" || key >= value.length) return;
    const item = value[key] ?? null;
    if (rest.length > 0) for (const edited of editsAt(item, rest)) yield value.with(key, edited);
    else {
      for (const each of VALUES) yield value.with(key, each);
      yield* [value.toSpliced(key, 1), [...value, item], value.toReversed()];
    }
  } else if (isObject(value) && typeof key === "string") {
    const member = value[key] ?? null;
    if (rest.length > 0) for (const edited of editsAt(member, rest)) yield withMember(value, key, edited);
    else {
      for (const each of VALUES) yield withMember(value, key, each);
      const without = Object.assign(newObject(), value);
      delete without[key];
      yield without;
      for (const other of [...TEXTS, ...Object.keys(value)]) yield withMember(without, other, member);
    }
  }
}

function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[random(items.length)];
}

/** The same numbers in each run. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function parse(text: string): JsonObject {
  const decoded = decodeYaml(text);
  const value = decoded.error === undefined ? decoded.value : null;
  if (!isObject(value)) throw new Error(`not an object: ${text}`);
  return value;
}
