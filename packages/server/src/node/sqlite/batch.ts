/**
 * Many writes in one commit. Each is checked against the durable state and the writes before it in the same batch; a
 * write that depends on one of those gets its outcome only when they are durable.
 */
import type { StoreState } from "../../storage/state.ts";
import { type Entry, KeyExists, RevisionConflict, type StoreEvent } from "../../storage/store.ts";

export interface Write {
  readonly kind: "create" | "update" | "delete";
  readonly key: string;
  /** "" for a deletion. */
  readonly value: string;
  /** The revision the key must have; 0 for a creation. */
  readonly expected: number;
  readonly accept: (event: StoreEvent) => void;
  readonly refuse: (error: Error) => void;
}

export interface Batch {
  /** What has to be made durable, in order. */
  readonly events: readonly StoreEvent[];
  /** To be called once it is. */
  finish(): void;
  /** To be called if it could not be. */
  abandon(error: Error): void;
}

/** Refuses at once what the durable state refuses. */
export function planBatch(writes: readonly Write[], state: StoreState): Batch {
  const events: StoreEvent[] = [];
  const changed = new Map<string, Entry | undefined>();
  const waiting: { readonly write: Write; readonly finish: () => void }[] = [];
  for (const write of writes) {
    const depends = changed.has(write.key);
    const current = depends ? changed.get(write.key) : state.get(write.key);
    const refusal = checkWrite(write, current);
    if (refusal !== undefined) {
      if (depends) waiting.push({ write, finish: () => write.refuse(refusal) });
      else write.refuse(refusal);
      continue;
    }
    const event = eventOf(write, current, state.revision + events.length + 1);
    events.push(event);
    changed.set(write.key, event.entry);
    waiting.push({ write, finish: () => write.accept(event) });
  }
  return {
    events,
    finish: () => {
      for (const { finish } of waiting) finish();
    },
    abandon: (error) => {
      for (const { write } of waiting) write.refuse(error);
    },
  };
}

function checkWrite({ kind, key, expected }: Write, current: Entry | undefined): Error | undefined {
  if (kind === "create") return current === undefined ? undefined : new KeyExists(key);
  return current?.revision === expected ? undefined : new RevisionConflict(key, current);
}

function eventOf({ kind, key, value }: Write, previous: Entry | undefined, revision: number): StoreEvent {
  const entry = kind === "delete" ? undefined : { key, value, revision, created: previous?.created ?? revision };
  return { key, revision, entry, previous };
}
