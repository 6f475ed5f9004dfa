/**
 * Data that changes without an error: pruned fields, defaults, dropped nulls, and ownership under server-side apply.
 *
 * Each change is demonstrated on an object that the old CRD accepts: the stored object, and the object that the new CRD
 * reads.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import type { Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { withMember, withoutMember } from "../value/rewrite.ts";
import type { Change, ChangeAxis, Effect } from "./change.ts";
import type { UnknownReason } from "./contain/proof.ts";
import type { NodePair, SchemaStep } from "./pairs.ts";
import { type DataStep, placeValue, valueAt } from "./place.ts";
import type { Prover } from "./prove/prove.ts";
import { resourceMember } from "./resource-members.ts";
import { nodeKeywords } from "./schema-text.ts";
import { badness, repair } from "./witness/repair.ts";
import { asResource, isAccepted, type Outcome, Replay } from "./witness/replay.ts";
import type { Sampler } from "./witness/sample.ts";
import { readBack } from "./witness/witness.ts";

export interface DataOptions {
  readonly sampler: Sampler;
  readonly prover: Prover;
}

export function dataChanges(pair: NodePair, old: CustomResource, next: CustomResource, options: DataOptions): Change[] {
  const context: Context = { pair, old, new: next, ...options, replay: new Replay(old, next) };
  return [
    ...pair.removed.map((name) => removedField(name, context)),
    ...droppedKeys(context),
    ...pair.added.flatMap((name) => addedDefault(name, context)),
    ...changedDefault(context),
    ...droppedNull(context),
    ...ownership(context),
  ];
}

interface Context {
  readonly pair: NodePair;
  readonly old: CustomResource;
  readonly new: CustomResource;
  readonly sampler: Sampler;
  readonly prover: Prover;
  readonly replay: Replay;
}

function removedField(name: string, context: Context): Change {
  const { old, path: at } = context.pair;
  const schema = old.properties.get(name) ?? resourceMember(old, name, at.length === 0);
  const values = schema === undefined ? [] : context.sampler.samples(schema, 4);
  const path: readonly SchemaStep[] = [...context.pair.path, { kind: "property", name }];
  const effect = demonstrate(context, path, values, isLost);
  return change(context, { axis: "loss", keyword: "properties", detail: name, path }, effect);
}

function droppedKeys(context: Context): Change[] {
  const { pair, sampler } = context;
  if (!pair.dropsKeys) return [];
  const schema = pair.old.additionalProperties?.schema;
  const values: readonly JsonValue[] = schema === undefined ? ["a"] : sampler.samples(schema, 3);
  const path: readonly SchemaStep[] = [...pair.path, { kind: "key" }];
  const keyword = pair.old.additionalProperties === undefined ? PRESERVE : "additionalProperties";
  const effect = demonstrate(context, path, values, isLost);
  return [change(context, { axis: "loss", keyword, detail: "", path: pair.path }, effect)];
}

const PRESERVE = "x-kubernetes-preserve-unknown-fields";

function addedDefault(name: string, context: Context): Change[] {
  const { pair, sampler } = context;
  if (pair.new.properties.get(name)?.default === undefined) return [];
  const path: readonly SchemaStep[] = [...pair.path, { kind: "property", name }];
  const effect = demonstrate(context, pair.path, sampler.samples(pair.old, 4), isDifferent);
  return [
    {
      ...change(context, { axis: "value", keyword: "default", detail: name, path }, effect),
      ...defaultTexts(undefined, pair.new.properties.get(name), context),
    },
  ];
}

function changedDefault(context: Context): Change[] {
  const { pair, sampler } = context;
  if (!pair.changed.includes("default")) return [];
  const step = pair.path.at(-1);
  const parent = pair.path.slice(0, -1);
  const parents = step?.kind === "property" ? schemasAt(context, parent) : [];
  const values = parents.flatMap((schema) => sampler.samples(schema, 4)).filter(isObject);
  const bare = step?.kind === "property" ? values.map((value) => withoutMember(value, step.name)) : [];
  const nulls =
    step?.kind === "property" && pair.old.nullable ? values.map((value) => withMember(value, step.name, null)) : [];
  // In a list or map only a null is replaced.
  const effect =
    step?.kind === "property"
      ? demonstrateManifest(context, parent, [...bare, ...values, ...nulls])
      : demonstrateManifest(context, pair.path, [null]);
  const texts = defaultTexts(pair.old, pair.new, context);
  const parts = { axis: "value", keyword: "default", detail: "", path: pair.path } as const;
  if (effect === undefined && isNeverFilled(context))
    return [{ ...proved(context, parts, "every object has it"), ...texts }];
  return [{ ...change(context, parts, effect), ...texts }];
}

function schemasAt({ old }: Context, path: readonly SchemaStep[]): Structural[] {
  let at = old.schema;
  for (const step of path) {
    if (step.kind === "item") at = at?.items;
    else if (step.kind === "key") at = at?.additionalProperties?.schema;
    else at = at?.properties.get(step.name) ?? at?.additionalProperties?.schema;
  }
  return at === undefined ? [] : [at];
}

function defaultTexts(
  old: Structural | undefined,
  next: Structural | undefined,
  { sampler }: Context,
): Pick<Change, "before" | "after"> {
  const textOf = (schema: Structural | undefined): string | undefined =>
    schema && nodeKeywords(schema, sampler.check.minor).get("default");
  return { before: textOf(old), after: textOf(next) };
}

function droppedNull(context: Context): Change[] {
  const { pair } = context;
  const step = pair.path.at(-1);
  if (!pair.changed.includes("nullable")) return [];
  if (!pair.old.nullable)
    return [
      {
        ...change(context, { axis: "value", keyword: "nullable", detail: "", path: pair.path }, undefined),
        verdict: "safe",
        why: "null was dropped and is now kept",
        reason: undefined,
      },
    ];
  if (step?.kind === "item") return [];
  const effect = demonstrate(context, pair.path, [null], isDifferent);
  const parts = { axis: "value", keyword: "nullable", detail: "", path: pair.path } as const;
  if (effect === undefined && context.prover.isNever(pair.path, "null"))
    return [proved(context, parts, "no object has a null there")];
  return [change(context, { axis: "value", keyword: "nullable", detail: "", path: pair.path }, effect)];
}

/** A default replaces absent values, and nulls that are not allowed. */
function isNeverFilled({ pair: { path, old, new: next }, prover }: Context): boolean {
  const mayBeNull = !next.nullable && (old.nullable || old.default !== undefined);
  return prover.isNever(path, "absent") && (!mayBeNull || prover.isNever(path, "null"));
}

const OWNING: readonly string[] = ["x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"];

/** Merge keys decide which manager owns what. */
function ownership(context: Context): Change[] {
  const { pair } = context;
  return pair.changed
    .filter((keyword) => OWNING.includes(keyword))
    .map((keyword) => ({
      ...change(context, { axis: "ownership", keyword, detail: "", path: pair.path }, undefined),
      verdict: "unsafe" as const,
      reason: undefined,
    }));
}

type Shows = (before: JsonObject, after: JsonObject, path: readonly DataStep[]) => boolean;

const isDifferent: Shows = (before, after) => !deepEqual(before, after);
/** The value at the place is gone; new defaults may have made the object larger. */
const isLost: Shows = (before, after, path) =>
  valueAt(before, path) !== undefined && valueAt(after, path) === undefined;

/** A stored object that reads differently with the new CRD. */
function demonstrate(
  context: Context,
  path: readonly SchemaStep[],
  values: Iterable<JsonValue>,
  shows: Shows,
): Effect | undefined {
  for (const { object, stored, path: at } of acceptedWith(context, path, values)) {
    const before = bodyOf(stored.object);
    const read = readBack(before, context.new);
    if (read !== undefined && shows(before, bodyOf(read), at)) {
      return { object: asResource(object, context.old), before, after: bodyOf(read) };
    }
  }
  return undefined;
}

/** A manifest that is stored differently. */
function demonstrateManifest(
  context: Context,
  path: readonly SchemaStep[],
  values: Iterable<JsonValue>,
): Effect | undefined {
  for (const { object } of acceptedWith(context, path, values)) {
    const [before, after] = [readBack(object, context.old), readBack(object, context.new)];
    if (before === undefined || after === undefined || deepEqual(bodyOf(before), bodyOf(after))) continue;
    return { object: asResource(object, context.old), before: bodyOf(before), after: bodyOf(after) };
  }
  return undefined;
}

const MAX_REPAIRED = 3;

/** Objects with the values that the old CRD accepts; a few refused ones are repaired. */
function* acceptedWith(
  context: Context,
  path: readonly SchemaStep[],
  values: Iterable<JsonValue>,
): Generator<{ readonly object: JsonObject; readonly stored: Outcome; readonly path: readonly DataStep[] }> {
  const { replay, old, sampler } = context;
  let repaired = 0;
  for (const placed of objectsWith(context, path, values)) {
    const stored = replay.rest(placed.object, old);
    if (isAccepted(stored)) {
      yield { ...placed, stored };
      continue;
    }
    if (repaired++ >= MAX_REPAIRED) continue;
    const goal = {
      locked: placed.path,
      distance: (each: JsonObject) => badness(replay.rest(each, old)),
      obstacles: (each: JsonObject) => replay.rest(each, old).errors.map((error) => ({ error, resource: old })),
    };
    const object = repair(placed.object, goal, sampler);
    if (object !== undefined) yield { object, stored: replay.rest(object, old), path: placed.path };
  }
}

function* objectsWith(
  { old, sampler }: Context,
  path: readonly SchemaStep[],
  values: Iterable<JsonValue>,
): Generator<{ readonly object: JsonObject; readonly path: readonly DataStep[] }> {
  if (old.schema === undefined) return;
  for (const value of values) {
    let places = 0;
    for (const placed of placeValue(old.schema, path, value, sampler)) {
      if (places++ >= 3) break;
      if (isObject(placed.value)) yield { object: placed.value, path: placed.path };
    }
  }
}

/** Without type and metadata, which every object has. */
function bodyOf(object: JsonObject): JsonObject {
  let body = object;
  for (const key of ["apiVersion", "kind", "metadata"]) body = withoutMember(body, key);
  return body;
}

/** A change that was proved to have no effect. */
function proved(context: Context, parts: Parts & { readonly axis: ChangeAxis }, why: string): Change {
  return { ...change(context, parts, undefined), verdict: "safe", why, reason: undefined };
}

type Parts = Pick<Change, "axis" | "keyword" | "detail" | "path">;

function change(
  { pair, sampler }: Context,
  parts: Parts & { readonly axis: ChangeAxis },
  effect: Effect | undefined,
): Change {
  const [before, after] = [nodeKeywords(pair.old, sampler.check.minor), nodeKeywords(pair.new, sampler.check.minor)];
  const reason: UnknownReason | undefined = effect === undefined ? "no-witness" : undefined;
  return {
    verdict: effect === undefined ? "unknown" : "unsafe",
    why: "",
    reason,
    before: before.get(parts.keyword),
    after: after.get(parts.keyword),
    witness: undefined,
    effect,
    ...parts,
  };
}
