/**
 * `passesCreate` is a fast path beside the functions that report findings. Here both check every body of a built-in kind in
 * our corpora, valid and invalid ones, and the valid ones with one member removed: they must never disagree.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type BuiltinResource, builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { expect, test } from "vitest";
import type { Suite } from "./vectors/vector.ts";

const CONTEXT = { now: () => "1970-01-01T00:00:00Z", clusterIp: () => "10.0.0.1", nodePort: () => 30000 };

function readCorpus(name: string): Buffer {
  return readFileSync(new URL(`../corpora/${name}`, import.meta.url));
}

interface Sent {
  readonly path: string;
  readonly body?: unknown;
  readonly update?: unknown;
}

function sentInVectors(name: string): readonly Sent[] {
  const { vectors }: Suite = JSON.parse(gunzipSync(readCorpus(`vectors/${name}.json.gz`)).toString());
  return vectors.flatMap(({ steps }) => steps);
}

function sentInLines(name: string): readonly Sent[] {
  const lines = readCorpus(`builtin/${name}.jsonl`).toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

const resources = new Map(builtinResources().map((each) => [`${each.group}/${each.version}/${each.plural}`, each]));
const PATH = /^\/api(?:s\/([^/]+))?\/([^/]+)(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)/;

function resourceAt(path: string): BuiltinResource | undefined {
  const [, group = "", version, plural] = PATH.exec(path) ?? [];
  return resources.get(`${group}/${version}/${plural}`);
}

function passes(json: JsonObject, resource: BuiltinResource): boolean {
  return resource.passesCreate(json, (meta) => completeMeta(meta, resource), CONTEXT);
}

function passesExactly(json: JsonObject, resource: BuiltinResource): boolean {
  const { value, unknown, error } = resource.decodeFields(json);
  if (error !== undefined || unknown.length > 0) return false;
  const meta = Object.assign(newObject(), value["metadata"]);
  completeMeta(meta, resource);
  const prepared = resource.prepareCreate(withMember(value, "metadata", meta), CONTEXT);
  return resource.validateCreate(prepared).length === 0 && resource.warningsOnCreate(prepared).length === 0;
}

function completeMeta(meta: JsonObject, { namespaced }: BuiltinResource): void {
  meta["uid"] = "00000000-0000-0000-0000-000000000000";
  if (namespaced) meta["namespace"] ??= "default";
}

/** The object without one of its members, for every member at every level. */
function* lessened(value: JsonValue): Generator<JsonValue> {
  if (isArray(value)) {
    for (const [index, item] of value.entries()) for (const less of lessened(item)) yield value.with(index, less);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const without = Object.assign(newObject(), value);
      delete without[key];
      yield without;
      for (const less of lessened(value[key] ?? null)) yield withMember(value, key, less);
    }
  }
}

test.each([
  { name: "objects", read: () => sentInLines("objects"), alsoLess: true },
  { name: "updates", read: () => sentInLines("updates"), alsoLess: true },
  { name: "mistakes", read: () => sentInVectors("mistakes"), alsoLess: false },
])("$name: the fast path and the exact one agree", ({ read, alsoLess }) => {
  const differing: string[] = [];
  let [accepted, refused] = [0, 0];
  for (const { path, body, update } of read()) {
    const resource = resourceAt(path);
    const json = fromPlain(body ?? update ?? null);
    if (resource === undefined || !isObject(json)) continue;
    for (const each of [json, ...(alsoLess ? lessened(json) : [])].filter(isObject)) {
      const expected = passesExactly(each, resource);
      if (passes(each, resource) !== expected) differing.push(JSON.stringify(each));
      if (expected) accepted++;
      else refused++;
    }
  }
  expect(differing).toEqual([]);
  expect(Math.min(accepted, refused)).toBeGreaterThan(20);
});
