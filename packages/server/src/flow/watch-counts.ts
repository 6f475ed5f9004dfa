/**
 * How many watches there are of each collection and object: the more, the more work is a write.
 *
 * Follows apiserver pkg/util/flowcontrol/watch_tracker.go.
 */
import type { RequestInfo } from "../http/request-info.ts";

export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Returns a function that forgets it. */
  add(info: RequestInfo): () => void {
    const key = keyOf(info, info.namespace, info.name);
    if (isOfOneNode(info)) return () => {};
    this.#change(key, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#change(key, -1);
      isOpen = false;
    };
  }

  /** Those that see what the request writes. */
  interested(info: RequestInfo): number {
    const { namespace, name } = info;
    let count = this.#at(info, "", "");
    if (namespace !== "") count += this.#at(info, namespace, "");
    if (name !== "") count += this.#at(info, namespace, name);
    return count;
  }

  #at(info: RequestInfo, namespace: string, name: string): number {
    return this.#counts.get(keyOf(info, namespace, name)) ?? 0;
  }

  #change(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

function keyOf({ group, resource }: RequestInfo, namespace: string, name: string): string {
  return `${group}\0${resource}\0${namespace}\0${name}`;
}

/** A kubelet's watch of its own pods sees few of them. */
function isOfOneNode({ resource, query }: RequestInfo): boolean {
  return resource === "pods" && /(^|,)spec\.nodeName==?[^,!]/.test(query.get("fieldSelector")?.[0] ?? "");
}
