/** Fault injection for tests of clients: slow responses, conflicts, errors. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { conflict, internalError, StatusError } from "@portcullis/engine/internal/status/error";
import type { RequestInfo } from "../http/request-info.ts";
import type { Registry } from "../registry/registry.ts";
import * as messages from "./messages.ts";

/** The requests that a fault applies to; an absent member matches all. */
export interface FaultTarget {
  /** Such as `update`, `patch` or `watch`. */
  readonly verb?: string;
  /** The plural, such as `deployments`. */
  readonly resource?: string;
  readonly group?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What happens to a request. For example `{ verb: "update", status: 409, times: 1 }`. */
export interface Fault extends FaultTarget {
  /** Milliseconds before the request is handled. */
  readonly latency?: number;
  /** The status code of the response; if absent, the request is handled. 409 is a conflict with another writer. */
  readonly status?: number;
  readonly message?: string;
  /** The number of requests; unlimited if absent. */
  readonly times?: number;
}

/** The faults of a server. For example `server.faults.add({ resource: "leases", status: 500, times: 3 })`. */
export class Faults {
  readonly #faults = new Map<Fault, number>();
  #registry: Registry | undefined;

  /** The returned function removes the fault. */
  add(fault: Fault): () => void {
    this.#faults.set(fault, fault.times ?? Number.POSITIVE_INFINITY);
    return () => void this.#faults.delete(fault);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** Ends the open watches of a resource, or all; clients have to watch again. */
  dropWatches({ resource, group }: Pick<FaultTarget, "resource" | "group"> = {}): void {
    const isMeant = (type: ResourceKind): boolean =>
      (resource === undefined || type.plural === resource) && (group === undefined || type.group === group);
    for (const type of this.#registry?.all().filter(isMeant) ?? []) this.#registry?.endWatches(type);
  }

  /** The kinds whose watches can be dropped. */
  attach(registry: Registry): void {
    this.#registry = registry;
  }

  /** Throws the StatusError of the first matching fault. */
  async apply(info: RequestInfo): Promise<void> {
    for (const [fault, left] of [...this.#faults]) {
      if (!matches(fault, info)) continue;
      if (left <= 1) this.#faults.delete(fault);
      else this.#faults.set(fault, left - 1);
      const { latency = 0 } = fault;
      if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
      if (fault.status !== undefined) throw errorOf(fault, fault.status, info);
    }
  }
}

function matches({ verb, resource, group, namespace, name }: FaultTarget, info: RequestInfo): boolean {
  const wanted = { verb, resource, group, namespace, name };
  return Object.entries(wanted).every(
    ([key, value]) => value === undefined || info[key as keyof FaultTarget] === value,
  );
}

function errorOf({ message }: Fault, code: number, { group, resource, name }: RequestInfo): StatusError {
  if (code === 409) return conflict({ group, resource }, name, message ?? messages.objectModified());
  if (code === 500) return internalError(message ?? messages.orderedFault());
  return new StatusError({ code, reason: REASONS[code] ?? "", message: message ?? messages.orderedFault() });
}

const REASONS: Readonly<Record<number, StatusError["reason"]>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  410: "Expired",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};
