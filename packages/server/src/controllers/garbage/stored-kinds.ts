/** Which kind a key of the store belongs to, and where objects of a kind are stored. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Registry } from "../../registry/registry.ts";

/** Events are never collected, and nothing waits for them. */
const IGNORED = "/registry/events/";

export class StoredKinds {
  readonly #registry: Registry;
  #generation = -1;
  #byPrefix = new Map<string, ResourceKind>();
  #byKind = new Map<string, ResourceKind>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Undefined for keys that are not objects, and for kinds that cannot be deleted or are not served. */
  ofKey(key: string): ResourceKind | undefined {
    this.#refresh();
    const name = key.lastIndexOf("/");
    const namespace = key.lastIndexOf("/", name - 1);
    const flat = this.#byPrefix.get(key.slice(0, name + 1));
    if (flat !== undefined && !flat.namespaced) return flat;
    const nested = this.#byPrefix.get(key.slice(0, namespace + 1));
    return nested?.namespaced === true ? nested : undefined;
  }

  /** A served version of a kind. */
  ofKind(apiVersion: string, kind: string): ResourceKind | undefined {
    this.#refresh();
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  #refresh(): void {
    if (this.#generation === this.#registry.generation) return;
    this.#generation = this.#registry.generation;
    this.#byPrefix = new Map();
    this.#byKind = new Map();
    for (const type of this.#registry.all()) {
      if (!["delete", "list", "watch"].every((verb) => type.verbs.includes(verb))) continue;
      this.#byKind.set(`${type.group === "" ? "" : `${type.group}/`}${type.version}/${type.kind}`, type);
      if (type.storagePrefix !== IGNORED && !this.#byPrefix.has(type.storagePrefix)) {
        this.#byPrefix.set(type.storagePrefix, type);
      }
    }
  }
}
