/** Which of the servers, processes and threads on one store maintains its objects: runs controllers, creates defaults. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Store } from "../storage/store.ts";

export interface Leadership {
  /** False for one that only serves requests. */
  readonly canLead: boolean;
  readonly isLeader: boolean;
  /** The listener is called when this one becomes the leader. */
  onLead(listener: () => void): void;
  /** Resolves when it is known who leads. */
  start?(store: Store, leases: ResourceKind): Promise<void>;
  /** Leaves the lead to another. */
  stop?(): Promise<void>;
}

/** The only one on its store. */
export const ALWAYS: Leadership = { canLead: true, isLeader: true, onLead: () => {} };

/** One that leaves the objects to another. */
export const NEVER: Leadership = { canLead: false, isLeader: false, onLead: () => {} };

/** For controllers of the API server itself, which upstream run in every server that shares the store. */
export function inEveryServer({ canLead }: Leadership): Leadership {
  return canLead ? ALWAYS : NEVER;
}
