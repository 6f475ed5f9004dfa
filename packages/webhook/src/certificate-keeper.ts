/** Takes the steps of `certificates.ts` when they are due, and hears of those that other replicas take. */

import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/read";
import {
  type CertificateState,
  firstState,
  fromSecret,
  type IssuedCertificate,
  nextState,
  type RotationTiming,
  stageOf,
  toSecret,
  withState,
} from "./certificates.ts";
import { type ClusterClient, ClusterError } from "./cluster/client.ts";
import { Backoff, pause } from "./cluster/pause.ts";
import { problemOf, Reflector } from "./cluster/reflector.ts";
import * as messages from "./messages.ts";

export interface CertificateOptions extends RotationTiming {
  readonly client: ClusterClient;
  readonly namespace: string;
  readonly secret: string;
  readonly issue: () => Promise<IssuedCertificate>;
  readonly now: () => number;
  readonly checkMs: number;
  readonly published: () => string | undefined;
  readonly onChange: (state: CertificateState) => void;
  readonly onLog: (text: string) => void;
  readonly onProblem: (problem: string) => void;
}

const LONGEST_BACKOFF_MS = 5_000;

export class CertificateKeeper {
  readonly #options: CertificateOptions;
  readonly #live: Reflector;
  #state: CertificateState | undefined;

  constructor(options: CertificateOptions) {
    this.#options = options;
    const { client, namespace, secret, onProblem } = options;
    const path = secretsPath(namespace);
    this.#live = new Reflector({ client, path, name: secret, onProblem, onChange: () => this.#receive() });
  }

  get state(): CertificateState | undefined {
    return this.#state;
  }

  /** The state in the cluster, made where there is none; tries until it works or the signal is given. */
  async load(signal: AbortSignal): Promise<CertificateState | undefined> {
    const backoff = new Backoff(LONGEST_BACKOFF_MS);
    while (!signal.aborted) {
      try {
        return this.#take(await this.#loadOnce());
      } catch (error) {
        if (!isRace(error)) this.#problem(error);
        await backoff.failed(signal);
      }
    }
    return undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#live.run(signal), this.#steps(signal)]);
  }

  async #steps(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.#options.checkMs, signal);
      if (signal.aborted) return;
      try {
        await this.#step();
      } catch (error) {
        if (!isRace(error)) this.#problem(error);
      }
    }
  }

  async #loadOnce(): Promise<CertificateState> {
    const { client, namespace, secret, issue, now } = this.#options;
    const stored = await client.get(this.#path());
    const found = stored && fromSecret(stored);
    if (found !== undefined) return found;
    const made = await firstState({ now: now(), issue });
    if (stored === undefined) await client.send("POST", secretsPath(namespace), toSecret(made, namespace, secret));
    else await client.send("PUT", this.#path(), withState(stored, made));
    return made;
  }

  /** The Secret's resourceVersion decides who of several takes a step. */
  async #step(): Promise<void> {
    const { client, now, published, issue, onLog } = this.#options;
    const stored = await client.get(this.#path());
    const state = stored && fromSecret(stored);
    if (stored === undefined || state === undefined) {
      this.#take(await this.#loadOnce());
      return;
    }
    const next = await nextState(state, this.#options, { now: now(), published: published(), issue });
    if (next === undefined) {
      this.#take(state);
      return;
    }
    await client.send("PUT", this.#path(), withState(stored, next));
    onLog(messages.certificatesMoved(stageOf(next)));
    this.#take(next);
  }

  #receive(): void {
    const { namespace, secret } = this.#options;
    const stored: JsonObject | undefined = this.#live.get(namespace, secret);
    const state = stored && fromSecret(objectOf(stored));
    // A watch may be behind our own last write; a read before each step is not.
    if (state !== undefined && state.changedAt >= (this.#state?.changedAt ?? 0)) this.#take(state);
  }

  #take(state: CertificateState): CertificateState {
    if (this.#state !== undefined && isSame(this.#state, state)) return this.#state;
    this.#state = state;
    this.#options.onChange(state);
    return state;
  }

  #path(): string {
    return `${secretsPath(this.#options.namespace)}/${this.#options.secret}`;
  }

  #problem(error: unknown): void {
    this.#options.onProblem(messages.certificatesFailed(problemOf(error)));
  }
}

function secretsPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/secrets`;
}

function isSame(left: CertificateState, right: CertificateState): boolean {
  const isTrustSame =
    left.authorities.map((each) => each.trim()).join() === right.authorities.map((each) => each.trim()).join();
  return isTrustSame && left.serving.cert === right.serving.cert && left.next?.cert === right.next?.cert;
}

function isRace(error: unknown): boolean {
  return error instanceof ClusterError && error.status === 409;
}
