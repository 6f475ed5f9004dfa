/** One watch on one member of the cluster, from its start to its end. */
import type { OpenStream } from "../grpc/channel.ts";
import type { Endpoint } from "./client.ts";
import {
  decodeWatchResponse,
  encodeWatchCreate,
  encodeWatchProgress,
  type KeyRange,
  STATUS,
  type WatchEvent,
  type WatchResponse,
} from "./protocol.ts";

export interface WatchSink {
  /** In order, each once. */
  events(events: readonly WatchEvent[]): void;
  /** Everything up to this revision has been delivered. */
  progress(revision: number): void;
}

export interface WatchEnd {
  readonly reason: string;
  /** Set if the watch asked for compacted revisions: the first that is left. */
  readonly compacted?: number;
}

export class WatchStream {
  readonly endpoint: Endpoint;
  readonly ended: Promise<WatchEnd>;
  readonly #call: OpenStream;
  #end: (end: WatchEnd) => void = () => {};
  /** When the member was asked something, until it says anything. */
  #askedAt: number | undefined;
  #isProgressReliable: Promise<boolean> | undefined;
  #isLive = false;

  constructor(endpoint: Endpoint, { range, start, sink }: { range: KeyRange; start: number; sink: WatchSink }) {
    this.endpoint = endpoint;
    this.ended = new Promise((resolve) => {
      this.#end = (end) => {
        this.#isLive = false;
        resolve(end);
      };
    });
    this.#call = endpoint.openWatch({
      message: (bytes) => this.#receive(decodeWatchResponse(bytes), sink),
      ended: ({ message }) => this.#end({ reason: message }),
    });
    this.#call.send(encodeWatchCreate(range, start));
  }

  /** Whether the member has begun to watch: from then on no event is missed without the end of the stream. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /**
   * Asks how far the watch has come. Resolves to false without asking if the member's answer could not be trusted: before
   * 3.4.25 and 3.5.8 it may overtake events.
   */
  async requestProgress(): Promise<boolean> {
    this.#askedAt ??= Date.now();
    this.#isProgressReliable ??= askReliability(this.endpoint);
    if (!(await this.#isProgressReliable)) return false;
    this.#call.send(encodeWatchProgress());
    return true;
  }

  /** Asked, and silent for so long. */
  isSilentFor(millis: number): boolean {
    return this.#askedAt !== undefined && Date.now() - this.#askedAt > millis;
  }

  /** Nothing is delivered after it. */
  close(reason: string): void {
    this.#call.cancel();
    this.#end({ reason });
  }

  #receive(response: WatchResponse, sink: WatchSink): void {
    this.#askedAt = undefined;
    if (response.isCreated && !response.isCanceled) this.#isLive = true;
    if (response.compacted > 0) this.#cancel({ reason: "compacted", compacted: response.compacted });
    else if (response.isCanceled) this.#cancel({ reason: response.reason });
    else if (response.events.length > 0) sink.events(response.events);
    else if (!response.isCreated) sink.progress(response.revision);
  }

  #cancel(end: WatchEnd): void {
    this.#end(end);
    this.close(end.reason);
  }
}

const STATUS_TIMEOUT = 2_000;

async function askReliability(endpoint: Endpoint): Promise<boolean> {
  try {
    const { version } = await endpoint.call(STATUS, {}, STATUS_TIMEOUT);
    return isProgressReliable(version);
  } catch {
    // The way that does not need an answer works for every member.
    return false;
  }
}

export function isProgressReliable(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 25;
  if (minor === 5) return patch >= 8;
  return minor > 5;
}
