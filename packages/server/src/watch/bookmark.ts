/** Bookmarks: the progress of a watch, so that it can continue from there. */

import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { WatchEvent } from "./watcher.ts";

export const BOOKMARK_MS = 60_000;
/** The last one comes this long before a watch times out. */
export const BEFORE_END_MS = 2_000;

const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

export function bookmark(type: ResourceKind, revision: number, endsInitial = false): WatchEvent {
  const annotations = endsInitial ? objectOf({ [INITIAL_EVENTS_END]: "true" }) : undefined;
  const metadata: JsonObject = objectOf({ resourceVersion: String(revision), annotations });
  return { type: "BOOKMARK", object: objectOf({ kind: type.kind, apiVersion: apiVersionOf(type), metadata }) };
}
