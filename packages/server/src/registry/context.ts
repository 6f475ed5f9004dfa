/** The server's parts, which are also its view of the cluster for reviews; and one write on its way to the store. */
import type { Annotate, ClusterView } from "@portcullis/engine/internal/review/cluster-view";
import type { ServerMetrics } from "../observe/server-metrics.ts";
import type { Followers } from "../storage/followers.ts";
import type { Store } from "../storage/store.ts";
import type { Weigh } from "./heavy.ts";
import type { Leadership } from "./leadership.ts";
import type { Registry } from "./registry.ts";

export interface ServerContext extends ClusterView {
  readonly store: Store;
  /** How changes in the store are heard of. */
  readonly followers: Followers;
  readonly registry: Registry;
  readonly metrics: ServerMetrics;
  readonly leadership: Leadership;
  /** Gets defects: whatever is thrown that is not a refusal. */
  readonly onDefect: (error: unknown) => void;
}

/** One request that writes. */
export interface WriteCall {
  readonly server: ServerContext;
  readonly warn: (text: string) => void;
  /** Adds an annotation to the request's audit event, from the given audit level on. The first value of a key stays. */
  readonly annotate: Annotate;
  /** Called with the size of the live object. Absent for writes by the server itself. */
  readonly weigh?: Weigh;
}
