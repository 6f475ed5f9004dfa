/**
 * A search for examples that is independent of the proof: objects with boundary values and constants at the places that
 * the expressions read, evaluated by the policies themselves. An example overrides any proof.
 */
import { normalInt } from "@portcullis/cel/internal";
import { deepCopy } from "../value/copy.ts";
import { Float64, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import type { Question } from "./difference.ts";
import type { Pool } from "./pool.ts";
import { asServiceAccount } from "./service-account.ts";
import { type Scenario, scenarioName } from "./sorts/kinds.ts";
import { objectSort } from "./sorts/object-sorts.ts";
import { sampleAlternative, toJson } from "./sorts/sample.ts";
import { skeletonItem } from "./sorts/skeletons.ts";
import type { OpenKeys, Sort } from "./sorts/sort.ts";
import { tick } from "./theory/time.ts";
import { type ProofRequest, type Replay, templateOf, type Witness, withName } from "./witness.ts";

/** The number of attempts for each form of request. */
const TRIES = 100;

/** Undefined if nothing was found. */
export function attack(
  questions: readonly Question[],
  shows: (witness: Witness) => boolean,
  replay: Replay,
  tries = TRIES,
): Witness | undefined {
  const scenarios = new Map(questions.map(({ scenario }) => [scenarioName(scenario), scenario]));
  const share = Math.max(10, Math.floor(tries / Math.max(1, scenarios.size / 4)));
  for (const scenario of scenarios.values()) {
    for (const witness of knownWitnesses(scenario, replay, share)) if (shows(witness)) return witness;
  }
  return undefined;
}

/** Requests of one form that were made so far; undefined for those that the API server refuses. */
interface Attempts {
  readonly maker: Maker;
  readonly made: (Witness | undefined)[];
}

const known = new WeakMap<Replay, Map<string, Attempts>>();

/** The same requests are used for all questions about one set of inputs. */
function* knownWitnesses(scenario: Scenario, replay: Replay, tries: number): Generator<Witness, void, void> {
  const all = known.get(replay) ?? new Map<string, Attempts>();
  known.set(replay, all);
  const name = scenarioName(scenario);
  const attempts = all.get(name) ?? { maker: new Maker(scenario, replay, new Random(1)), made: [] };
  all.set(name, attempts);
  for (let at = 0; at < tries; at++) {
    tick();
    if (at === attempts.made.length) attempts.made.push(attempts.maker.witness());
    const witness = attempts.made[at];
    if (witness !== undefined) yield witness;
  }
}

export interface RandomOptions {
  readonly tries: number;
  readonly seed: number;
}

/** Requests that reach the policies. The same seed gives the same requests. */
export function* randomWitnesses(
  scenario: Scenario,
  replay: Replay,
  { tries, seed }: RandomOptions,
): Generator<Witness, void, void> {
  const maker = new Maker(scenario, replay, new Random(seed));
  for (let at = 0; at < tries; at++) {
    const witness = maker.witness();
    if (witness !== undefined) yield witness;
  }
}

/** A small random number generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0 || 1;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}

/** The rest of a path, and the whole path as text. */
interface Reading {
  readonly path: readonly string[];
  readonly place: string;
}

class Maker {
  readonly #scenario: Scenario;
  readonly #replay: Replay;
  readonly #random: Random;
  readonly #sort: Sort;

  constructor(scenario: Scenario, replay: Replay, random: Random) {
    this.#scenario = scenario;
    this.#replay = replay;
    this.#random = random;
    this.#sort = objectSort(scenario);
  }

  /** A random request; undefined if the API server refuses it. */
  witness(): Witness | undefined {
    const attributes = this.#replay.admit(this.#request());
    return attributes && { attributes, namespace: undefined, params: [] };
  }

  #request(): ProofRequest {
    const { operation, kind } = this.#scenario;
    const { pool, namespaces, users } = this.#replay;
    const name = this.#random.below(3) === 0 ? this.#random.pick(pool.texts) || "example" : "example";
    const first = this.#object(templateOf(this.#scenario, name));
    const second =
      operation === "UPDATE"
        ? this.#object(this.#random.below(2) === 0 ? first : templateOf(this.#scenario, name))
        : undefined;
    const given = namespaces.flatMap((each) => nameOf(each) ?? []);
    const user = this.#random.pick([PLAIN_USER, ...users, this.#user(pool)]) ?? PLAIN_USER;
    return {
      scenario: this.#scenario,
      name,
      namespace: kind.namespaced ? (this.#random.pick([...given, "default"]) ?? "default") : "",
      object: operation === "DELETE" ? undefined : first,
      oldObject: operation === "DELETE" ? first : second,
      user,
      dryRun: this.#random.below(4) === 0,
      namespaceObject: undefined,
      params: [],
    };
  }

  #user({ texts }: Pool): ProofRequest["user"] {
    const [name, group] = [this.#random.pick(texts), this.#random.pick(texts)];
    const groups = ["system:authenticated", ...(group === undefined || group === "" ? [] : [group])];
    return asServiceAccount({ ...PLAIN_USER, name: name || "alice", groups });
  }

  /** Gives some of the places that are read another value. */
  #object(template: JsonObject): JsonObject {
    let made: JsonValue = deepCopy(template);
    for (const path of this.#replay.pool.paths) {
      if (this.#random.below(3) > 0 && path.join(".") !== "metadata.name")
        made = this.#change(made, { path, place: path.join(".") }, this.#sort, "");
    }
    const { metadata } = template;
    const name = isObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "example";
    return isObject(made) ? withName(made, name) : template;
  }

  #change(value: JsonValue | undefined, { path, place }: Reading, sort: Sort | undefined, list: string): JsonValue {
    const [step, ...rest] = path;
    if (step === undefined) return this.#value(sort) ?? value ?? null;
    if (step === "[]") return this.#changeItems(value, { path: rest, place }, sort, list);
    const object = isObject(value) ? Object.assign(newObject(), value) : newObject();
    if (rest.length === 0 && this.#random.below(4) === 0) {
      delete object[step];
      return object;
    }
    object[step] = this.#change(object[step], { path: rest, place }, propertySort(sort, step), step);
    return object;
  }

  #changeItems(value: JsonValue | undefined, rest: Reading, sort: Sort | undefined, list: string): JsonValue {
    const { place } = rest;
    if (isObject(value)) return this.#changeEntry(value, rest.path);
    const items = isArray(value) ? [...value] : [];
    const size = this.#random.below(4);
    const item = itemSort(sort);
    while (items.length < size) items.push(skeletonItem(list, items.length, place) ?? (item && sampleFor(item)) ?? "a");
    const kept = this.#random.below(4) === 0 ? items.slice(0, size) : items;
    return kept.map((each, at) =>
      this.#random.below(2) === 0 || at === 0 ? this.#change(each, rest, item, "") : each,
    );
  }

  #changeEntry(value: JsonObject, rest: readonly string[]): JsonObject {
    const made = Object.assign(newObject(), value);
    const key = this.#random.pick(this.#replay.pool.texts) ?? "a";
    if (rest.length === 0) made[key] = this.#random.pick(this.#replay.pool.texts) ?? "";
    return made;
  }

  /** A value of one of the possible kinds, often a constant of the expressions or one near it. */
  #value(sort: Sort | undefined): JsonValue | undefined {
    const alternative = sort && this.#random.pick(sort.alternatives());
    if (alternative === undefined) return this.#random.pick(this.#replay.pool.texts);
    const { pool } = this.#replay;
    const isPlain = this.#random.below(5) === 0;
    if (isPlain) return sampleAlternative(alternative);
    switch (alternative.kind) {
      case "string":
        return this.#random.pick(alternative.listed ?? pool.texts);
      case "int":
        return toJson(normalInt(this.#random.pick(alternative.listed ?? pool.ints) ?? 0n));
      case "double": {
        const value = this.#random.pick(pool.doubles) ?? 0.5;
        return alternative.integral || Number.isInteger(value) ? new Float64(Math.trunc(value)) : value;
      }
      case "bool":
        return this.#random.below(2) === 0;
      case "list":
        return this.#list(alternative.item());
      case "map":
        return alternative.open === undefined ? sampleAlternative(alternative) : this.#map(alternative.open);
      default:
        return sampleAlternative(alternative);
    }
  }

  /** Few keys, so that two maps often have the same ones. */
  #map(open: OpenKeys): JsonObject {
    const made = newObject();
    for (const key of ["a", this.#random.pick(this.#replay.pool.texts) ?? ""])
      if (key !== "" && this.#random.below(2) === 0) made[key] = this.#value(open.value()) ?? "a";
    return made;
  }

  #list(item: Sort): JsonValue[] {
    return Array.from({ length: this.#random.below(4) }, () => this.#value(item) ?? "a");
  }
}

const PLAIN_USER: ProofRequest["user"] = { name: "alice", uid: "", groups: ["system:authenticated"], extra: new Map() };

function sampleFor(sort: Sort): JsonValue | undefined {
  const [first] = sort.alternatives();
  return first && sampleAlternative(first);
}

function propertySort(sort: Sort | undefined, key: string): Sort | undefined {
  const map = sort?.alternatives().find((each) => each.kind === "map");
  return map?.kind === "map" ? map.property(key)?.sort : undefined;
}

function itemSort(sort: Sort | undefined): Sort | undefined {
  const list = sort?.alternatives().find((each) => each.kind === "list");
  return list?.kind === "list" ? list.item() : undefined;
}

function nameOf({ metadata }: JsonObject): string | undefined {
  const name = isObject(metadata) ? metadata["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
