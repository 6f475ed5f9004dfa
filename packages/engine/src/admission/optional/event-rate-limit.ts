/** Limits how many events are written. Off unless it is enabled. Follows plugin/pkg/admission/eventratelimit. */
import { aggregate } from "../../field/format.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { StatusError } from "../../status/error.ts";
import { objectOf, textOf } from "../../value/read.ts";

export const LIMIT_TYPES = ["Server", "Namespace", "User", "SourceAndObject"] as const;

export interface EventLimit {
  readonly type: (typeof LIMIT_TYPES)[number];
  /** Per second. */
  readonly qps: number;
  readonly burst: number;
  /** How many keys are counted at a time. */
  readonly cacheSize: number;
}

const DEFAULT_CACHE = 4096;

/** `now` in milliseconds. */
export function eventRateLimit(limits: readonly EventLimit[], now: () => number): AdmissionPlugin {
  const enforcers = limits.map((limit) => ({ limit, buckets: new Buckets(limit, now) }));
  return {
    name: "EventRateLimit",
    validate: async (request) => {
      const { endpoint, operation, isDryRun } = request;
      const isWrite = operation === "CREATE" || operation === "UPDATE";
      const isEvent = endpoint.type.group === "" && endpoint.type.kind === "Event";
      if (!isEvent || !isWrite || isDryRun) return;
      const problems = enforcers.flatMap(({ limit: { type }, buckets }) => {
        const key = keyOf(type, request);
        return buckets.take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (problems.length === 0) return;
      const message = `Too many requests: ${aggregate(problems)}`;
      throw new StatusError({ code: 429, reason: "TooManyRequests", message });
    },
  };
}

const OBJECT_FIELDS = ["kind", "namespace", "name", "uid", "apiVersion"];

function keyOf(type: EventLimit["type"], { namespace, user, object }: AdmissionRequest): string {
  if (type === "Server") return "";
  if (type === "Namespace") return namespace;
  if (type === "User") return user.name;
  const [source, involved] = [objectOf(object?.["source"]), objectOf(object?.["involvedObject"])];
  const parts = [source["component"], source["host"], ...OBJECT_FIELDS.map((field) => involved[field])];
  return parts.map(textOf).join("");
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Token buckets by key; those used longest ago are forgotten. */
class Buckets {
  readonly #limit: EventLimit;
  readonly #now: () => number;
  readonly #byKey = new Map<string, Bucket>();

  constructor(limit: EventLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  take(key: string): boolean {
    const { qps, burst, cacheSize } = this.#limit;
    const at = this.#now();
    const before = this.#byKey.get(key) ?? { tokens: burst, at };
    const tokens = Math.min(burst, before.tokens + (Math.max(0, at - before.at) * qps) / 1000);
    const isTaken = tokens >= 1;
    this.#byKey.delete(key);
    this.#byKey.set(key, { tokens: isTaken ? tokens - 1 : tokens, at });
    const [oldest] = this.#byKey.keys();
    if (oldest !== undefined && this.#byKey.size > (cacheSize || DEFAULT_CACHE)) this.#byKey.delete(oldest);
    return isTaken;
  }
}
