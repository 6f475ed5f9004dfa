/** Which kind a key of the store belongs to, and where objects of a kind are stored. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Registry } from "../../registry/registry.ts";

/** Events are never collected, and nothing waits for them. */
const IGNORED = "/registry/events/";

export class StoredKinds {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Undefined for keys that are not objects, and for kinds that cannot be deleted or are not served. */
  ofKey(key: string): ResourceKind | undefined {
    const name = key.lastIndexOf("/");
    const namespace = key.lastIndexOf("/", name - 1);
    const flat = this.#ofPrefix(key.slice(0, name + 1));
    if (flat !== undefined && !flat.namespaced) return flat;
    const nested = this.#ofPrefix(key.slice(0, namespace + 1));
    return nested?.namespaced === true ? nested : undefined;
  }

  /** A served version of a kind. */
  ofKind(apiVersion: string, kind: string): ResourceKind | undefined {
    const slash = apiVersion.lastIndexOf("/");
    const type = this.#registry.findKind(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), kind);
    return type !== undefined && isCollected(type) ? type : undefined;
  }

  #ofPrefix(prefix: string): ResourceKind | undefined {
    if (prefix === IGNORED) return undefined;
    for (const type of this.#registry.storedUnder(prefix)) if (isCollected(type)) return type;
    return undefined;
  }
}

function isCollected({ verbs }: ResourceKind): boolean {
  return verbs.includes("delete") && verbs.includes("list") && verbs.includes("watch");
}
