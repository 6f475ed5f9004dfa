/** What the cases of a run share: the version, and clusters made of the same objects. */
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { convertDrafts } from "../../policy/drafts.ts";
import { convertLanguages } from "../../policy/languages/conversion.ts";
import { type PolicyCluster, policyCluster } from "../../policy/policy-cluster.ts";
import { refusedPolicies } from "../../policy/policy-objects.ts";

/** A cluster, and what is to be said about the objects it is made of. */
export interface SuiteCluster {
  readonly policies: PolicyCluster;
  readonly notes: readonly string[];
  /** The API server's refusals of policies. */
  readonly refused: readonly string[];
}

export class SuiteContext {
  readonly engine: EngineOptions;
  readonly #clusters = new WeakMap<readonly JsonObject[], Promise<SuiteCluster>>();

  constructor(engine: EngineOptions) {
    this.engine = engine;
  }

  /** Cases with the same list of objects share what is compiled from it. */
  cluster(objects: readonly JsonObject[]): Promise<SuiteCluster> {
    const known = this.#clusters.get(objects);
    if (known !== undefined) return known;
    const made = this.#make(objects);
    this.#clusters.set(objects, made);
    return made;
  }

  async #make(objects: readonly JsonObject[]): Promise<SuiteCluster> {
    const drafts = convertDrafts(objects);
    const { objects: converted, losses } = convertLanguages(drafts.objects);
    const notes = [...drafts.notes, ...losses.map(({ object, path, message }) => `${object}: ${path}: ${message}`)];
    const policies = policyCluster(converted, this.engine);
    return { policies, notes, refused: await refusedPolicies(converted, policies.cluster) };
  }
}
