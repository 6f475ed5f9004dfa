/**
 * Attacks what proofs know of built-in kinds. Every field of every kind is removed and given other values, one at a
 * time; what the API server would accept must be among the values that a proof considers.
 */
import type { GoShape, GoStruct } from "@portcullis/engine/internal/field/go-shape";
import { outside } from "@portcullis/engine/internal/prove/sorts/contains.testing";
import { type Scenario, scenarioName, scenariosOf } from "@portcullis/engine/internal/prove/sorts/kinds";
import { objectSort } from "@portcullis/engine/internal/prove/sorts/object-sorts";
import { skeletonItem, skeletonOf } from "@portcullis/engine/internal/prove/sorts/skeletons";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { kindCatalog } from "../policy/kinds.ts";
import { admitter } from "./proof-admit.ts";
import { proofKinds } from "./proof-kinds.ts";
import { PROOF_ENGINE } from "./proof-mutants.testing.ts";

const CATALOG = kindCatalog([], PROOF_ENGINE);
const KINDS = proofKinds([], CATALOG);
const admit = admitter(CATALOG);
const USER = { name: "u", uid: "", groups: ["g"], extra: new Map() };

/** A place in an object; a number is the index of an item. */
type Path = readonly (number | string)[];

interface Place {
  readonly path: Path;
  readonly shape: GoShape;
}

const MAX_DEPTH = 9;

/** The fields of a struct at any depth, each type once on a path. */
function* placesIn(struct: GoStruct, path: Path, seen: readonly string[]): Generator<Place, void, void> {
  if (path.length > MAX_DEPTH || seen.includes(struct.go)) return;
  for (const [key, { shape }] of struct.fields()) {
    const at = [...path, key];
    if (key === "status" || key === "metadata" || key === "managedFields") continue;
    yield { path: at, shape };
    const inner = shape.kind === "list" ? shape.of : shape;
    const deeper = shape.kind === "list" ? [...at, 0] : at;
    if (inner.kind === "struct") yield* placesIn(inner, deeper, [...seen, struct.go]);
  }
}

/** Undefined removes the field. */
function valuesFor(shape: GoShape): readonly (JsonValue | undefined)[] {
  switch (shape.kind) {
    case "bool":
      return [undefined, true, false];
    case "int":
      return [undefined, 0, 1, -1, 2_147_483_647];
    case "string":
      return [undefined, "", "a", "A_b", "1"];
    case "list":
      return [undefined, []];
    case "map":
    case "struct":
      return [undefined, {}];
    default:
      return [undefined, "1", 1];
  }
}

function written(value: JsonValue | undefined, path: Path, next: JsonValue | undefined, list = ""): JsonValue {
  const [step = "", ...rest] = path;
  if (typeof step === "number") {
    const items = isArray(value) && value.length > 0 ? value : [skeletonItem(list, 0, list) ?? {}];
    return [rest.length === 0 ? (next ?? null) : written(items[0], rest, next), ...items.slice(1)];
  }
  const made: Record<string, JsonValue> = { ...(isObject(value) ? value : {}) };
  if (rest.length > 0) made[step] = written(made[step], rest, next, step);
  else if (next === undefined) delete made[step];
  else made[step] = next;
  return made;
}

function admitted(scenario: Scenario, object: JsonObject): JsonObject | undefined {
  const request = { scenario, name: "example", namespace: "default", object, oldObject: undefined, user: USER };
  return admit({ ...request, dryRun: false, namespaceObject: undefined, params: [] })?.object;
}

const CREATES = KINDS.flatMap((kind) => {
  const scenario = scenariosOf(kind).find(({ operation, subresource }) => operation === "CREATE" && subresource === "");
  return kind.shape === undefined || scenario === undefined ? [] : [{ name: scenarioName(scenario), scenario }];
});

const accepted = new Set<Scenario>();

test.each(CREATES)("$name: what is accepted is considered", ({ scenario }) => {
  const shape = scenario.kind.shape?.();
  if (shape === undefined) throw new Error("built-in kinds have a shape");
  const sort = objectSort(scenario);
  const skeleton = skeletonOf(scenario.kind);
  const found = new Set<string>();
  for (const { path, shape: inner } of placesIn(shape, [], [])) {
    for (const value of valuesFor(inner)) {
      const plain = fromPlain(written(skeleton, path, value));
      const object = isObject(plain) ? admitted(scenario, plain) : undefined;
      if (object === undefined) continue;
      accepted.add(scenario);
      for (const each of outside(sort, object)) found.add(each);
    }
  }
  expect([...found]).toEqual([]);
});

test("most kinds are attacked", () => {
  expect(accepted.size).toBeGreaterThan(CREATES.length / 2);
});
