/**
 * Whether what several clients saw of one key could have happened one thing at a time, each at some moment between its
 * start and its end (linearizability).
 *
 * For any register that is a search; here every version has a number that the store gave it, which puts all writes in
 * order, so a few rules decide it. A write without an answer may or may not have happened, at any later time.
 */
import { type Entry, KeyExists, RevisionConflict, type WatchableStore } from "../storage/store.ts";
import { StoreUnavailable } from "../storage/unavailable.ts";

export interface Operation {
  readonly kind: "read" | "write";
  /** Moments on one clock. */
  readonly start: number;
  /** Infinity without an answer. */
  readonly end: number;
  /** A write's condition: the revision it replaces, 0 for none. */
  readonly expected?: number;
  /** What was written; undefined for a deletion. */
  readonly value?: string | undefined;
  /** The revision that a write got or a read saw; undefined without one, and for a read of an absent key. */
  readonly revision?: number | undefined;
}

/** What cannot have happened, one line each; empty for a linearizable history. */
export function findViolations(history: readonly Operation[]): string[] {
  const writes = history.filter(({ kind, revision }) => kind === "write" && revision !== undefined).sort(byRevision);
  const reads = history.filter(({ kind, end }) => kind === "read" && end !== Infinity);
  const lost = history.filter(({ kind, revision }) => kind === "write" && revision === undefined);
  return [
    ...findDuplicates(writes),
    ...findBrokenChain(writes, lost),
    ...findDisorder([...writes, ...reads.filter(({ revision }) => revision !== undefined)]),
    ...findStrangeReads(reads, writes, lost),
    ...findAbsentReads(reads, writes, lost.length > 0),
  ];
}

const byRevision = (x: Operation, y: Operation): number => (x.revision ?? 0) - (y.revision ?? 0);

function findDuplicates(writes: readonly Operation[]): string[] {
  return writes
    .filter(({ revision }, i) => i > 0 && writes[i - 1]?.revision === revision)
    .map(({ revision }) => `two writes got revision ${revision}`);
}

/** Each write replaces the one before it, unless one without an answer came between: for a creation, a deletion. */
function findBrokenChain(writes: readonly Operation[], lost: readonly Operation[]): string[] {
  const violations: string[] = [];
  const mayBeDeleted = lost.some(({ value }) => value === undefined);
  for (let i = 1; i < writes.length; i++) {
    const [before, after] = [writes[i - 1] as Operation, writes[i] as Operation];
    const expected = before.value === undefined ? 0 : before.revision;
    if (after.expected === expected || (after.expected === 0 && mayBeDeleted)) continue;
    const isOvertaken = (after.expected ?? 0) < (before.revision ?? 0);
    if (isOvertaken || lost.length === 0) {
      violations.push(`revision ${after.revision} replaced ${after.expected} although ${before.revision} was there`);
    }
  }
  return violations;
}

/** What ended before another began has no larger revision. */
function findDisorder(operations: readonly Operation[]): string[] {
  const byStart = [...operations].sort((x, y) => x.start - y.start);
  const byEnd = [...operations].sort((x, y) => x.end - y.end);
  const violations: string[] = [];
  let [ended, newest] = [0, 0];
  for (const operation of byStart) {
    while ((byEnd[ended]?.end ?? Infinity) < operation.start) newest = Math.max(newest, byEnd[ended++]?.revision ?? 0);
    const isStale =
      operation.kind === "write" ? (operation.revision ?? 0) <= newest : (operation.revision ?? 0) < newest;
    if (isStale) violations.push(`a ${operation.kind} at revision ${operation.revision} came after ${newest}`);
  }
  return violations;
}

/** A read sees what some write wrote, and not before it began. */
function findStrangeReads(
  reads: readonly Operation[],
  writes: readonly Operation[],
  lost: readonly Operation[],
): string[] {
  const byNumber = new Map(writes.map((write) => [write.revision, write]));
  return reads
    .filter(({ revision }) => revision !== undefined)
    .filter((read) => {
      const write = byNumber.get(read.revision);
      if (write !== undefined) return write.value !== read.value || write.start > read.end;
      return !lost.some(({ value, start }) => value === read.value && start < read.end);
    })
    .map(({ revision, value }) => `a read saw ${value} at revision ${revision}, which nobody had written`);
}

/** A key is absent only before the first write and after a deletion. */
function findAbsentReads(reads: readonly Operation[], writes: readonly Operation[], hasLost: boolean): string[] {
  if (hasLost) return [];
  return reads
    .filter(({ revision }) => revision === undefined)
    .filter((read) => {
      const finished = writes.filter(({ end }) => end < read.start).at(-1);
      const isGap = (write: Operation): boolean => write.value === undefined && write.start < read.end;
      return finished?.value !== undefined && !writes.some((w) => isGap(w) && byRevision(finished, w) < 0);
    })
    .map(({ start }) => `a read at ${start} did not see a key that was there`);
}

/** Clients that read and write one key as fast as they can until stopped; returns the history of what they saw. */
export class Race {
  readonly history: Operation[] = [];
  /** How many were acknowledged so far. */
  writes = 0;
  readonly #key: string;
  #isOver = false;

  constructor(key: string) {
    this.#key = key;
  }

  stop(): void {
    this.#isOver = true;
  }

  /** One client. Several may use the same store. */
  async run(store: WatchableStore, name: string): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const seen = await this.#read(store);
      if (seen !== "failed" && count % 3 !== 0)
        await this.#write(store, seen, count % 7 === 0 ? undefined : `${name}-${count}`);
    }
  }

  async #read(store: WatchableStore): Promise<Entry | undefined | "failed"> {
    const start = performance.now();
    try {
      const entry = await store.get(this.#key);
      const end = performance.now();
      this.history.push({ kind: "read", start, end, value: entry?.value, revision: entry?.revision });
      return entry;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return "failed";
    }
  }

  async #write(store: WatchableStore, seen: Entry | undefined, value: string | undefined): Promise<void> {
    if (seen === undefined && value === undefined) return;
    const start = performance.now();
    const write = { kind: "write", start, expected: seen?.revision ?? 0, value } as const;
    try {
      const revision = await put(store, { key: this.#key, seen, value });
      this.history.push({ ...write, end: performance.now(), revision });
      this.writes++;
    } catch (error) {
      if (error instanceof KeyExists || error instanceof RevisionConflict) return;
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!error.definite) this.history.push({ ...write, end: Infinity });
    }
  }
}

interface Put {
  readonly key: string;
  readonly seen: Entry | undefined;
  readonly value: string | undefined;
}

async function put(store: WatchableStore, { key, seen, value }: Put): Promise<number> {
  if (seen === undefined) return (await store.create(key, value ?? "")).revision;
  if (value === undefined) return store.delete(key, seen.revision);
  return (await store.update(key, value, seen.revision)).revision;
}
