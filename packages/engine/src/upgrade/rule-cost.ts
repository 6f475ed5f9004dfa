/**
 * The cost of rules: an added rule can refuse an object by exceeding the cost budget of a request, whatever its result.
 *
 * The server's estimate for each rule, times the maximum number of its runs, is an upper bound of the cost. A size
 * without a bound counts as the largest object that etcd can hold, which is half of the largest request. A bound within
 * the budget is a proof; otherwise large objects are tried.
 */

import { formatFieldError } from "../field/format.ts";
import { PER_CALL_LIMIT, RUNTIME_COST_BUDGET } from "../kubecel/limits.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { compileRuleTree, type RuleNode } from "../rules/tree.ts";
import type { Structural } from "../schema/structural.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import type { Change } from "./change.ts";
import { ruleText } from "./schema-text.ts";
import { asResource, isAccepted, Replay } from "./witness/replay.ts";
import type { Sampler } from "./witness/sample.ts";

const COST = "cost";

/** Empty if no rule was added, or if all rules together stay within the budget. */
export function costChanges(old: CustomResource, next: CustomResource, sampler: Sampler): Change[] {
  const before = new Set([...rulesOf(old.rules, "", 1n)].map(({ key }) => key));
  const isAdded = ({ key }: CountedRule): boolean => !before.has(key);
  if (![...rulesOf(next.rules, "", 1n)].some(isAdded)) return [];
  const after = [...rulesOf(storedRules(next, sampler.check.minor), "", 1n)];
  const total = after.reduce((sum, { cost, count }) => sum + cost * count, 0n);
  const isCheap = after.filter(isAdded).every(({ cost }) => cost <= BigInt(PER_CALL_LIMIT));
  if (isCheap && total <= BigInt(RUNTIME_COST_BUDGET)) return [];
  const base = { ...EMPTY_CHANGE, after: String(total) };
  const witness = expensiveObject(old, next, sampler);
  return [witness === undefined ? base : { ...base, verdict: "unsafe", reason: undefined, witness }];
}

/** The rules, estimated for objects that etcd can hold. */
function storedRules({ schema }: CustomResource, minor: number): RuleNode | undefined {
  if (schema === undefined) return undefined;
  const version: KubernetesVersion = `1.${minor}`;
  return compileRuleTree(bounded(schema), { version, isStored: () => true, isResourceRoot: true });
}

/** The default size limit of etcd, in bytes. */
const STORED_BYTES = 1_572_864;

/** The bounds of the schema, and those that the size of a stored object sets. */
function bounded(schema: Structural): Structural {
  const { type, maxItems, maxProperties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(type === "string" ? { maxLength: longestText(schema) } : {}),
    ...(type === "array" && maxItems === undefined ? { maxItems: STORED_BYTES / 2 } : {}),
    ...(type === "object" && maxProperties === undefined && additionalProperties !== undefined
      ? { maxProperties: STORED_BYTES / 4 }
      : {}),
    items: items && bounded(items),
    properties: new Map([...schema.properties].map(([name, property]) => [name, bounded(property)])),
    additionalProperties: additionalProperties && {
      ...additionalProperties,
      schema: additionalProperties.schema && bounded(additionalProperties.schema),
    },
  };
}

/** Formats whose values rules do not read as strings, so that other sizes count. */
const OTHER_VALUES: readonly string[] = ["byte", "date", "date-time", "duration"];

/**
 * Estimates count four bytes for each character of a bound, because a request is measured in bytes. What a rule really
 * costs depends on the number of characters, so a quarter of the bound is enough.
 */
function longestText({ maxLength = STORED_BYTES, format }: Structural): number {
  return OTHER_VALUES.includes(format) ? maxLength : Math.ceil(Math.min(maxLength, STORED_BYTES) / 4);
}

const EMPTY_CHANGE: Change = {
  axis: "validity",
  keyword: "x-kubernetes-validations",
  detail: COST,
  path: [],
  verdict: "unknown",
  why: "",
  reason: "cost",
  before: String(RUNTIME_COST_BUDGET),
  after: undefined,
  witness: undefined,
  effect: undefined,
};

interface CountedRule {
  readonly key: string;
  readonly cost: bigint;
  /** The maximum number of runs. */
  readonly count: bigint;
}

function* rulesOf(node: RuleNode | undefined, path: string, count: bigint): Generator<CountedRule> {
  if (node === undefined) return;
  for (const { rule, maxCost, maxCardinality } of node.rules) {
    yield { key: `${path} ${ruleText(rule)}`, cost: maxCost, count: count < maxCardinality ? count : maxCardinality };
  }
  for (const [name, inner] of node.properties) yield* rulesOf(inner, `${path}.${name}`, count);
  for (const inner of node.allOf) yield* rulesOf(inner, `${path}&`, count);
  const { maxItems, maxProperties } = node.schema;
  yield* rulesOf(node.items, `${path}[*]`, count * sizeOf(maxItems));
  yield* rulesOf(node.additional, `${path}{*}`, count * sizeOf(maxProperties));
  yield* rulesOf(node.keys, `${path}{key}`, count * sizeOf(maxProperties));
}

/** Without a bound, as many as fit into a request. */
const UNBOUNDED = 3n * 1024n * 1024n;

function sizeOf(limit: number | undefined): bigint {
  return limit === undefined || limit >= Number(UNBOUNDED) ? UNBOUNDED : BigInt(Math.max(0, Math.trunc(limit)));
}

function expensiveObject(old: CustomResource, next: CustomResource, sampler: Sampler): Change["witness"] {
  const { schema } = old;
  if (schema === undefined) return undefined;
  const replay = new Replay(old, next);
  for (const isDistinct of [true, false]) {
    const object = largeValue(schema, sampler, isDistinct, { left: MAX_VALUES });
    if (!isObject(object) || !isAccepted(replay.create(object, old))) continue;
    const { errors } = replay.create(object, next);
    if (!errors.some(({ origin }) => origin === "budget")) continue;
    return {
      object: asResource(object, old),
      before: undefined,
      errors: errors.map(formatFieldError),
      path: [],
      breaksStored: true,
      breaksManifest: true,
      isQuirk: false,
    };
  }
  return undefined;
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
