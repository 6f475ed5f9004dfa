/** Reads objects for reviews from the store. */
import type { ClusterView } from "@portcullis/engine/internal/review/cluster-view";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Store } from "../storage/store.ts";
import { decodeEntry, keyOf, prefixOf, prepareEntries, readEntry } from "./object-codec.ts";

/** Upstream reads namespaces from an informer, and asks the store only if there is none. */
function isPeeked({ group, plural }: ResourceKind): boolean {
  return plural === "namespaces" && group === "";
}

export function storeReader(store: Store): Pick<ClusterView, "get" | "list"> {
  return {
    get: async (kind, namespace, name) => {
      const key = keyOf(kind, namespace, name);
      const entry = (isPeeked(kind) ? store.peek?.(key) : undefined) ?? (await store.get(key));
      return entry && readEntry(entry, kind);
    },
    // Upstream's admission lists from informers: what is known here is enough.
    list: async (kind, namespace) => {
      const prefix = prefixOf(kind, namespace);
      const entries = store.peekList?.(prefix) ?? (await store.list(prefix)).entries;
      await prepareEntries(entries, kind);
      return entries.map((entry) => decodeEntry(entry, kind));
    },
  };
}
