/**
 * A collection of the cluster, kept in memory: listed once, then followed by watches.
 *
 * A watch that timed out is followed by one from the last resourceVersion of an event or a bookmark. If the server no
 * longer has that version (410), refuses the watch, ends it early, or the connection breaks, the collection is listed
 * again: a server that was restored from a backup gives old versions to new events, and a watch from the future would
 * wait for ever. For the same reason there is a new list from time to time. Readers see the old objects until a new
 * list is complete.
 */

import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import * as messages from "../messages.ts";
import { type ClusterClient, ClusterError } from "./client.ts";
import { Backoff } from "./pause.ts";

export interface ReflectorOptions {
  readonly client: ClusterClient;
  readonly path: string;
  /** Narrows the collection to one name. */
  readonly name?: string | undefined;
  readonly onChange: () => void;
  readonly onProblem: (problem: string) => void;
  /** Counts complete lists. */
  readonly onList?: (() => void) | undefined;
  /** How long a watch is asked to last; default 240. */
  readonly watchSeconds?: number | undefined;
}

const WATCH_SECONDS = 240;
const WATCH_GRACE_MS = 15_000;
const MARGIN_MS = 5_000;
const RELIST_MS = 15 * 60_000;
const LONGEST_BACKOFF_MS = 15_000;

export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #watchSeconds: number;
  #objects: Map<string, JsonObject> = new Map();
  #version = "";
  #isSynced = false;
  #listedAt = 0;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#watchSeconds = options.watchSeconds ?? WATCH_SECONDS;
  }

  /** True once the collection was complete. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  objects(): JsonObject[] {
    return [...this.#objects.values()];
  }

  /** Runs until the signal is aborted, or until the cluster no longer serves the collection. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(LONGEST_BACKOFF_MS);
    while (!signal.aborted) {
      try {
        if (this.#version === "" || Date.now() - this.#listedAt > RELIST_MS) await this.#list();
        const began = Date.now();
        await this.#watch(signal, () => backoff.succeeded());
        if (Date.now() - began >= this.#watchSeconds * 1000 - MARGIN_MS) continue;
        // The server stops, or something between us cuts connections: who answers next may know another history.
        this.#version = "";
        await backoff.failed(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#version = "";
        if (error instanceof ClusterError && error.status === 404) return this.#forget();
        if (!isExpiry(error)) this.#options.onProblem(messages.watchFailed(this.#options.path, problemOf(error)));
        await backoff.failed(signal);
      }
    }
  }

  async #list(): Promise<void> {
    const { client, path, onChange, onList } = this.#options;
    const { items, resourceVersion } = await client.list(path, this.#selector());
    this.#objects = new Map(items.map((item) => [objectKey(item), item]));
    this.#version = resourceVersion;
    this.#listedAt = Date.now();
    this.#isSynced = true;
    onList?.();
    onChange();
  }

  async #watch(signal: AbortSignal, onReceived: () => void): Promise<void> {
    const { client, path } = this.#options;
    const selector = this.#selector();
    const version = `resourceVersion=${encodeURIComponent(this.#version)}`;
    const query = `allowWatchBookmarks=true&timeoutSeconds=${this.#watchSeconds}&${version}`;
    await client.watch(path, {
      query: selector === "" ? query : `${query}&${selector}`,
      signal,
      deadlineMs: this.#watchSeconds * 1000 + WATCH_GRACE_MS,
      onEvent: (type, object) => {
        this.#receive(type, object);
        onReceived();
      },
    });
  }

  #receive(type: string, object: JsonObject): void {
    if (type === "ERROR") throw new ClusterError(codeOf(object["code"]), textOf(object["message"]));
    this.#version = textOf(objectOf(object["metadata"])["resourceVersion"]);
    if (type === "BOOKMARK") return;
    if (type === "DELETED") this.#objects.delete(objectKey(object));
    else this.#objects.set(objectKey(object), object);
    this.#options.onChange();
  }

  #forget(): void {
    this.#objects = new Map();
    this.#isSynced = false;
    this.#options.onChange();
  }

  #selector(): string {
    const { name } = this.#options;
    return name === undefined ? "" : `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  }
}

function objectKey(object: JsonObject): string {
  const meta = objectOf(object["metadata"]);
  return keyOf(textOf(meta["namespace"]), textOf(meta["name"]));
}

/** Neither part can have a slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function codeOf(code: JsonValue | undefined): number {
  return typeof code === "number" ? code : 500;
}

/** Part of the ordinary life of a watch. */
function isExpiry(error: unknown): boolean {
  return error instanceof ClusterError && error.status === 410;
}

export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
