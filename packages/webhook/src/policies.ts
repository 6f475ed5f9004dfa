/** The cluster's policies, their bindings, and the namespaces, followed by watches; ready once all three are complete. */

import { loadBinding, type PolicyBinding } from "@portcullis/engine/internal/policy/binding";
import { nameOf } from "@portcullis/engine/internal/policy/params";
import { type AdmissionPolicy, loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { ClusterClient } from "./cluster/client.ts";
import { Backoff } from "./cluster/pause.ts";
import { Reflector } from "./cluster/reflector.ts";
import * as messages from "./messages.ts";

export interface PolicySourceOptions {
  readonly client: ClusterClient;
  /** Where policies are served, such as `/apis/admissionregistration.k8s.io/v1`. */
  readonly policyApi: string;
  /** Something about policies or bindings is different now. */
  readonly onChange: () => void;
  readonly onProblem: (problem: string) => void;
  readonly onList?: (() => void) | undefined;
}

/** The policies at one moment. */
export interface PolicyState {
  /** Each policy alone with its bindings, as it is asked about. */
  readonly sets: ReadonlyMap<string, PolicySet>;
  /** By name; those without a binding do nothing and are left out. */
  readonly bound: readonly AdmissionPolicy[];
}

const LONGEST_BACKOFF_MS = 15_000;

export class PolicySource {
  readonly #options: PolicySourceOptions;
  readonly #policies: Reflector;
  readonly #bindings: Reflector;
  readonly #namespaces: Reflector;
  readonly #loadedPolicies = new WeakMap<JsonObject, AdmissionPolicy>();
  readonly #loadedBindings = new WeakMap<JsonObject, PolicyBinding>();
  #state: PolicyState | undefined;

  constructor(options: PolicySourceOptions) {
    this.#options = options;
    const changed = (): void => {
      this.#state = undefined;
      if (this.isReady) options.onChange();
    };
    this.#policies = this.#reflector(`${options.policyApi}/validatingadmissionpolicies`, changed);
    this.#bindings = this.#reflector(`${options.policyApi}/validatingadmissionpolicybindings`, changed);
    // Readiness may hang on the namespaces alone, so the first complete list of them counts as a change too.
    let isListed = false;
    this.#namespaces = this.#reflector("/api/v1/namespaces", () => {
      if (!isListed) changed();
      isListed = true;
    });
  }

  get isReady(): boolean {
    return this.#policies.isSynced && this.#bindings.isSynced && this.#namespaces.isSynced;
  }

  /** Ends when the signal is given. */
  async run(signal: AbortSignal): Promise<void> {
    const all: readonly (readonly [string, Reflector])[] = [
      ["validatingadmissionpolicies", this.#policies],
      ["validatingadmissionpolicybindings", this.#bindings],
      ["namespaces", this.#namespaces],
    ];
    await Promise.all(all.map(([what, reflector]) => this.#keepRunning(what, reflector, signal)));
  }

  state(): PolicyState {
    this.#state ??= this.#build();
    return this.#state;
  }

  /** The policies as they are stored. */
  objects(): readonly JsonObject[] {
    return this.#policies.objects();
  }

  namespace(name: string): JsonObject | undefined {
    return this.#namespaces.get("", name);
  }

  #reflector(path: string, onChange: () => void): Reflector {
    const { client, onProblem, onList } = this.#options;
    return new Reflector({ client, path, onChange, onProblem, onList });
  }

  /** A cluster that does not serve policies may do so later. */
  async #keepRunning(what: string, reflector: Reflector, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(LONGEST_BACKOFF_MS);
    while (!signal.aborted) {
      await reflector.run(signal);
      if (signal.aborted) return;
      this.#options.onProblem(messages.notServed(what));
      await backoff.failed(signal);
    }
  }

  #build(): PolicyState {
    const policies = this.#policies.objects().map((object) => loaded(object, this.#loadedPolicies, loadPolicy));
    const bindings = this.#bindings.objects().map((object) => loaded(object, this.#loadedBindings, loadBinding));
    const all = new PolicySet(policies, bindings);
    const sets = new Map(all.unbound.map((policy) => [policy.name, new PolicySet([policy], [])]));
    for (const { policy, bindings: bound } of all.hooks) {
      const own = bound.map(({ binding }) => binding);
      sets.set(policy.name, new PolicySet([policy], own));
    }
    return { sets, bound: all.hooks.map(({ policy }) => policy) };
  }

  /** Asks the cluster itself, for what our memory does not have. */
  async existsNow(policy: string): Promise<boolean> {
    const { client, policyApi } = this.#options;
    const path = `${policyApi}/validatingadmissionpolicies/${encodeURIComponent(policy)}`;
    return (await client.get(path)) !== undefined;
  }

  async namespaceNow(name: string): Promise<JsonObject | undefined> {
    const known = this.namespace(name);
    if (known !== undefined) return known;
    const found = await this.#options.client.get(`/api/v1/namespaces/${encodeURIComponent(name)}`);
    return found !== undefined && nameOf(found) === name ? found : undefined;
  }
}

/** An object that did not change keeps its policy, and with it the compiled expressions. */
function loaded<T>(object: JsonObject, known: WeakMap<JsonObject, T>, load: (object: JsonObject) => T): T {
  let found = known.get(object);
  if (found === undefined) {
    found = load(object);
    known.set(object, found);
  }
  return found;
}
