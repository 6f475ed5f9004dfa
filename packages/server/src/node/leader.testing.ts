/** Leader election through a Lease, as client-go does it; the official client for Node has none of its own. */
import { CoordinationV1Api, type KubeConfig, type V1Lease, V1MicroTime } from "@kubernetes/client-node";
import { sleep } from "./scratch.testing.ts";

export interface CandidateOptions {
  readonly name: string;
  readonly lease: string;
  /** How long a leader may be silent. */
  readonly seconds: number;
}

export interface Term {
  readonly holder: string;
  readonly transitions: number;
  isOver: boolean;
}

const NAMESPACE = "default";
const RETRY_MS = 20;

export class Candidate {
  readonly #leases: CoordinationV1Api;
  readonly #options: CandidateOptions;
  /** As last written by this candidate. */
  #held: V1Lease | undefined;
  /** The state of another holder's lease, and when it was first seen: clocks are not compared. */
  #observed: { readonly version: string; readonly at: number } | undefined;

  constructor(config: KubeConfig, options: CandidateOptions) {
    this.#leases = config.makeApiClient(CoordinationV1Api);
    this.#options = options;
  }

  /** Resolves when this candidate leads. */
  async lead(): Promise<Term> {
    for (;;) {
      const term = await this.#attempt().catch(ignoreRaces);
      if (term !== undefined) return term;
      await sleep(RETRY_MS);
    }
  }

  /** Rejects with a conflict if another client leads by now. */
  async renew(): Promise<void> {
    if (this.#held === undefined) throw new Error("does not lead");
    const spec = { ...this.#held.spec, renewTime: this.#now() };
    this.#held = await this.#replace({ ...this.#held, spec });
  }

  async release(): Promise<void> {
    if (this.#held === undefined) return;
    await this.#replace({ ...this.#held, spec: { ...this.#held.spec, holderIdentity: "" } });
    this.#held = undefined;
  }

  async #attempt(): Promise<Term | undefined> {
    const { lease, name } = this.#options;
    const found = await this.#leases.readNamespacedLease({ name: lease, namespace: NAMESPACE }).catch(ignoreMissing);
    if (found === undefined) return this.#take(undefined);
    const holder = found.spec?.holderIdentity ?? "";
    if (holder === "" || holder === name || this.#isSilent(found)) return this.#take(found);
    return undefined;
  }

  async #take(old: V1Lease | undefined): Promise<Term> {
    const { lease, name, seconds } = this.#options;
    const transitions = old === undefined ? 0 : (old.spec?.leaseTransitions ?? 0) + 1;
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: seconds,
      leaseTransitions: transitions,
      acquireTime: this.#now(),
      renewTime: this.#now(),
    };
    this.#held =
      old === undefined
        ? await this.#leases.createNamespacedLease({ namespace: NAMESPACE, body: { metadata: { name: lease }, spec } })
        : await this.#replace({ ...old, spec });
    return { holder: name, transitions, isOver: false };
  }

  #replace(body: V1Lease): Promise<V1Lease> {
    return this.#leases.replaceNamespacedLease({ name: this.#options.lease, namespace: NAMESPACE, body });
  }

  #isSilent({ metadata, spec }: V1Lease): boolean {
    const version = metadata?.resourceVersion ?? "";
    if (this.#observed?.version !== version) this.#observed = { version, at: performance.now() };
    return performance.now() - this.#observed.at > (spec?.leaseDurationSeconds ?? 0) * 1000;
  }

  #now(): V1MicroTime {
    return new V1MicroTime(Date.now());
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 404) throw error;
}

/** Somebody else was faster. */
function ignoreRaces(error: unknown): undefined {
  if (codeOf(error) !== 409) throw error;
}
