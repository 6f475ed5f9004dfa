/** What the two ends of a linked store say to each other, and errors as data. */
import {
  Compacted,
  type Entry,
  FutureRevision,
  KeyExists,
  type ListOptions,
  RevisionConflict,
  type StoreEvent,
} from "../store.ts";
import { StoreUnavailable } from "../unavailable.ts";

/** Topics. */
export const [CALL, ANSWER, EVENT, FAILED] = ["store.call", "store.answer", "store.event", "store.failed"] as const;

export type StoreCall =
  | { readonly method: "revision" | "compactedRevision" | "checkWrites" }
  /** `known` is the revision of the entry that the other end still has. */
  | { readonly method: "get"; readonly key: string; readonly known: number | undefined }
  | { readonly method: "list"; readonly prefix: string; readonly options: ListOptions }
  | { readonly method: "create"; readonly key: string; readonly value: string }
  | { readonly method: "update"; readonly key: string; readonly value: string; readonly expected: number }
  | { readonly method: "delete"; readonly key: string; readonly expected: number }
  | { readonly method: "compact"; readonly revision: number }
  | WatchCall
  | { readonly method: "unwatch"; readonly subscription: number };

export interface WatchCall {
  readonly method: "watch";
  readonly subscription: number;
  readonly prefix: string;
  readonly after: number;
  /** Whether events are sent without the previous version. */
  readonly isBare: boolean;
}

export interface CallMessage {
  readonly id: number;
  readonly call: StoreCall;
}

export interface AnswerMessage {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: ErrorMessage;
}

/** One change, for all subscriptions that want it. */
export interface EventMessage {
  readonly event: StoreEvent;
  readonly subscriptions: number[];
}

export interface FailedMessage {
  readonly subscription: number;
  readonly error: ErrorMessage;
}

/** The answer to a write: what the other end does not know of the entry. */
export type Written = Pick<Entry, "revision" | "created">;

/** The answer to `get` where the other end has the newest version. */
export const UNCHANGED = "unchanged";

export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
  readonly key?: string;
  readonly current?: Entry | undefined;
  readonly revision?: number;
  readonly definite?: boolean;
  readonly needsOperator?: boolean;
}

export function errorMessage(error: unknown, key = ""): ErrorMessage {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const base = { name: error.name, message: error.message };
  if (error instanceof KeyExists) return { ...base, key };
  if (error instanceof RevisionConflict) return { ...base, key, current: error.current };
  if (error instanceof Compacted) return { ...base, revision: error.compacted };
  if (error instanceof FutureRevision) return { ...base, revision: error.current };
  if (error instanceof StoreUnavailable) {
    return { ...base, definite: error.definite, needsOperator: error.needsOperator };
  }
  return base;
}

export function errorOf(error: ErrorMessage): Error {
  const { name, message, key = "", current, revision = 0, definite = false, needsOperator = false } = error;
  switch (name) {
    case "KeyExists":
      return new KeyExists(key);
    case "RevisionConflict":
      return new RevisionConflict(key, current);
    case "Compacted":
      return new Compacted(revision);
    case "FutureRevision":
      return new FutureRevision(revision);
    case "StoreUnavailable":
      return new StoreUnavailable(message, { definite, needsOperator });
    default:
      return new Error(message);
  }
}
