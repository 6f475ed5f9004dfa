/**
 * The attack on a proof: values that the old CRD accepts at a place, validated against the new CRD.
 *
 * The attack does not use the proof. Its counterexamples are certain, because both CRDs have validated them.
 */
import { walk } from "@portcullis/cel/internal";
import type { FieldError } from "../../field/error.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { RuleNode } from "../../rules/tree.ts";
import { deepEqual } from "../../value/equal.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { ruleNodeAt } from "../contain/rule-node.ts";
import { ANYTHING, formatSchemaPath, type NodePair } from "../pairs.ts";
import { type DataStep, parseDataPath, placeValue, setAt } from "../place.ts";
import { isAccepted, type Replay } from "../witness/replay.ts";
import type { Sampler } from "../witness/sample.ts";
import { placeOfError } from "../witness/target.ts";
import { type Constants, collectRules, newConstants } from "./constants.ts";
import { SeededRandom } from "./random.ts";
import { AttackValues } from "./values.ts";

export interface Counterexample {
  readonly object: JsonObject;
  /** Set if a transition is refused: the object before the update. */
  readonly before: JsonObject | undefined;
  /** The place that was attacked. */
  readonly path: readonly DataStep[];
  readonly errors: readonly FieldError[];
}

export interface AttackOptions {
  /** The maximum number of objects to create. */
  readonly tries: number;
  readonly hasTransitions: boolean;
  /** Different seeds create different objects. */
  readonly seed?: string;
}

/** An object that the old CRD accepts. */
interface Accepted {
  readonly manifest: JsonObject;
  /** As the old CRD stores it. */
  readonly stored: JsonObject;
}

const MAX_STATES = 12;
/** The number of values in an object; larger objects are tried less often. */
const WORK_PER_TRY = 40;
/** Rules near the cost limit are tried less often as well; an ordinary object takes up to five runs, and up to 24 for transitions. */
const RUNS_PER_TRY = 50;

export class Attack {
  readonly #old: CustomResource;
  readonly #new: CustomResource;
  readonly #sampler: Sampler;
  readonly #replay: Replay;

  constructor(replay: Replay, sampler: Sampler) {
    this.#old = replay.old;
    this.#new = replay.new;
    this.#replay = replay;
    this.#sampler = sampler;
  }

  /** Objects that the old CRD accepts and the new one refuses. */
  *run(pair: NodePair, { tries, hasTransitions, seed = "" }: AttackOptions): Generator<Counterexample> {
    const values = this.#values(pair, seed);
    const bases = this.#bases(pair);
    const isRoot = pair.path.length === 0;
    const states: JsonObject[] = [];
    let work = tries * WORK_PER_TRY;
    const start = this.#replay.runs;
    for (let turn = 0; turn < tries && work > 0 && this.#replay.runs - start < tries * RUNS_PER_TRY; turn++) {
      const base = bases[turn % bases.length];
      if (base === undefined) return;
      const value = values.value(pair.old, pair.new, isRoot);
      const object = setAt(base.object, base.path, value);
      work -= sizeOf(object);
      const accepted = isObject(object) ? this.#accepted(object, base.path) : undefined;
      if (accepted === undefined) continue;
      const errors = this.#refusals(accepted);
      const { manifest } = accepted;
      if (errors !== undefined) yield { object: manifest, before: undefined, path: base.path, errors };
      if (!hasTransitions) continue;
      yield* this.#transitions(manifest, states, base.path);
      if (states.length < MAX_STATES) states.push(accepted.stored);
      else states[turn % MAX_STATES] = accepted.stored;
    }
  }

  #values(pair: NodePair, seed: string): AttackValues {
    const constants: Constants = newConstants();
    const mentioned = new Set<string>();
    for (const rules of [this.#old.rules, this.#new.rules]) {
      for (let length = pair.path.length; length >= 0; length--) {
        const node = ruleNodeAt(rules, pair.path.slice(0, length));
        collectRules(node, constants, length === pair.path.length ? 3 : 0);
        collectNames(node, mentioned);
      }
    }
    const random = new SeededRandom(`${seed}${formatSchemaPath(pair.path)}`);
    return new AttackValues({ sampler: this.#sampler, random, constants, mentioned });
  }

  /** Objects that have the place for the values. */
  #bases({ path, old }: NodePair): { readonly object: JsonObject; readonly path: readonly DataStep[] }[] {
    const found: { object: JsonObject; path: readonly DataStep[] }[] = [];
    const values = [...this.#sampler.samples(old, 3)];
    for (const value of values.length > 0 ? values : [newObject()]) {
      let count = 0;
      for (const placed of placeValue(this.#old.schema ?? ANYTHING, path, value, this.#sampler)) {
        if (count++ >= 2) break;
        if (isObject(placed.value)) found.push({ object: placed.value, path: placed.path });
      }
    }
    return found;
  }

  /** The object without the parts that the old CRD refuses; undefined if nothing acceptable is left. */
  #accepted(object: JsonObject, path: readonly DataStep[]): Accepted | undefined {
    let current = object;
    for (let round = 0; round < 3; round++) {
      const { errors, problem, object: stored } = this.#replay.rest(current, this.#old);
      if (problem !== undefined) return undefined;
      if (errors.length === 0) return { manifest: current, stored };
      const next = errors.slice(0, 4).reduce((at, error) => without(at, error, path), current);
      if (deepEqual(next, current)) return undefined;
      current = next;
    }
    return undefined;
  }

  /** Undefined if the new CRD accepts the object, both as it is stored and as it is written. */
  #refusals({ manifest, stored }: Accepted): readonly FieldError[] | undefined {
    const created = this.#replay.create(manifest, this.#new);
    if (!isAccepted(created) && isAccepted(this.#replay.create(manifest, this.#old))) return created.errors;
    const read = this.#replay.reread(stored);
    if (read !== undefined && !isAccepted(read)) return read.errors;
    return this.#old.hasStatus && this.#new.hasStatus ? this.#statusRefusals(manifest, stored) : undefined;
  }

  /** A created object has no status, so fields of it that the old CRD drops arrive with a write of the status. */
  #statusRefusals(manifest: JsonObject, stored: JsonObject): readonly FieldError[] | undefined {
    if (!hasKey(manifest, "status")) return undefined;
    const written = this.#replay.update(manifest, stored, this.#new, "status");
    if (isAccepted(written) || !isAccepted(this.#replay.update(manifest, stored, this.#old, "status")))
      return undefined;
    return written.errors;
  }

  *#transitions(
    after: JsonObject,
    states: readonly JsonObject[],
    path: readonly DataStep[],
  ): Generator<Counterexample> {
    for (const before of states) {
      if (!isAccepted(this.#replay.update(after, before, this.#old))) continue;
      const { errors } = this.#replay.update(after, before, this.#new);
      if (errors.length > 0) yield { object: after, before, path, errors };
    }
  }
}

function sizeOf(value: JsonValue): number {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  return isObject(value) ? Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 1) : 1;
}

function without(object: JsonObject, error: FieldError, path: readonly DataStep[]): JsonObject {
  const place = parseDataPath(placeOfError(error), object);
  if (place.length === 0 || place[0] === "metadata" || place.length < path.length) return object;
  const edited = setAt(object, place, undefined);
  return isObject(edited) ? edited : object;
}

function collectNames(node: RuleNode | undefined, found: Set<string>): void {
  for (const { ast } of node?.rules ?? []) {
    if (ast === undefined) continue;
    walk(ast.checked.expr, (expr) => {
      if (expr.kind === "select") found.add(expr.field);
    });
  }
}
