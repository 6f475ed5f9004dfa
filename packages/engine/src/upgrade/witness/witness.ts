/**
 * Witnesses: an object, or an old and a new one, that the old CRD accepts and the new one refuses.
 *
 * A local counterexample is put into a whole object, repaired until the old CRD accepts it, run through both CRDs, and
 * minimized. A change without such an object is not called unsafe.
 */
import type { FieldError } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import { decodeResource } from "../../review/custom-resource/coerce.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { Model } from "../../symbolic/facts.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { Counterexample } from "../attack/attack.ts";
import { applyModel } from "../attack/from-model.ts";
import type { NodePair, SchemaStep } from "../pairs.ts";
import { type DataStep, formatDataPath, placeValue, setAt, valueAt } from "../place.ts";
import { minimize } from "./minimize.ts";
import { droppedFields, isQuirk } from "./quirk.ts";
import { badness, type Obstacle, repair } from "./repair.ts";
import { asResource, isAccepted, type Outcome, type Replay } from "./replay.ts";
import { changedValues, type Edit, ruleEdits } from "./rule-search.ts";
import type { Sampler } from "./sample.ts";
import { isAbout, type Target } from "./target.ts";
import { twinLists } from "./twins.ts";

export interface Witness {
  /** The manifest, or the object as it is stored. */
  readonly object: JsonObject;
  /** Set if a transition is refused: the object before the update. */
  readonly before: JsonObject | undefined;
  /** The errors of the new CRD, as the server reports them. */
  readonly errors: readonly string[];
  /** The place of the change in the object. */
  readonly path: readonly DataStep[];
  /** Whether a stored object is refused. */
  readonly breaksStored: boolean;
  /** Whether creating a manifest that was accepted is refused. */
  readonly breaksManifest: boolean;
  /** Whether the old CRD only accepted it by accident. */
  readonly isQuirk: boolean;
  /** Fields of the manifest that the old CRD drops, and without which the new one does not refuse it. */
  readonly dropped?: readonly string[];
}

const MAX_CANDIDATES = 120;
const MAX_PLACES = 3;
const MAX_EDIT_PAIRS = 700;

export interface FinderOptions {
  /** The maximum number of objects to try. */
  readonly budget: number;
  /** Whether a manifest with fields that the old CRD drops shows nothing. */
  readonly storedOnly?: boolean | undefined;
}

export class WitnessFinder {
  readonly replay: Replay;
  readonly #sampler: Sampler;
  readonly #options: FinderOptions;

  constructor(replay: Replay, sampler: Sampler, options: FinderOptions) {
    this.replay = replay;
    this.#sampler = sampler;
    this.#options = options;
  }

  /** Whether the search ended because its budget was used up. */
  get isSpent(): boolean {
    return this.replay.runs > this.#options.budget;
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
      const found = this.attempt(placed.value, placed.path, target);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `locked` must stay unchanged; the error is expected at the path. */
  attempt(
    object: JsonObject,
    path: readonly DataStep[],
    target: Target,
    locked: readonly DataStep[] = path,
  ): Witness | undefined {
    const seen = this.#witness(object, path, target);
    if (seen !== undefined) return seen;
    const goal = {
      locked,
      distance: (each: JsonObject) => this.#distance(each, path, target),
      obstacles: (each: JsonObject) => this.#obstacles(each, path, target),
    };
    const mended = repair(object, goal, this.#sampler);
    return mended && this.#witness(mended, path, target);
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
    return rule.usesOldSelf && rule.rule.optionalOldSelf === true
      ? this.find(pair, target, this.#sampler.samples(pair.old, 8))
      : undefined;
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
    const plain = this.attempt(object, path, target);
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
      const found = edited && (this.isSpent ? undefined : this.attempt(edited, path, target, [...path, ...edit.path]));
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
        const found = twice && this.#witness(twice, path, target);
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
    const { old } = this.replay;
    const mended = repair(
      object,
      {
        locked: [...path, ...edit],
        distance: (each) => badness(this.replay.rest(each, old)),
        obstacles: (each) => this.replay.rest(each, old).errors.map((error) => ({ error, resource: old })),
      },
      this.#sampler,
    );
    const items = mended && valueAt(mended, path);
    const [item] = isArray(items) ? items : [];
    if (mended === undefined || item === undefined) return undefined;
    const twice = setAt(mended, path, [item, item]);
    return isObject(twice) ? this.#witness(twice, path, target) : undefined;
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
        const errors = this.#refusedUpdate(after, before, path, target);
        if (errors !== undefined) return this.#pairWitness(after, before, path, errors);
      }
    }
    return undefined;
  }

  #refusedUpdate(
    after: JsonObject,
    before: JsonObject,
    path: readonly DataStep[],
    target: Target,
  ): readonly FieldError[] | undefined {
    const { old, new: next } = this.replay;
    const through = path[0] === "status" && old.hasStatus && next.hasStatus ? "status" : "resource";
    if (!isAccepted(this.replay.update(after, before, old, through))) return undefined;
    const outcome = this.replay.update(after, before, next, through);
    const errors = errorsAbout(outcome.errors, target, path);
    return errors.length > 0 ? errors : undefined;
  }

  #pairWitness(
    after: JsonObject,
    before: JsonObject,
    path: readonly DataStep[],
    errors: readonly FieldError[],
  ): Witness {
    const { old, new: next } = this.replay;
    const schemas = { old: old.schema, new: next.schema };
    return {
      object: asResource(after, old),
      before: asResource(before, old),
      errors: errors.map(formatFieldError),
      path,
      breaksStored: false,
      breaksManifest: true,
      isQuirk: [after, before].some((object) => isQuirk(object, schemas, errors, this.#sampler.check)),
    };
  }

  /** The minimized counterexample of an attack, if it is about the target. */
  fromAttack({ object, before, path, errors }: Counterexample, target: Target): Witness | undefined {
    if (!errors.some((error) => isAbout(error, target, path))) return undefined;
    if (before === undefined) return this.#witness(object, path, target);
    const refused = this.#refusedUpdate(object, before, path, target);
    return refused && this.#pairWitness(object, before, path, refused);
  }

  /** A manifest with a field that the old CRD drops and the new one refuses. */
  findDropped(pair: NodePair, target: Target): Witness | undefined {
    const root = this.replay.old.schema;
    if (root === undefined) return undefined;
    for (const name of pair.added) {
      const schema = pair.new.properties.get(name);
      const values = schema === undefined ? [] : [...this.#sampler.samples(schema, 8), -1, 0, 1, "", "a"];
      for (const base of this.#sampler.samples(pair.old, 2).filter(isObject)) {
        for (const placed of firstOf(placeValue(root, pair.path, base, this.#sampler), 1)) {
          const objects = values.map((value) => setAt(placed.value, [...placed.path, name], value)).filter(isObject);
          for (const object of objects) {
            const found = this.#witness(object, placed.path, target);
            if (found !== undefined) return found;
          }
        }
      }
    }
    return undefined;
  }

  /** The values that the solver could not rule out, put into objects that have the place. */
  findModel(pair: NodePair, target: Target, model: Model): Witness | undefined {
    const root = this.replay.old.schema;
    if (root === undefined) return undefined;
    for (const value of this.#sampler.samples(pair.old, 2)) {
      for (const placed of firstOf(placeValue(root, pair.path, value, this.#sampler), MAX_PLACES)) {
        if (!isObject(placed.value)) continue;
        const object = applyModel(placed.value, model, [root, this.replay.new.schema], this.#sampler);
        const found = this.attempt(object, placed.path, target);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #witness(object: JsonObject, path: readonly DataStep[], target: Target): Witness | undefined {
    const shown = this.#shown(object, path, target);
    if (shown === undefined) return undefined;
    const small = minimize(object, (smaller) => {
      const less = this.#shown(smaller, path, target);
      if (less === undefined || less.isQuirk !== shown.isQuirk) return false;
      return less.breaksStored === shown.breaksStored && less.breaksManifest === shown.breaksManifest;
    });
    const final = this.#shown(small, path, target) ?? shown;
    return { ...final, object: asResource(small, this.replay.old), before: undefined, path };
  }

  /** Undefined if the object is not a witness. */
  #shown(
    object: JsonObject,
    path: readonly DataStep[],
    target: Target,
  ): Pick<Witness, "errors" | "breaksStored" | "breaksManifest" | "isQuirk" | "dropped"> | undefined {
    const { old, new: next } = this.replay;
    const before = this.replay.rest(object, old);
    if (!isAccepted(before)) return undefined;
    const stored = this.replay.rest(withoutSystem(before.object), next);
    const breaksStored = isShown(stored, target, path);
    const isStatus = path[0] === "status" && old.hasStatus && next.hasStatus;
    const created = isStatus ? undefined : this.replay.create(object, next);
    const breaksManifest =
      created !== undefined && isShown(created, target, path) && isAccepted(this.replay.create(object, old));
    if (!breaksStored && !breaksManifest) return undefined;
    const outcome = breaksStored || created === undefined ? stored : created;
    const schemas = { old: old.schema, new: next.schema };
    const dropped = droppedFields(object, schemas).map((field) => formatDataPath(field.path));
    const isAccident =
      (this.#options.storedOnly === true && dropped.length > 0) ||
      isQuirk(object, schemas, errorsAbout(outcome.errors, target, path), this.#sampler.check);
    return { errors: textsOf(outcome), breaksStored, breaksManifest, isQuirk: isAccident, dropped };
  }

  #distance(object: JsonObject, path: readonly DataStep[], target: Target): number {
    const { old, new: next } = this.replay;
    const before = this.replay.rest(object, old);
    const wrong = badness(before);
    if (wrong > 0) return 1000 + wrong;
    return this.#shown(object, path, target) === undefined ? 1 + badness(this.replay.rest(object, next)) : 0;
  }

  #obstacles(object: JsonObject, path: readonly DataStep[], target: Target): readonly Obstacle[] {
    const { old, new: next } = this.replay;
    const of = (resource: CustomResource): Obstacle[] =>
      this.replay.rest(object, resource).errors.map((error) => ({ error, resource }));
    const before = of(old);
    if (before.length > 0) return before;
    return of(next).filter(({ error }) => !isAbout(error, target, path));
  }
}

const VALUES_IN_PAIRS = 4;

/** The first values of each place, and its absence; values that a rule names come first. */
function fewPerPlace(edits: readonly Edit[]): Edit[] {
  const counts = new Map<readonly DataStep[], number>();
  return edits.filter(({ path, value }) => {
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return value === undefined || count < VALUES_IN_PAIRS;
  });
}

function isShown(outcome: Outcome, target: Target, path: readonly DataStep[]): boolean {
  return outcome.problem !== undefined || outcome.errors.some((error) => isAbout(error, target, path));
}

function errorsAbout(errors: readonly FieldError[], target: Target, path: readonly DataStep[]): readonly FieldError[] {
  return errors.filter((error) => isAbout(error, target, path));
}

function textsOf({ errors, problem }: Outcome): readonly string[] {
  return problem === undefined ? errors.map(formatFieldError) : [problem];
}

/** Removes the fields that reading from storage adds, which are not part of the manifest. */
function withoutSystem(object: JsonObject): JsonObject {
  const copy = Object.assign(newObject(), object);
  if (isObject(copy["metadata"])) {
    const metadata = Object.assign(newObject(), copy["metadata"]);
    delete metadata["generation"];
    copy["metadata"] = metadata;
  }
  return copy;
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
