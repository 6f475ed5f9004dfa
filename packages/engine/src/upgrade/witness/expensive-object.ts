/** Large objects for which rules cost more than a request is allowed. */
import { formatFieldError } from "../../field/format.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { Structural } from "../../schema/structural.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { readsOf } from "../contain/rule-reads.ts";
import type { SchemaStep } from "../pairs.ts";
import { placeValue, schemaAt } from "../place.ts";
import { STORED_BYTES } from "./least-bytes.ts";
import { asResource, isAccepted, Replay } from "./replay.ts";
import type { Sampler } from "./sample.ts";
import type { Witness } from "./witness-check.ts";

/** A rule and the place of its `self`. */
export interface RulePlace {
  readonly steps: readonly SchemaStep[];
  readonly rule: CompiledRule;
}

/** An object that the old CRD accepts and for which the budget is exceeded. The most expensive rules come first. */
export function expensiveObject(
  old: CustomResource,
  next: CustomResource,
  sampler: Sampler,
  places: readonly RulePlace[],
): Witness | undefined {
  const { schema } = old;
  if (schema === undefined) return undefined;
  const replay = new Replay(old, next);
  for (const isDistinct of [true, false]) {
    const object = largeValue(schema, sampler, isDistinct, { left: MAX_VALUES });
    const witness = isObject(object) ? tooExpensive(object, replay) : undefined;
    if (witness !== undefined) return witness;
  }
  for (const place of places.slice(0, MAX_RULES)) {
    for (const path of textsOf(place, schema)) {
      const witness = withLongText(path, schema, replay, sampler);
      if (witness !== undefined) return witness;
    }
  }
  return undefined;
}

const MAX_RULES = 4;

function tooExpensive(object: JsonObject, replay: Replay): Witness | undefined {
  if (!isAccepted(replay.create(object, replay.old))) return undefined;
  const { errors } = replay.create(object, replay.new);
  if (!errors.some(({ origin }) => origin === "budget")) return undefined;
  return {
    object: asResource(object, replay.old),
    before: undefined,
    errors: errors.map(formatFieldError),
    path: [],
    breaksStored: true,
    breaksManifest: true,
    isQuirk: false,
  };
}

/** The strings that the rule reads. */
function textsOf({ steps, rule }: RulePlace, root: Structural): readonly (readonly SchemaStep[])[] {
  const expr = rule.ast?.checked.expr;
  if (expr === undefined) return [];
  const { paths, shallow } = readsOf(expr);
  const places = [[], ...shallow, ...paths].map((names) => [
    ...steps,
    ...names.map((name): SchemaStep => (name === "*" ? { kind: "item" } : { kind: "property", name })),
  ]);
  return places.filter((path) => schemaAt(root, path)?.type === "string").slice(0, MAX_RULES);
}

const SHORTEST = 1 << 14;

/** The string is doubled until the rule is too expensive. */
function withLongText(
  path: readonly SchemaStep[],
  root: Structural,
  replay: Replay,
  sampler: Sampler,
): Witness | undefined {
  const { maxLength = STORED_BYTES } = schemaAt(root, path) ?? {};
  const longest = Math.min(maxLength, STORED_BYTES - SHORTEST);
  for (let length = Math.min(SHORTEST, longest); ; length = Math.min(2 * length, longest)) {
    for (const { value } of placeValue(root, path, "a".repeat(length), sampler)) {
      const witness = isObject(value) ? tooExpensive(value, replay) : undefined;
      if (witness !== undefined) return witness;
      break;
    }
    if (length >= longest) return undefined;
  }
}

const MAX_VALUES = 4000;
const LONGEST_LIST = 1000;

/** As many items as the schema allows. */
function largeValue(schema: Structural, sampler: Sampler, isDistinct: boolean, room: { left: number }): JsonValue {
  room.left--;
  if (schema.type === "array" && schema.items !== undefined) {
    const size = Math.min(schema.maxItems ?? LONGEST_LIST, LONGEST_LIST, Math.max(1, room.left));
    return largeList(schema, schema.items, size, { sampler, isDistinct, room });
  }
  const first = sampler.first(schema) ?? null;
  if (schema.type !== "object" || !isObject(first)) return first;
  const object: JsonObject = Object.assign(newObject(), first);
  for (const [name, property] of schema.properties) {
    if (room.left > 0 && isLarge(property, 4)) object[name] = largeValue(property, sampler, isDistinct, room);
  }
  return object;
}

interface LargeOptions {
  readonly sampler: Sampler;
  readonly isDistinct: boolean;
  readonly room: { left: number };
}

function largeList(
  schema: Structural,
  items: Structural,
  size: number,
  { sampler, isDistinct, room }: LargeOptions,
): JsonValue[] {
  const isScalar = items.type !== "object" && items.type !== "array";
  const numbered = items.type === "integer" && isDistinct ? Array.from({ length: size }, (_, index) => index) : [];
  if (isScalar && numbered.every((value) => sampler.check.accepts(items, value)) && numbered.length > 0)
    return numbered;
  const made = sampler.distinctItems(schema, [items], size);
  if (isScalar || room.left <= size) return made.slice(0, size);
  const inner = largeValue(items, sampler, isDistinct, room);
  return made
    .slice(0, size)
    .map((item) => (isObject(item) && isObject(inner) ? { ...inner, ...item } : isArray(item) ? inner : item));
}

/** Whether there is a list at or below. */
function isLarge({ type, items, properties }: Structural, depth: number): boolean {
  if (type === "array") return items !== undefined;
  return depth > 0 && [...properties.values()].some((property) => isLarge(property, depth - 1));
}
