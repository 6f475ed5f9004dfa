/**
 * The ValidatingWebhookConfiguration in the cluster, kept in step with the policies and the certificates.
 *
 * Whatever changes it besides us is undone, its removal included. Several of us write the same thing, so they need not
 * agree on who does it.
 */
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isArray, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { type ClusterClient, ClusterError } from "./cluster/client.ts";
import { Backoff, pause } from "./cluster/pause.ts";
import { problemOf, Reflector } from "./cluster/reflector.ts";
import { type EntryOptions, webhookEntries } from "./entries.ts";
import * as messages from "./messages.ts";

export interface ConfigurationOptions extends Omit<EntryOptions, "caBundle"> {
  readonly client: ClusterClient;
  readonly name: string;
  readonly onWrite: (entries: number) => void;
  readonly onProblem: (problem: string) => void;
}

/** What entries are made from; undefined while not all of it is known. */
export type Wanted = () => { readonly policies: readonly AdmissionPolicy[]; readonly caBundle: string } | undefined;

const COLLECTION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
/** Changes that come together are written together. */
const GATHER_MS = 20;
const LONGEST_BACKOFF_MS = 5_000;

export class ConfigurationKeeper {
  readonly #options: ConfigurationOptions;
  readonly #wanted: Wanted;
  readonly #live: Reflector;
  readonly #stop = new AbortController();
  #isStale = false;
  #work: Promise<void> = Promise.resolve();
  #isWorking = false;
  #published: string | undefined;

  constructor(options: ConfigurationOptions, wanted: Wanted) {
    this.#options = options;
    this.#wanted = wanted;
    const { client, name, onProblem } = options;
    this.#live = new Reflector({ client, path: COLLECTION, name, onProblem, onChange: () => this.changed() });
  }

  /** The authorities that the configuration had when it was last found right. */
  get published(): string | undefined {
    return this.#published;
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#stop.abort(), { once: true });
    await this.#live.run(signal);
    await this.#work;
  }

  /** Something the configuration depends on is different now. */
  changed(): void {
    this.#isStale = true;
    if (this.#isWorking || this.#stop.signal.aborted) return;
    this.#isWorking = true;
    this.#work = this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(LONGEST_BACKOFF_MS);
    while (this.#isStale && !signal.aborted) {
      await pause(GATHER_MS, signal);
      this.#isStale = false;
      try {
        await this.#write();
        backoff.succeeded();
      } catch (error) {
        this.#isStale = true;
        if (!isRace(error)) this.#options.onProblem(messages.configurationFailed(problemOf(error)));
        await backoff.failed(signal);
      }
    }
    this.#isWorking = false;
  }

  async #write(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === undefined) return;
    const entries = webhookEntries(wanted.policies, { ...this.#options, caBundle: wanted.caBundle });
    try {
      await this.#store(entries);
    } catch (error) {
      const good = withoutRefused(entries, error);
      if (good === undefined) throw error;
      // One policy that cannot have an entry must not keep the others from theirs.
      this.#options.onProblem(messages.configurationFailed(problemOf(error)));
      await this.#store(good);
    }
    this.#published = wanted.caBundle;
  }

  async #store(entries: JsonObject[]): Promise<void> {
    const { client, name, onWrite } = this.#options;
    const live = await client.get(`${COLLECTION}/${name}`);
    const webhooks = live === undefined ? entries : withOthersBundles(entries, live);
    if (live !== undefined && deepEqual(isArray(live["webhooks"]) ? live["webhooks"] : [], webhooks)) return;
    if (live === undefined) await client.send("POST", COLLECTION, newConfiguration(name, webhooks));
    else await client.send("PUT", `${COLLECTION}/${name}`, withMember(live, "webhooks", webhooks));
    onWrite(webhooks.length);
  }
}

/** An entry without CAs keeps the caBundle that another writer has put into the stored one. */
export function withOthersBundles(entries: readonly JsonObject[], live: JsonObject): JsonObject[] {
  const stored = new Map(objectsOf(live["webhooks"]).map((each) => [each["name"], objectOf(each["clientConfig"])]));
  return entries.map((entry) => {
    const config = objectOf(entry["clientConfig"]);
    const bundle = config["caBundle"] ?? stored.get(entry["name"])?.["caBundle"];
    return bundle === undefined ? entry : withMember(entry, "clientConfig", withMember(config, "caBundle", bundle));
  });
}

/** The entries that the API server did not complain about; undefined if that is not what is wrong. */
export function withoutRefused(entries: readonly JsonObject[], error: unknown): JsonObject[] | undefined {
  if (!(error instanceof ClusterError) || error.status !== 422) return undefined;
  const refused = new Set(error.fields.map((field) => /^webhooks\[(\d+)\]/.exec(field)?.[1]));
  const good = entries.filter((_, index) => !refused.has(String(index)));
  return good.length < entries.length ? good : undefined;
}

function newConfiguration(name: string, webhooks: JsonObject[]): JsonObject {
  const labels = { "app.kubernetes.io/managed-by": "portcullis" };
  const made = fromPlain({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name, labels },
  });
  return withMember(objectOf(made), "webhooks", webhooks);
}

/** Somebody else wrote in between. */
function isRace(error: unknown): boolean {
  return error instanceof ClusterError && error.status === 409;
}
