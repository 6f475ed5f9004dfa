/** What becomes of objects of one built-in kind, for the tests beside the kinds. */
import { expect, test } from "vitest";
import type { FieldError } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import { type BuiltinResource, builtinResources } from "../builtin.ts";
import { metaOf } from "../object.ts";
import type { KindKey } from "../resources.ts";

export interface Written {
  readonly object: JsonObject;
  /** As the API server prints them. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const CONTEXT = { now: () => "2026-01-01T00:00:00Z", clusterIp: () => "10.0.0.1", nodePort: () => 30_000 };

/** A create. The object gets a name unless it has one. */
export function create(key: KindKey, data: object): Written {
  const kind = resourceOf(key);
  const object = kind.prepareCreate(decode(kind, data), CONTEXT);
  return { object, errors: texts(kind.validateCreate(object)), warnings: kind.warningsOnCreate(object) };
}

/** An update of what a create of `before` gives. */
export function update(key: KindKey, before: object, after: object): Written {
  const kind = resourceOf(key);
  const old = create(key, before).object;
  const object = kind.prepareUpdate(withVersion(decode(kind, after)), old, CONTEXT);
  return { object, errors: texts(kind.validateUpdate(object, old)), warnings: kind.warningsOnUpdate(object, old) };
}

export function updateStatus(key: KindKey, before: object, status: object): Written {
  const kind = resourceOf(key);
  const old = create(key, before).object;
  const object = kind.prepareStatusUpdate(withVersion(decode(kind, { ...before, status })), old, CONTEXT);
  return {
    object,
    errors: texts(kind.validateStatusUpdate(object, old)),
    warnings: kind.warningsOnStatusUpdate(object),
  };
}

export function resourceOf(key: KindKey): BuiltinResource {
  const found = builtinResources().find(({ group, version, kind }) => keyOf(group, version, kind) === key);
  if (found === undefined) throw new Error(`no built-in kind ${key}`);
  return found;
}

function keyOf(group: string, version: string, kind: string): string {
  return group === "" ? `${version}/${kind}` : `${group}/${version}/${kind}`;
}

export function decode(kind: BuiltinResource, data: object): JsonObject {
  const json = fromPlain(data);
  const { value, unknown, error } = kind.decodeFields(isObject(json) ? json : newObject());
  if (error !== undefined || unknown.length > 0) throw new Error(error ?? `unknown fields ${unknown.join()}`);
  return withMember(value, "metadata", withName(metaOf(value), kind));
}

function withName(meta: JsonObject, { namespaced }: BuiltinResource): JsonObject {
  const named = withMember(withMember(meta, "uid", "u"), "name", meta["name"] ?? "a");
  return namespaced ? withMember(named, "namespace", "default") : named;
}

function withVersion(object: JsonObject): JsonObject {
  return withMember(object, "metadata", withMember(metaOf(object), "resourceVersion", "1"));
}

function texts(errors: readonly FieldError[]): string[] {
  return errors.map((error) => formatFieldError(error));
}

/** The least that the API server accepts, and an object with one typical mistake. */
export interface KindExample {
  readonly valid: object;
  readonly wrong: object;
  readonly errors: readonly string[];
}

export function testKinds(examples: { readonly [Key in KindKey]?: KindExample }): void {
  const rows = Object.entries(examples).map(([key, example]) => ({ key: key as KindKey, ...example }));
  test.each(rows)("a minimal $key is accepted", ({ key, valid }) => {
    expect(create(key, valid).errors).toEqual([]);
  });
  test.each(rows)("$key: $errors", ({ key, wrong, errors }) => {
    expect(create(key, wrong).errors).toEqual(errors);
  });
}
