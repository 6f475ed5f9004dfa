/**
 * Witnesses: an object, or an old and a new one, that the old CRD accepts and the new one refuses.
 *
 * A local counterexample is put into a whole object, repaired until the old CRD accepts it, run through both CRDs, and
 * minimized. A change without such an object is not called unsafe.
 */
import { decodeResource } from "../../review/custom-resource/coerce.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { Model } from "../../symbolic/facts.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import type { Counterexample } from "../attack/attack.ts";
import { applyModel } from "../attack/from-model.ts";
import type { NodePair, SchemaStep } from "../pairs.ts";
import { type DataStep, placeValue, setAt, valueAt } from "../place.ts";
import { objectsWithDropped, type WithDropped } from "./dropped.ts";
import { largestValue } from "./largest.ts";
import { badness, repair } from "./repair.ts";
import { asResource, isAccepted, type Replay } from "./replay.ts";
import { changedValues, type Edit, ruleEdits } from "./rule-search.ts";
import type { Sampler } from "./sample.ts";
import { isAbout, type Target } from "./target.ts";
import { twinLists } from "./twins.ts";
import { type FinderOptions, type Witness, WitnessCheck } from "./witness-check.ts";

const MAX_CANDIDATES = 120;
const MAX_PLACES = 3;
const MAX_EDIT_PAIRS = 700;

export class WitnessFinder {
  readonly replay: Replay;
  readonly #sampler: Sampler;
  readonly #check: WitnessCheck;

  constructor(replay: Replay, sampler: Sampler, options: FinderOptions) {
    this.replay = replay;
    this.#sampler = sampler;
    this.#check = new WitnessCheck(replay, sampler, options);
  }

  /** Whether the search ended because its budget was used up. */
  get isSpent(): boolean {
    return this.#check.isSpent;
  }

  /** The first candidate that leads to a witness. */
  find(pair: NodePair, target: Target, candidates: Iterable<JsonValue>): Witness | undefined {
    const { check } = this.#sampler;
    const isOnNode = target.rule === undefined;
    let accident: Witness | undefined;
    let tried = 0;
    for (const value of candidates) {
      if (tried >= MAX_CANDIDATES || this.isSpent) return accident;
      if (!check.accepts(pair.old, value) || (isOnNode && check.accepts(pair.new, value))) continue;
      tried++;
      const found = this.#inPlaces(pair, target, value);
      if (found?.isQuirk === false) return found;
      accident ??= found;
    }
    return accident;
  }

  /** The same for values that are refused for reasons outside the schema. */
  findAt(path: readonly SchemaStep[], target: Target, values: Iterable<JsonValue>): Witness | undefined {
    for (const value of values) {
      const found = this.#inPlaces({ path }, target, value);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inPlaces(pair: Pick<NodePair, "path">, target: Target, value: JsonValue): Witness | undefined {
    const root = this.replay.old.schema;
    if (root === undefined) return undefined;
    let places = 0;
    for (const placed of placeValue(root, pair.path, value, this.#sampler)) {
      if (places++ >= MAX_PLACES || this.isSpent) return undefined;
      if (!isObject(placed.value)) continue;
      const found = this.#check.attempt(placed.value, placed.path, target);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Objects accepted by the old CRD that contain the node of a rule, with edits that affect the rule. */
  findRule(pair: NodePair, target: Target): Witness | undefined {
    const { rule } = target;
    const root = this.replay.old.schema;
    if (rule === undefined || root === undefined) return undefined;
    const twins = rule.usesOldSelf ? undefined : this.#twins(rule, pair, target);
    if (twins !== undefined) return twins;
    for (const value of this.#sampler.samples(pair.old, 4)) {
      for (const placed of firstOf(placeValue(root, pair.path, value, this.#sampler), MAX_PLACES)) {
        if (!isObject(placed.value)) continue;
        const found = rule.usesOldSelf
          ? this.#transition(placed.value, placed.path, pair, target)
          : this.#edited(placed.value, placed.path, pair, target);
        if (found !== undefined) return found;
      }
    }
    if (!rule.usesOldSelf) return this.#largest(pair, target);
    return rule.rule.optionalOldSelf === true ? this.find(pair, target, this.#sampler.samples(pair.old, 8)) : undefined;
  }

  /** Rules that add up or compare sizes may only refuse the largest values: one object, whatever the budget. */
  #largest(pair: NodePair, target: Target): Witness | undefined {
    const root = this.replay.old.schema;
    const value = largestValue(pair.old, this.#sampler);
    if (root === undefined || value === undefined) return undefined;
    const [placed] = placeValue(root, pair.path, value, this.#sampler);
    return isObject(placed?.value) ? this.#check.attempt(placed.value, placed.path, target) : undefined;
  }

  /** Lists whose items agree in what the rule reads. */
  #twins(rule: CompiledRule, pair: NodePair, target: Target): Witness | undefined {
    for (const list of twinLists(rule, pair.old, this.#sampler)) {
      if (!this.#sampler.check.accepts(pair.old, list)) continue;
      const found = this.#inPlaces(pair, target, list);
      if (found !== undefined || this.isSpent) return found;
    }
    return undefined;
  }

  #edited(object: JsonObject, path: readonly DataStep[], pair: NodePair, target: Target): Witness | undefined {
    const plain = this.#check.attempt(object, path, target);
    if (plain !== undefined) return plain;
    const value = valueAt(object, path);
    if (target.rule === undefined || value === undefined) return undefined;
    const edits = ruleEdits(target.rule, value, pair.old, this.#sampler, target.texts);
    const apply = (
      base: JsonObject,
      edit: { path: readonly DataStep[]; value: JsonValue | undefined },
    ): JsonObject | undefined => {
      const edited = setAt(base, [...path, ...edit.path], edit.value);
      return isObject(edited) ? edited : undefined;
    };
    for (const edit of edits) {
      const edited = apply(object, edit);
      const found =
        edited && (this.isSpent ? undefined : this.#check.attempt(edited, path, target, [...path, ...edit.path]));
      if (found !== undefined) return found;
      const doubled = edited && (this.isSpent ? undefined : this.#doubled(edited, path, edit.path, target));
      if (doubled !== undefined) return doubled;
    }
    let pairs = 0;
    const few = fewPerPlace(edits);
    for (const first of few) {
      const once = apply(object, first);
      for (const second of few) {
        if (once === undefined || first.path === second.path) continue;
        if (pairs++ > MAX_EDIT_PAIRS || this.isSpent) return undefined;
        const twice = apply(once, second);
        const found = twice && this.#check.witness(twice, path, target);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** For rules that count: the edited item, repaired so that the old CRD accepts it, twice. */
  #doubled(
    object: JsonObject,
    path: readonly DataStep[],
    edit: readonly DataStep[],
    target: Target,
  ): Witness | undefined {
    if (typeof edit[0] !== "number" || edit.length < 2) return undefined;
    const repaired = this.#acceptable(object, [...path, ...edit]);
    const items = repaired && valueAt(repaired, path);
    const [item] = isArray(items) ? items : [];
    if (repaired === undefined || item === undefined) return undefined;
    const twice = setAt(repaired, path, [item, item]);
    return isObject(twice) ? this.#check.witness(twice, path, target) : undefined;
  }

  /** The object, repaired so that the old CRD accepts it. */
  #acceptable(object: JsonObject, locked: readonly DataStep[]): JsonObject | undefined {
    const { old } = this.replay;
    const goal = {
      locked,
      distance: (each: JsonObject) => badness(this.replay.rest(each, old)),
      obstacles: (each: JsonObject) => this.replay.rest(each, old).errors.map((error) => ({ error, resource: old })),
    };
    return repair(object, goal, this.#sampler);
  }

  /** A pair: a stored object and an update of it that only the new CRD refuses. */
  #transition(object: JsonObject, path: readonly DataStep[], pair: NodePair, target: Target): Witness | undefined {
    const value = valueAt(object, path);
    if (target.rule === undefined || value === undefined) return undefined;
    const edits = [
      ...ruleEdits(target.rule, value, pair.old, this.#sampler, target.texts),
      ...changedValues(value, pair.old, this.#sampler).map((each) => ({ path: [], value: each })),
    ];
    const states: JsonObject[] = [object];
    for (const edit of edits) {
      const edited = setAt(object, [...path, ...edit.path], edit.value);
      if (isObject(edited)) states.push(edited);
    }
    const good = states.filter((state) => isAccepted(this.replay.rest(state, this.replay.old))).slice(0, 24);
    for (const before of good) {
      for (const after of good) {
        if (this.isSpent) return undefined;
        const found = this.#check.transition(after, before, path, target);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** The minimized counterexample of an attack, if it is about the target. */
  fromAttack({ object, before, path, errors }: Counterexample, target: Target): Witness | undefined {
    if (!errors.some((error) => isAbout(error, target, path))) return undefined;
    if (before === undefined) return this.#check.witness(object, path, target);
    return this.#check.transition(object, before, path, target);
  }

  /** A manifest with fields that the old CRD drops and for which the new one refuses it. */
  findDropped(pair: NodePair, target: Target): Witness | undefined {
    const root = this.replay.old.schema;
    if (root === undefined || target.rule === undefined) return undefined;
    const all = [...objectsWithDropped(pair, target.rule, root, this.#sampler)];
    for (const each of all) {
      const found = this.#dropped(each, target);
      if (found !== undefined || this.isSpent) return found;
    }
    if (target.rule.usesOldSelf) return undefined;
    for (const each of all.slice(0, MAX_EDITED)) {
      const found = this.#editedDropped(each, pair, target, target.rule);
      if (found !== undefined || this.isSpent) return found;
    }
    return undefined;
  }

  /** Other values, too, for what the rule reads beside the dropped fields. */
  #editedDropped(base: WithDropped, pair: NodePair, target: Target, rule: CompiledRule): Witness | undefined {
    const { path } = base;
    const object = this.#acceptable(base.object, base.locked);
    const value = object && valueAt(object, path);
    if (object === undefined || value === undefined) return undefined;
    for (const edit of ruleEdits(rule, value, pair.old, this.#sampler)) {
      const edited = setAt(object, [...path, ...edit.path], edit.value);
      const found = isObject(edited) ? this.#check.witness(edited, path, target) : undefined;
      if (found !== undefined || this.isSpent) return found;
    }
    return undefined;
  }

  /** A created object, or an update that adds the fields. */
  #dropped({ object, before, path, locked }: WithDropped, target: Target): Witness | undefined {
    if (target.rule?.usesOldSelf !== true) return this.#check.attempt(object, path, target, locked);
    return this.#check.witness(object, path, target) ?? this.#check.transition(object, before, path, target);
  }

  /** The values that the solver could not rule out, put into objects that have the place. */
  findModel(pair: NodePair, target: Target, model: Model): Witness | undefined {
    const root = this.replay.old.schema;
    if (root === undefined) return undefined;
    for (const value of this.#sampler.samples(pair.old, 2)) {
      for (const placed of firstOf(placeValue(root, pair.path, value, this.#sampler), MAX_PLACES)) {
        if (!isObject(placed.value)) continue;
        const object = applyModel(placed.value, model, [root, this.replay.new.schema], this.#sampler);
        const found = this.#check.attempt(object, placed.path, target);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

const VALUES_IN_PAIRS = 4;
const MAX_EDITED = 6;

/** The first values of each place, and its absence; values that a rule names come first. */
function fewPerPlace(edits: readonly Edit[]): Edit[] {
  const counts = new Map<readonly DataStep[], number>();
  return edits.filter(({ path, value }) => {
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return value === undefined || count < VALUES_IN_PAIRS;
  });
}

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

/** The object as it is read with a CRD. */
export function readBack(object: JsonObject, resource: CustomResource): JsonObject | undefined {
  const decoded = decodeResource(asResource(object, resource), resource);
  return decoded.error === undefined ? decoded.object : undefined;
}
