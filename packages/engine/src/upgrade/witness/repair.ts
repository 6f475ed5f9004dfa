/**
 * Makes an object valid: obstacles to a witness (a rule of the old CRD, a field that both require) are fixed one error
 * at a time, without changing the value that the witness is about.
 */
import type { FieldError } from "../../field/error.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { RuleNode } from "../../rules/tree.ts";
import { memberSchema, type Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { type DataStep, parseDataPath, setAt, valueAt } from "../place.ts";
import type { Outcome } from "./replay.ts";
import { type Edit, ruleEdits } from "./rule-search.ts";
import type { Sampler } from "./sample.ts";
import { isOfRule, placeOfError } from "./target.ts";

const MAX_EDITS = 100;
const MAX_ROUNDS = 6;

export interface RepairGoal {
  /** How far the object is from the goal; 0 is done. */
  readonly distance: (object: JsonObject) => number;
  /** The current obstacles, each with the resource that reports it. */
  readonly obstacles: (object: JsonObject) => readonly Obstacle[];
  readonly locked: readonly DataStep[];
}

export interface Obstacle {
  readonly error: FieldError;
  readonly resource: CustomResource;
}

/** How wrong an outcome is. Rules do not run on objects with other errors, so other errors count for more. */
export function badness({ errors, problem }: Outcome): number {
  const sum = errors.reduce((total, { origin }) => total + (origin === "rule" ? 1 : 10), 0);
  return problem === undefined ? sum : sum + 500;
}

/**
 * Edits that fix nothing but lead to other edits: a discriminator and the field it requires change one after the other.
 */
const MAX_SIDEWAYS = 2;

/** The fixed object; undefined if no edit helps. */
export function repair(object: JsonObject, goal: RepairGoal, sampler: Sampler): JsonObject | undefined {
  let current: Step = { object, distance: goal.distance(object) };
  const seen = new Set([canonicalJson(object)]);
  let sideways = 0;
  for (let round = 0; current.distance > 0 && round < MAX_ROUNDS; round++) {
    const next = improve(current, goal, sampler, seen);
    if (next === undefined || (next.distance === current.distance && sideways++ >= MAX_SIDEWAYS)) return undefined;
    current = next;
    seen.add(canonicalJson(next.object));
  }
  return current.distance === 0 ? current.object : undefined;
}

interface Step {
  readonly object: JsonObject;
  readonly distance: number;
}

/** The first edit that brings the object closer; otherwise one that keeps the distance. */
function improve(
  { object, distance }: Step,
  goal: RepairGoal,
  sampler: Sampler,
  seen: ReadonlySet<string>,
): Step | undefined {
  let tried = 0;
  let level: Step | undefined;
  for (const edit of sharedFirst(goal.obstacles(object).slice(0, 3), object, sampler)) {
    if (overlaps(edit.path, goal.locked)) continue;
    if (tried++ > MAX_EDITS) return level;
    const edited = setAt(object, edit.path, edit.value);
    if (!isObject(edited)) continue;
    const next = { object: edited, distance: goal.distance(edited) };
    if (next.distance < distance) return next;
    if (next.distance === distance && level === undefined && !seen.has(canonicalJson(edited))) level = next;
  }
  return level;
}

/** Fields that block several rules are tried first: usually the field that selects between others. */
function sharedFirst(obstacles: readonly Obstacle[], object: JsonObject, sampler: Sampler): Edit[] {
  const all = obstacles.map((obstacle) => editsFor(obstacle, object, sampler));
  const counts = new Map<string, number>();
  for (const edits of all) {
    for (const key of new Set(edits.map(({ path }) => JSON.stringify(path))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rank = ({ path }: Edit): number => counts.get(JSON.stringify(path)) ?? 0;
  return all.flat().sort((left, right) => rank(right) - rank(left));
}

/** An edit may change values next to the locked value, but not the value or its parents. */
function overlaps(path: readonly DataStep[], locked: readonly DataStep[]): boolean {
  return path.length <= locked.length && path.every((step, index) => step === locked[index]);
}

/** Edits that may remove the obstacle. */
export function editsFor({ error, resource }: Obstacle, object: JsonObject, sampler: Sampler): Edit[] {
  const path = parseDataPath(placeOfError(error), object);
  const { schema } = resource;
  if (schema === undefined) return [];
  if (error.origin === "rule") return ruleRepairs(error, path, object, resource, sampler);
  const inner = schemaAt(schema, path);
  const values = inner === undefined ? [] : sampler.samples(inner, 6).map((value) => ({ path, value }));
  return path.length === 0 ? [] : [...values, { path, value: undefined }];
}

/** Rules of the place itself and of its parents: a rule may point elsewhere with its field path. */
function ruleRepairs(
  error: FieldError,
  path: readonly DataStep[],
  object: JsonObject,
  resource: CustomResource,
  sampler: Sampler,
): Edit[] {
  const edits: Edit[] = [];
  for (let length = path.length; length >= 0; length--) {
    const place = path.slice(0, length);
    const value = valueAt(object, place);
    const node = ruleNodeOf(resource.rules, place);
    const schema = resource.schema && schemaAt(resource.schema, place);
    if (node === undefined || schema === undefined || value === undefined) continue;
    const failing = node.rules.filter((rule) => isOfRule(error, rule));
    for (const rule of failing.length > 0 ? failing : node.rules) {
      for (const edit of ruleEdits(rule, value, schema, sampler))
        edits.push({ ...edit, path: [...place, ...edit.path] });
    }
    if (edits.length > 0) return edits;
  }
  return edits;
}

export function schemaAt(root: Structural, path: readonly DataStep[]): Structural | undefined {
  let at: Structural | undefined = root;
  for (const step of path) at = typeof step === "number" ? at?.items : at && memberSchema(at, step);
  return at;
}

function ruleNodeOf(root: RuleNode | undefined, path: readonly DataStep[]): RuleNode | undefined {
  let at = root;
  for (const step of path) at = typeof step === "number" ? at?.items : (at?.properties.get(step) ?? at?.additional);
  return at;
}
