/**
 * The cost of rules: a rule can refuse an object by exceeding the cost budget of a request, whatever its result. A rule
 * may cost more than before if it was added, or if it reads other data: a default, a field or a null that is kept now.
 *
 * The server's estimate for each rule, times the maximum number of its runs, is an upper bound of the cost. A size
 * without a bound counts as the largest object that etcd can hold, which is half of the largest request. A bound within
 * the budget is a proof; otherwise large objects are tried.
 */

import { PER_CALL_LIMIT, RUNTIME_COST_BUDGET } from "../kubecel/limits.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../rules/compile.ts";
import { compileRuleTree, type RuleNode } from "../rules/tree.ts";
import type { Structural } from "../schema/structural.ts";
import { isArray, isObject, type JsonValue } from "../value/json.ts";
import type { Change } from "./change.ts";
import { ruleNodeAt } from "./contain/rule-node.ts";
import { COST } from "./messages.ts";
import { type SchemaStep, undeclared } from "./pairs.ts";
import { schemaAt, stepSchema } from "./place.ts";
import type { Prover } from "./prove/prove.ts";
import { isSameDefault, isSeenAlike, keepsMore } from "./prove/reading.ts";
import { ruleText } from "./schema-text.ts";
import { expensiveObject } from "./witness/expensive-object.ts";
import { leastBytes, STORED_BYTES } from "./witness/least-bytes.ts";
import type { Sampler } from "./witness/sample.ts";

export interface CostOptions {
  readonly sampler: Sampler;
  readonly prover: Prover;
}

/** Empty if no rule may cost more than before, or if all rules together stay within the budget. */
export function costChanges(old: CustomResource, next: CustomResource, { sampler, prover }: CostOptions): Change[] {
  const before = new Set([...rulesOf(old.rules, "", 1n)].map(({ key }) => key));
  const isSame = (each: CountedRule): boolean => before.has(each.key) && costsTheSame(each, old, next, prover);
  const dearer = new Set([...rulesOf(next.rules, "", 1n)].filter((each) => !isSame(each)).map(({ key }) => key));
  if (dearer.size === 0) return [];
  const isDearer = ({ key }: CountedRule): boolean => dearer.has(key);
  const after = [...rulesOf(storedRules(old, next, sampler.check.minor), "", 1n)];
  const total = after.reduce((sum, { cost, count }) => sum + cost * count, 0n);
  const [dearest] = after.filter(isDearer).sort((one, other) => (one.cost < other.cost ? 1 : -1));
  const isOver = total > BigInt(RUNTIME_COST_BUDGET);
  if (!isOver && (dearest === undefined || dearest.cost <= BigInt(PER_CALL_LIMIT))) return [];
  const base = isOver || dearest === undefined ? { ...EMPTY_CHANGE, after: String(total) } : ofRule(dearest);
  const places = after.sort((one, other) => compareCosts(other, one)).map(({ steps, rule }) => ({ steps, rule }));
  const witness = expensiveObject(old, next, sampler, places);
  return [witness === undefined ? base : { ...base, verdict: "unsafe", reason: undefined, witness }];
}

/** Whether a rule that existed before runs as often and reads the same. */
function costsTheSame(
  { rule, steps }: CountedRule,
  old: CustomResource,
  next: CustomResource,
  prover: Prover,
): boolean {
  const [before, after] = [schemaAt(old.schema, steps), schemaAt(next.schema, steps)];
  if (before === undefined || after === undefined || !isFilledAlike(old.schema, next.schema, steps)) return false;
  if (steps.at(-1)?.kind === "key" && !isSeenAlike(before, after)) return false;
  const isAlike = steps.length > 0 && isSeenAlike(before, after) && !keepsMore(before, after);
  return isAlike || prover.isRepeated(steps, rule, ruleNodeAt(old.rules, steps)?.rules ?? []);
}

/** Whether defaults and nulls on the way to a place, and at the place, are the same. */
function isFilledAlike(
  old: Structural | undefined,
  next: Structural | undefined,
  steps: readonly SchemaStep[],
): boolean {
  if (old === undefined || next === undefined) return old === next;
  if (old.nullable !== next.nullable || !isSameDefault(old, next)) return false;
  const [step, ...rest] = steps;
  return step === undefined || isFilledAlike(stepSchema(old, step), stepSchema(next, step), rest);
}

/** Only one rule by itself is too expensive. */
function ofRule({ steps, cost }: CountedRule): Change {
  return { ...EMPTY_CHANGE, path: steps, before: String(PER_CALL_LIMIT), after: String(cost) };
}

function compareCosts(one: CountedRule, other: CountedRule): number {
  const [left, right] = [one.cost * one.count, other.cost * other.count];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The rules, estimated for objects that etcd can hold. */
function storedRules(old: CustomResource, { schema }: CustomResource, minor: number): RuleNode | undefined {
  if (schema === undefined) return undefined;
  const version: KubernetesVersion = `1.${minor}`;
  const bounds = { longestDefault: longestDefault(schema) };
  return compileRuleTree(bounded(schema, old.schema, bounds), { version, isStored: () => true, isResourceRoot: true });
}

/** The bounds of the schema, and those that the size of a stored object sets. `old` accepted the values. */
function bounded(schema: Structural, old: Structural | undefined, bounds: StoredBounds): Structural {
  const { type, maxProperties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(type === "string" ? { maxLength: longestText(schema) } : {}),
    ...(type === "array" ? { maxItems: mostItems(schema, old, bounds) } : {}),
    ...(type === "object" && maxProperties === undefined && additionalProperties !== undefined
      ? { maxProperties: STORED_BYTES / 4 }
      : {}),
    items: items && bounded(items, old?.items, bounds),
    properties: new Map(
      [...schema.properties].map(([name, property]) => [name, bounded(property, old && memberOf(old, name), bounds)]),
    ),
    additionalProperties: additionalProperties && {
      ...additionalProperties,
      schema: additionalProperties.schema && bounded(additionalProperties.schema, old && undeclared(old), bounds),
    },
  };
}

function memberOf(schema: Structural, name: string): Structural | undefined {
  return schema.properties.get(name) ?? undeclared(schema);
}

interface StoredBounds {
  /** The number of items of the longest list in a default, which need not be stored. */
  readonly longestDefault: number;
}

/** Items are separated by commas. */
function mostItems(
  { maxItems = STORED_BYTES }: Structural,
  old: Structural | undefined,
  { longestDefault: filled }: StoredBounds,
): number {
  return Math.min(maxItems, Math.max(filled, Math.floor(STORED_BYTES / (leastBytes(old?.items) + 1))));
}

function longestDefault({ default: filled, items, properties, additionalProperties }: Structural): number {
  const inner = [items, ...properties.values(), additionalProperties?.schema].map((each) =>
    each === undefined ? 0 : longestDefault(each),
  );
  return Math.max(filled === undefined ? 0 : longestList(filled), ...inner);
}

function longestList(value: JsonValue): number {
  if (isArray(value)) return Math.max(value.length, ...value.map(longestList));
  return isObject(value) ? Math.max(0, ...Object.values(value).map(longestList)) : 0;
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
  readonly rule: CompiledRule;
  readonly steps: readonly SchemaStep[];
  readonly cost: bigint;
  /** The maximum number of runs. */
  readonly count: bigint;
}

function* rulesOf(
  node: RuleNode | undefined,
  path: string,
  count: bigint,
  steps: readonly SchemaStep[] = [],
): Generator<CountedRule> {
  if (node === undefined) return;
  for (const rule of node.rules) {
    const { maxCost: cost, maxCardinality } = rule;
    const key = `${path} ${ruleText(rule.rule)}`;
    yield { key, rule, steps, cost, count: count < maxCardinality ? count : maxCardinality };
  }
  for (const [name, inner] of node.properties)
    yield* rulesOf(inner, `${path}.${name}`, count, [...steps, { kind: "property", name }]);
  for (const inner of node.allOf) yield* rulesOf(inner, `${path}&`, count, steps);
  const { maxItems, maxProperties } = node.schema;
  yield* rulesOf(node.items, `${path}[*]`, count * sizeOf(maxItems), [...steps, { kind: "item" }]);
  const inMap: readonly SchemaStep[] = [...steps, { kind: "key" }];
  yield* rulesOf(node.additional, `${path}{*}`, count * sizeOf(maxProperties), inMap);
  yield* rulesOf(node.keys, `${path}{key}`, count * sizeOf(maxProperties), inMap);
}

/** Without a bound, as many as fit into a request. */
const UNBOUNDED = 3n * 1024n * 1024n;

function sizeOf(limit: number | undefined): bigint {
  return limit === undefined || limit >= Number(UNBOUNDED) ? UNBOUNDED : BigInt(Math.max(0, Math.trunc(limit)));
}
