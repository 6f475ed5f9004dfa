/**
 * The parameters that policies refer to: one collection is followed for each kind that some policy names.
 *
 * A kind that the cluster does not serve is looked for again and again, since its definition may come later; one whose
 * definition goes is forgotten.
 */
import { formatKind, type GroupVersionKind, parseGroupVersion } from "@portcullis/engine/internal/policy/attributes";
import type { ParamResource, ParamSource } from "@portcullis/engine/internal/policy/params";
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import type { ClusterClient } from "./cluster/client.ts";
import type { Discovery, ServedResource } from "./cluster/discovery.ts";
import { Backoff, pause } from "./cluster/pause.ts";
import { problemOf, Reflector } from "./cluster/reflector.ts";

export interface ParamOptions {
  readonly client: ClusterClient;
  readonly discovery: Discovery;
  readonly onProblem: (problem: string) => void;
  readonly onList?: (() => void) | undefined;
}

export class ParamKinds implements ParamSource {
  readonly #options: ParamOptions;
  readonly #kinds = new Map<string, KindWatch>();

  constructor(options: ParamOptions) {
    this.#options = options;
  }

  /** Follows what these policies name, and nothing else. */
  follow(policies: readonly AdmissionPolicy[]): void {
    const wanted = new Map(policies.flatMap(paramKindOf).map((kind) => [formatKind(kind), kind]));
    for (const [key, watch] of this.#kinds) {
      if (wanted.has(key)) continue;
      watch.stop();
      this.#kinds.delete(key);
    }
    for (const [key, kind] of wanted) {
      if (!this.#kinds.has(key)) this.#kinds.set(key, new KindWatch(kind, this.#options));
    }
  }

  find(kind: GroupVersionKind): ParamResource | undefined {
    return this.#kinds.get(formatKind(kind))?.resource();
  }

  /** Waits a little for the objects of a kind that was named only just now. */
  async settled(policy: AdmissionPolicy, atMostMs: number): Promise<void> {
    for (const kind of paramKindOf(policy)) await this.#kinds.get(formatKind(kind))?.settled(atMostMs);
  }

  stop(): void {
    this.follow([]);
  }
}

/** None or one. */
function paramKindOf({ paramKind }: AdmissionPolicy): GroupVersionKind[] {
  const groupVersion = paramKind && parseGroupVersion(paramKind.apiVersion);
  return paramKind === undefined || groupVersion === undefined ? [] : [{ ...groupVersion, kind: paramKind.kind }];
}

const LONGEST_SEARCH_MS = 5_000;
const GLANCE_MS = 20;
const PENDING: ParamResource = { namespaced: false, pending: true, get: () => undefined, list: () => [] };

type Found =
  | { readonly state: "unknown" | "absent" }
  | { readonly state: "served"; readonly served: ServedResource; readonly reflector: Reflector };

class KindWatch {
  readonly #kind: GroupVersionKind;
  readonly #options: ParamOptions;
  readonly #stop = new AbortController();
  #found: Found = { state: "unknown" };

  constructor(kind: GroupVersionKind, options: ParamOptions) {
    this.#kind = kind;
    this.#options = options;
    void this.#run();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Undefined if the kind is not served. */
  resource(): ParamResource | undefined {
    const found = this.#found;
    if (found.state !== "served") return found.state === "absent" ? undefined : PENDING;
    const { served, reflector } = found;
    return {
      namespaced: served.namespaced,
      pending: !reflector.isSynced,
      get: (namespace, name) => reflector.get(namespace, name),
      list: (namespace) => reflector.objects().filter((object) => isWithin(object, namespace, served.namespaced)),
    };
  }

  async settled(atMostMs: number): Promise<void> {
    for (let waited = 0; waited < atMostMs && this.resource()?.pending === true; waited += GLANCE_MS) {
      await pause(GLANCE_MS, this.#stop.signal);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(LONGEST_SEARCH_MS);
    while (!signal.aborted) {
      try {
        await this.#search(signal);
      } catch (error) {
        this.#options.onProblem(problemOf(error));
      }
      if (!signal.aborted) await backoff.failed(signal);
    }
  }

  async #search(signal: AbortSignal): Promise<void> {
    const { client, discovery, onProblem, onList } = this.#options;
    const served = await discovery.resolve(this.#kind);
    if (served === undefined) {
      this.#found = { state: "absent" };
      return;
    }
    const reflector = new Reflector({ client, path: served.path, onChange: () => {}, onProblem, onList });
    this.#found = { state: "served", served, reflector };
    await reflector.run(signal);
    this.#found = { state: "absent" };
  }
}

function isWithin(object: JsonObject, namespace: string, namespaced: boolean): boolean {
  return !namespaced || textOf(objectOf(object["metadata"])["namespace"]) === namespace;
}
