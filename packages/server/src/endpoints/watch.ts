/**
 * Watches: one JSON document a line, or one protobuf message behind its length, until the client goes, the time is up or history has been lost.
 *
 * Without a resourceVersion a watch starts with the present objects as ADDED. A version that is too old is answered with
 * 200 and one ERROR event, as clients expect.
 */
import { encodeProtobuf, encodeWatchEvent } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { compileLong } from "@portcullis/engine/internal/selector/labels";
import { bareError, resourceExpired, StatusError, statusBody } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { parseUint } from "@portcullis/gostd/strconv";
import type { ApiResponse, StreamSink } from "../http/exchange.ts";
import { scopeOf } from "../observe/server-metrics.ts";
import { decodeEntry, prefixOf, prepareEntries } from "../registry/object-codec.ts";
import { Compacted, type Entry, type StoreEvent, type Subscription } from "../storage/store.ts";
import { BEFORE_END_MS, BOOKMARK_MS, bookmark } from "../watch/bookmark.ts";
import { INITIAL_PENDING, MAX_BACKLOG, MAX_PENDING, MAX_WAITING } from "../watch/limits.ts";
import { lineOf, type SharedForm, sharedForm, sharedLine, toWatchEvent, type WatchEvent } from "../watch/watcher.ts";
import type { Call } from "./call.ts";
import { matches, waitForRevision } from "./list.ts";
import * as messages from "./messages.ts";
import { negotiateStream, type Output, streamType } from "./negotiate.ts";
import type { ListRequest } from "./options.ts";
import { checkTableOptions, transform } from "./output.ts";
import { COMMON_HEADERS } from "./respond.ts";

export async function handleWatch(call: Call, selection: ListRequest): Promise<ApiResponse> {
  const output = negotiateStream(call);
  const { resourceVersion } = selection;
  const parsed = resourceVersion === "" ? undefined : parseUint(resourceVersion, 10, 64);
  if (parsed?.error !== undefined) throw bareError(messages.badVersion(resourceVersion, parsed.error));
  checkTableOptions(output, call.info.query);
  const stream = new WatchStream(call, selection, output, Number(parsed?.value ?? 0n));
  return {
    status: 200,
    headers: [...COMMON_HEADERS, ["Content-Type", streamType(output)]],
    body: {
      start: (sink) => void stream.start(sink),
      cancel: () => stream.stop(),
      initialized: stream.initialized,
    },
  };
}

/** How many objects of the present state are read at once. */
const CHUNK = 512;
const MIN_TIMEOUT_MS = 1800 * 1000;

/** What happened before the change is still sent. */
const RETIRED_MS = 1000;

class WatchStream {
  readonly #call: Call;
  readonly #selection: ListRequest;
  readonly #output: Output;
  readonly #after: number;
  #sink: StreamSink | undefined;
  #subscription: Subscription | undefined;
  /** What is sent after all that waits for a conversion; undefined if nothing does. */
  #waiting: Promise<void> | undefined;
  #waitingCount = 0;
  /** Events since the revision that the client knows, sent as fast as it takes them; undefined once it is up to date. */
  #backlog: StoreEvent[] | undefined;
  readonly #timers: ReturnType<typeof setTimeout>[] = [];
  #isFirst = true;
  #release: (() => void) | undefined;
  #isStopped = false;
  #setInitialized = (): void => {};
  /** Resolves when the present state has been sent, or will not be. */
  readonly initialized = new Promise<void>((resolve) => {
    this.#setInitialized = resolve;
  });

  constructor(call: Call, selection: ListRequest, output: Output, after: number) {
    this.#call = call;
    this.#selection = selection;
    this.#output = output;
    this.#after = after;
    compileLong(selection.labels);
  }

  async start(sink: StreamSink): Promise<void> {
    this.#sink = sink;
    this.#setTimers();
    this.#endWithKind();
    try {
      await this.#subscribe();
    } catch (error) {
      if (error instanceof Compacted) this.#fail(resourceExpired(messages.watchTooOld(this.#after, error.compacted)));
      else this.#failOrEnd(error);
    }
  }

  /** The client has gone. */
  stop(): void {
    this.#isStopped = true;
    this.#setInitialized();
    this.#subscription?.close();
    this.#release?.();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #subscribe(): Promise<void> {
    const { subscribe, endpoint, info } = this.#call;
    const prefix = prefixOf(endpoint.type, info.namespace);
    const after = await this.#sendInitial(prefix);
    this.#setInitialized();
    if (this.#isStopped) return;
    this.#backlog = [];
    const subscription = await subscribe(prefix, after, {
      event: (event) => this.#receive(event),
      failed: (error) => {
        if (error instanceof Compacted) {
          this.#inOrder(undefined, () => this.#fail(resourceExpired(messages.watchTooOld(after, error.compacted))));
        } else this.#end();
      },
    });
    this.#subscription = subscription;
    if (this.#isStopped) subscription.close();
    else await this.#sendBacklog();
  }

  /** Otherwise a client that missed more than may be pending could never catch up. */
  async #sendBacklog(): Promise<void> {
    const backlog = this.#backlog ?? [];
    const { endpoint, pause } = this.#call;
    for (let sent = 0; sent < backlog.length && !this.#isStopped; sent++) {
      const event = backlog[sent] as StoreEvent;
      await prepareEntries([event.entry, event.previous], endpoint.type);
      this.#show(event);
      await pause();
      if ((this.#sink?.pending() ?? 0) > INITIAL_PENDING) await this.#sink?.drained();
    }
    this.#backlog = undefined;
  }

  /** The present state, where it is asked for; what follows is watched from its revision. */
  async #sendInitial(prefix: string): Promise<number> {
    const { sendInitialEvents, allowBookmarks } = this.#selection;
    const { server, endpoint } = this.#call;
    if (!(sendInitialEvents ?? this.#after === 0)) {
      return this.#after === 0 ? server.store.revision() : this.#after;
    }
    const started = server.metrics.clock();
    if (this.#after > 0) await waitForRevision(this.#call, BigInt(this.#after));
    let { entries, revision, remaining } = await server.store.list(prefix, { limit: CHUNK });
    for (;;) {
      await prepareEntries(entries, endpoint.type);
      await this.#sendEntries(entries);
      const last = entries.at(-1);
      if (this.#isStopped || remaining === 0 || last === undefined) break;
      const start = `${last.key}\0`;
      ({ entries, remaining } = await server.store.list(prefix, { start, revision, limit: CHUNK }));
    }
    if (sendInitialEvents === true && allowBookmarks) this.#endInitial(revision, started);
    return revision;
  }

  #endInitial(revision: number, started: number): void {
    const { server, endpoint, info } = this.#call;
    const { group, version, plural: resource } = endpoint.type;
    this.#send(bookmark(endpoint.type, revision, true));
    const { metrics } = server;
    metrics.watches.listed({ group, version, resource, scope: scopeOf(info) }, metrics.clock() - started);
  }

  async #sendEntries(entries: readonly Entry[]): Promise<void> {
    const { endpoint, pause } = this.#call;
    for (const entry of entries) {
      const pausing = pause();
      if (pausing !== undefined) await pausing;
      const object = decodeEntry(entry, endpoint.type);
      if (matches(object, this.#selection, endpoint.type)) this.#send({ type: "ADDED", object });
      if ((this.#sink?.pending() ?? 0) > INITIAL_PENDING) await this.#sink?.drained();
      if (this.#isStopped) return;
    }
  }

  #receive(event: StoreEvent): void {
    if (this.#isStopped) return;
    if (this.#backlog !== undefined) {
      if (this.#backlog.push(event) > MAX_BACKLOG) this.#end();
      return;
    }
    const ready = prepareEntries([event.entry, event.previous], this.#call.endpoint.type);
    this.#inOrder(ready, () => this.#show(event));
  }

  /** At once, unless it or something before it has to be waited for. */
  #inOrder(ready: Promise<void> | undefined, next: () => void): void {
    if (ready === undefined && this.#waiting === undefined) {
      try {
        next();
      } catch (error) {
        this.#failOrEnd(error); // Such as an object in an unknown encoding, which must not disturb others.
      }
      return;
    }
    if (++this.#waitingCount > MAX_WAITING) this.#end();
    // What fails before its turn is dealt with in its turn.
    ready?.catch(() => {});
    const turn: Promise<void> = (this.#waiting ?? Promise.resolve())
      .then(() => ready)
      .then(next)
      .catch((error) => this.#failOrEnd(error))
      .finally(() => {
        this.#waitingCount--;
        if (this.#waiting === turn) this.#waiting = undefined;
      });
    this.#waiting = turn;
  }

  #show(event: StoreEvent): void {
    if (this.#isStopped) return;
    const { type } = this.#call.endpoint;
    const seen = toWatchEvent(event, type, (object) => matches(object, this.#selection, type));
    if (seen === undefined) return;
    this.#write(sharedLine(event, type, seen, this.#form()));
    this.#isFirst = false;
  }

  /** Undefined for plain JSON. Rows of tables have ages in seconds. */
  #form(): SharedForm | undefined {
    const { format, convert } = this.#output;
    if (convert === undefined && format === "json") return undefined;
    const parts = [format, convert, this.#call.info.query.get("includeObject")?.[0], this.#isFirst];
    return sharedForm(parts, Math.floor(this.#call.now() / 1000), (seen) => this.#encoded(seen));
  }

  #send(event: WatchEvent): void {
    if (this.#isStopped) return;
    this.#write(this.#encoded(event));
    if (event.type !== "ERROR") this.#isFirst = false;
  }

  #encoded(event: WatchEvent): string | Uint8Array {
    const { type } = event;
    const object = this.#shown(event);
    const bytes = this.#output.format === "protobuf" ? encodeProtobuf(object) : undefined;
    return bytes === undefined ? lineOf({ type, object }) : encodeWatchEvent(type, bytes);
  }

  /** Column headers come once. */
  #shown({ type, object }: WatchEvent): JsonObject {
    if (type === "ERROR") return object;
    const { endpoint, info, now } = this.#call;
    const [output, query, withHeaders] = [this.#output, info.query, this.#isFirst];
    return transform(object, { type: endpoint.type, output, query, now: now(), withHeaders });
  }

  #write(part: string | Uint8Array): void {
    const { endpoint, server } = this.#call;
    const { group, version, plural: resource } = endpoint.type;
    server.metrics.watches.sent({ group, version, resource }, part.length);
    this.#sink?.write(part);
    if ((this.#sink?.pending() ?? 0) <= MAX_PENDING || this.#isStopped) return;
    this.stop();
    this.#sink?.cut();
  }

  #fail(error: StatusError): void {
    this.#send({ type: "ERROR", object: statusBody(error) });
    this.#end();
  }

  /** A refusal is sent as it is; after any other error the client may retry. */
  #failOrEnd(error: unknown): void {
    if (error instanceof StatusError) this.#fail(error);
    else this.#end();
  }

  #end(): void {
    if (this.#isStopped) return;
    this.stop();
    this.#sink?.end();
  }

  /** When the CRD changes, the client has to come again to see objects as they are served from now on. */
  #endWithKind(): void {
    const { endpoint, server } = this.#call;
    this.#release = server.registry.untilRetired(endpoint.type, () => {
      this.#timers.push(setTimeout(() => this.#end(), RETIRED_MS));
    });
  }

  #setTimers(): void {
    const { timeoutSeconds, allowBookmarks } = this.#selection;
    const isSet = timeoutSeconds !== undefined && timeoutSeconds > 0;
    const timeout = isSet ? timeoutSeconds * 1000 : MIN_TIMEOUT_MS * (1 + Math.random());
    this.#timers.push(setTimeout(() => this.#end(), timeout));
    if (!allowBookmarks) return;
    this.#timers.push(setInterval(() => void this.#sendBookmark(), BOOKMARK_MS));
    if (timeout > BEFORE_END_MS)
      this.#timers.push(setTimeout(() => void this.#sendBookmark(), timeout - BEFORE_END_MS));
  }

  async #sendBookmark(): Promise<void> {
    if (this.#subscription === undefined || this.#backlog !== undefined) return;
    const revision = await this.#call.server.store.revision();
    // A watch of what is still to come has not come anywhere yet.
    if (revision >= this.#after)
      this.#inOrder(undefined, () => this.#send(bookmark(this.#call.endpoint.type, revision)));
  }
}
