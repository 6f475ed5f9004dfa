/** Reads objects for reviews from the store. */
import type { ClusterView } from "@portcullis/engine/internal/review/cluster-view";
import type { Store } from "../storage/store.ts";
import { decodeEntry, keyOf, prefixOf, prepareEntries, readEntry } from "./object-codec.ts";

export function storeReader(store: Store): Pick<ClusterView, "get" | "list"> {
  return {
    get: async (kind, namespace, name) => {
      const entry = await store.get(keyOf(kind, namespace, name));
      return entry && readEntry(entry, kind);
    },
    list: async (kind, namespace) => {
      const { entries } = await store.list(prefixOf(kind, namespace));
      await prepareEntries(entries, kind);
      return entries.map((entry) => decodeEntry(entry, kind));
    },
  };
}
