/**
 * Requests that took too long on this thread although they are small. Others like them are likely to do the same, because
 * of policies, quotas or limits of the namespace: for a while another thread performs them from their beginning.
 */
import type { RequestInfo } from "../http/request-info.ts";

const KEPT_MS = 5_000;
/** Namespaces are many. */
const MAX_KEPT = 1_000;

export class Overruns {
  readonly #now: () => number;
  /** Until when, by verb, resource and namespace. */
  readonly #until = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(info: RequestInfo): void {
    if (this.#until.size >= MAX_KEPT) this.#until.clear();
    this.#until.set(keyOf(info), this.#now() + KEPT_MS);
  }

  has(info: RequestInfo): boolean {
    if (this.#until.size === 0) return false;
    const key = keyOf(info);
    const until = this.#until.get(key);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#until.delete(key);
    return false;
  }
}

function keyOf({ verb, group, resource, subresource, namespace }: RequestInfo): string {
  return `${verb} ${group} ${resource} ${subresource} ${namespace}`;
}
