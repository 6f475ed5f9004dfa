/** Shows that an object is a witness: runs it through both CRDs, and repairs and minimizes it. */
import type { FieldError } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { type DataStep, formatDataPath } from "../place.ts";
import { minimize } from "./minimize.ts";
import { droppedFields, isQuirk } from "./quirk.ts";
import { badness, type Obstacle, repair } from "./repair.ts";
import { asResource, isAccepted, type Outcome, type Replay } from "./replay.ts";
import type { Sampler } from "./sample.ts";
import { isAbout, type Target } from "./target.ts";

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

export interface FinderOptions {
  /** The maximum number of objects to try. */
  readonly budget: number;
  /** Whether a manifest with fields that the old CRD drops shows nothing. */
  readonly storedOnly?: boolean | undefined;
}

export class WitnessCheck {
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

  /** The object, repaired if necessary. `locked` must stay unchanged; the error is expected at the path. */
  attempt(
    object: JsonObject,
    path: readonly DataStep[],
    target: Target,
    locked: readonly DataStep[] = path,
  ): Witness | undefined {
    const seen = this.witness(object, path, target);
    if (seen !== undefined) return seen;
    const goal = {
      locked,
      distance: (each: JsonObject) => this.#distance(each, path, target),
      obstacles: (each: JsonObject) => this.#obstacles(each, path, target),
    };
    const repaired = repair(object, goal, this.#sampler);
    return repaired && this.witness(repaired, path, target);
  }

  /** A stored object and an update of it, if only the new CRD refuses the update. */
  transition(after: JsonObject, before: JsonObject, path: readonly DataStep[], target: Target): Witness | undefined {
    const { old, new: next } = this.replay;
    const through = path[0] === "status" && old.hasStatus && next.hasStatus ? "status" : "resource";
    // An object that the old CRD refuses is only stored if an earlier one let it in.
    if (!isAccepted(this.replay.rest(before, old))) return undefined;
    if (!isAccepted(this.replay.update(after, before, old, through))) return undefined;
    const outcome = this.replay.update(after, before, next, through);
    const errors = errorsAbout(outcome.errors, target, path);
    return errors.length > 0 ? this.#pairWitness(after, before, path, errors) : undefined;
  }

  #pairWitness(
    after: JsonObject,
    before: JsonObject,
    path: readonly DataStep[],
    errors: readonly FieldError[],
  ): Witness {
    const { old, new: next } = this.replay;
    const schemas = { old: old.schema, new: next.schema };
    const dropped = droppedFields(after, schemas).map((field) => formatDataPath(field.path));
    const isUnstored = this.#options.storedOnly === true && dropped.length > 0;
    return {
      object: asResource(after, old),
      before: asResource(before, old),
      errors: errors.map(formatFieldError),
      path,
      breaksStored: false,
      breaksManifest: true,
      isQuirk: isUnstored || [after, before].some((object) => isQuirk(object, schemas, errors, this.#sampler.check)),
      dropped,
    };
  }

  /** The minimized object, if it is a witness. */
  witness(object: JsonObject, path: readonly DataStep[], target: Target): Witness | undefined {
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
    const stored = this.replay.reread(withoutSystem(before.object));
    const breaksStored = stored !== undefined && isShown(stored, target, path);
    const isStatus = path[0] === "status" && old.hasStatus && next.hasStatus;
    const write = (resource: CustomResource): Outcome =>
      isStatus ? this.replay.update(object, before.object, resource, "status") : this.replay.create(object, resource);
    const written = write(next);
    const breaksManifest = isShown(written, target, path) && isAccepted(write(old));
    if (!breaksStored && !breaksManifest) return undefined;
    const outcome = breaksStored ? stored : written;
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
