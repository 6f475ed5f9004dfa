/**
 * Compares the nodes of `crossing-schemas.ts` with one another. The truth comes from validating the listed values, which
 * does not depend on the proofs: objects are created and stored under both CRDs, and updated from one to another.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { FieldError } from "@portcullis/engine/internal/field/error";
import type { CustomResource } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { Change } from "@portcullis/engine/internal/upgrade/change";
import { compareResources } from "@portcullis/engine/internal/upgrade/compare";
import { LocalCheck } from "@portcullis/engine/internal/upgrade/witness/local-check";
import { isQuirk } from "@portcullis/engine/internal/upgrade/witness/quirk";
import { isAccepted, type Outcome, Replay } from "@portcullis/engine/internal/upgrade/witness/replay";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { Random } from "../apply/random.ts";
import { CROSSINGS, FRAMES } from "./crossing-schemas.ts";
import { resourceOfRoot, wrongWitness } from "./trial.ts";

const MINOR = 36;
const MAX_UPDATES = 300;

export interface CrossingSide {
  readonly text: string;
  readonly resource: CustomResource;
}

export interface CrossingRun {
  readonly old: string;
  readonly new: string;
  readonly verdict: "safe" | "unsafe" | "unknown";
  /** An object that shows that the change breaks something; undefined if none of the values does. */
  readonly broken: string | undefined;
  readonly complaints: readonly string[];
}

/** All nodes of one list in one place, compiled once; nodes that the API server refuses are left out. */
export class CrossingTable {
  readonly sides: readonly CrossingSide[];
  readonly #objects: readonly JsonObject[];

  constructor(crossing: string, frame: string) {
    const [{ nodes, values } = { nodes: [], values: [] }, place] = [CROSSINGS[crossing], FRAMES[frame]];
    if (place === undefined) throw new Error(`no frame ${frame}`);
    this.sides = nodes.flatMap((node) => {
      const resource = resourceOfRoot(place.schema(node), false);
      return resource === undefined ? [] : [{ text: JSON.stringify(node), resource }];
    });
    const texts = [...values.flatMap(place.bodies), "{}", '{"spec":{}}', '{"spec":null}'];
    this.#objects = texts.map(parse);
  }

  /** A random pair of different nodes. */
  run(random: Random): CrossingRun {
    const old = random.pick([...this.sides]);
    const next = random.pick(this.sides.filter((side) => side !== old));
    const replay = new Replay(old.resource, next.resource);
    const changes = compareResources(old.resource, next.resource, { minor: MINOR, budget: 1500 });
    const validity = changes.filter(({ axis, witness }) => axis === "validity" && witness?.isQuirk !== true);
    const verdict = verdictOf(validity);
    const broken = this.#broken(replay, random, next.text.includes("oldSelf"));
    const complaints = validity.flatMap((change) => wrongWitness(change, replay));
    if (validity.some(({ isContradicted }) => isContradicted === true)) complaints.push("a proof was refuted");
    if (verdict === "safe" && broken !== undefined) complaints.push(`called safe, but refused: ${broken}`);
    return { old: old.text, new: next.text, verdict, broken, complaints };
  }

  #broken(replay: Replay, random: Random, hasTransitions: boolean): string | undefined {
    const { old } = replay;
    const accepted = this.#objects.filter((object) => isAccepted(replay.create(object, old)));
    for (const object of accepted) {
      const outcome = this.#refusal(object, replay);
      if (outcome !== undefined && !isAccident(object, replay, outcome.errors)) return canonicalJson(object);
    }
    for (let left = hasTransitions && accepted.length > 0 ? MAX_UPDATES : 0; left > 0; left--) {
      const [before, after] = [random.pick(accepted), random.pick(accepted)];
      const live = replay.create(before, old).object;
      if (!isAccepted(replay.update(after, live, old))) continue;
      const { errors } = replay.update(after, live, replay.new);
      if (errors.length > 0 && !isAccident(after, replay, errors))
        return `${canonicalJson(before)} to ${canonicalJson(after)}`;
    }
    return undefined;
  }

  /** What the new CRD refuses: the manifest, or what the old CRD stored of it. */
  #refusal(object: JsonObject, replay: Replay): Outcome | undefined {
    const created = replay.create(object, replay.new);
    if (!isAccepted(created)) return created;
    const stored = replay.rest(object, replay.old);
    const read = replay.rest(stored.object, replay.new);
    return isAccepted(stored) && !isAccepted(read) ? read : undefined;
  }
}

const check = new LocalCheck(MINOR);

function isAccident(object: JsonObject, { old, new: next }: Replay, errors: readonly FieldError[]): boolean {
  return isQuirk(object, { old: old.schema, new: next.schema }, errors, check);
}

function verdictOf(changes: readonly Change[]): CrossingRun["verdict"] {
  if (changes.some(({ verdict }) => verdict === "unsafe")) return "unsafe";
  return changes.some(({ verdict }) => verdict === "unknown") ? "unknown" : "safe";
}

function parse(text: string): JsonObject {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error(text);
  return decoded.value;
}
