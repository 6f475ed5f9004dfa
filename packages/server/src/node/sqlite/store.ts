/**
 * The embedded store: a log of revisions on disk, the state and its history in memory.
 *
 * Writes gather while a commit is under way and go into the next one together, so that many writers share one wait for the
 * disk. A write is applied to memory, acknowledged and shown to watches after its commit, never before; a commit that
 * fails leaves no trace.
 */

import { statSync } from "node:fs";
import { Replica } from "../../storage/replica.ts";
import type {
  Entry,
  EntryList,
  ListOptions,
  StoreEvent,
  StoreSubscriber,
  Subscription,
  WatchableStore,
} from "../../storage/store.ts";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { writeBackup } from "./backup.ts";
import { planBatch, type Write } from "./batch.ts";
import { errorCode } from "./database.ts";
import type { HighWater } from "./high-water.ts";
import type { Loaded } from "./load.ts";
import type { DirectoryLock } from "./lock.ts";
import type { RevisionLog } from "./log.ts";
import { diskFull, keyWithZero, outOfStep, storeClosed, writeFailed, writesAgain } from "./messages.ts";
import { recordOf } from "./record.ts";
import { checkRoom } from "./room.ts";

const BATCH_WRITES = 1000;
const BATCH_LENGTH = 4 << 20;
/** Rows removed in one go: a few milliseconds between two commits. */
const REMOVAL_ROWS = 250;

interface Task {
  readonly run: () => Promise<void>;
  readonly refuse: (error: Error) => void;
}

export interface SqliteStoreParts {
  readonly file: string;
  readonly lock: DirectoryLock;
  readonly log: RevisionLog;
  readonly highWater: HighWater;
  readonly loaded: Loaded;
  /** Gets a line when writes begin to fail, and when they succeed again. */
  readonly report: (message: string) => void;
}

/** A store in a folder: every acknowledged write is on disk. */
export class SqliteStore implements WatchableStore {
  readonly file: string;
  readonly #lock: DirectoryLock;
  readonly #log: RevisionLog;
  readonly #highWater: HighWater;
  readonly #replica: Replica;
  #writes: Write[] = [];
  /** Maintenance on the writing connection; takes turns with commits. */
  readonly #tasks: Task[] = [];
  /** Revisions whose rows nothing needs any more. */
  #obsolete: number[];
  #running: Promise<void> | undefined;
  /** Set after a failed commit until the file has been seen to agree with memory. */
  #isUnsure = false;
  /** Why writes fail at present. */
  #problem: StoreUnavailable | undefined;
  /** Characters of the last writes that could not be stored. */
  #failedLength = 0;
  readonly #report: (message: string) => void;
  #isClosed = false;

  constructor({ file, lock, log, highWater, loaded, report }: SqliteStoreParts) {
    this.#report = report;
    this.file = file;
    this.#lock = lock;
    this.#log = log;
    this.#highWater = highWater;
    this.#replica = new Replica(loaded.state);
    this.#obsolete = [...loaded.obsolete];
  }

  async revision(): Promise<number> {
    return this.#replica.state.revision;
  }

  async compactedRevision(): Promise<number> {
    return this.#replica.state.compacted;
  }

  async get(key: string): Promise<Entry | undefined> {
    return this.#replica.state.get(key);
  }

  async list(prefix: string, options?: ListOptions): Promise<EntryList> {
    return this.#replica.state.list(prefix, options);
  }

  async create(key: string, value: string): Promise<Entry> {
    if (key.includes("\0")) throw new Error(keyWithZero());
    return entryOf(await this.#write({ kind: "create", key, value, expected: 0 }));
  }

  async update(key: string, value: string, expected: number): Promise<Entry> {
    return entryOf(await this.#write({ kind: "update", key, value, expected }));
  }

  async delete(key: string, expected: number): Promise<number> {
    return (await this.#write({ kind: "delete", key, value: "", expected })).revision;
  }

  async watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    return this.#replica.watch(prefix, after, subscriber);
  }

  /** With what SQLite has not yet moved from its write-ahead log. */
  async size(): Promise<number> {
    const parts = [this.file, `${this.file}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }));
    return parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
  }

  /** After a failure a small write shows whether it persists. */
  async checkWrites(): Promise<void> {
    if (this.#problem === undefined) return;
    await this.#perform(async () => {
      await this.#assure();
      if (this.#problem?.needsOperator === true) checkRoom(this.file, this.#failedLength);
      await this.#log.setCompacted(this.#replica.state.compacted);
    });
    this.#note(undefined);
  }

  /** Resolves when the space can be reused. Reads, writes and watches continue meanwhile. */
  async compact(revision: number): Promise<void> {
    await this.#perform(() => this.#forget(revision));
    while (this.#obsolete.length > 0) await this.#perform(() => this.#removeSome());
  }

  /** Writes a consistent copy to a new file while the store is in use. Resolves to the minimum revision it contains. */
  async backup(target: string): Promise<number> {
    const { revision } = this.#replica.state;
    await writeBackup(this.file, target);
    return revision;
  }

  /** Changes how far the file may grow; undefined is unlimited. */
  async setQuota(quotaBytes: number | undefined): Promise<void> {
    await this.#perform(() => this.#log.limit(quotaBytes));
  }

  /** Commits what has been asked for, then lets go of the files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#running;
    await this.#log.close();
    this.#highWater.close();
    this.#lock.release();
    this.#replica.close(new Error(storeClosed()));
  }

  #write(write: Omit<Write, "accept" | "refuse">): Promise<StoreEvent> {
    return new Promise((accept, refuse) => {
      if (this.#isClosed) return refuse(new Error(storeClosed()));
      this.#writes.push({ ...write, accept, refuse });
      this.#start();
    });
  }

  #perform(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, refuse) => {
      if (this.#isClosed) return refuse(new Error(storeClosed()));
      this.#tasks.push({ run: () => work().then(resolve), refuse });
      this.#start();
    });
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Requests that arrived together are all heard before the first commit.
    await new Promise(setImmediate);
    while (this.#writes.length > 0 || this.#tasks.length > 0) {
      if (this.#writes.length > 0) await this.#commit(this.#takeWrites());
      await this.#runTask(this.#tasks.shift());
    }
    // In the same turn as the check above, or a write that comes between would wait for ever.
    this.#running = undefined;
  }

  #takeWrites(): Write[] {
    let [count, length] = [0, 0];
    while (count < Math.min(this.#writes.length, BATCH_WRITES) && length < BATCH_LENGTH) {
      length += this.#writes[count++]?.value.length ?? 0;
    }
    return this.#writes.splice(0, count);
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    const batch = planBatch(writes, this.#replica.state);
    if (batch.events.length === 0) return;
    try {
      await this.#assure();
      await this.#log.append(batch.events.map(recordOf));
    } catch (error) {
      this.#isUnsure = true;
      const problem = unavailable(error);
      this.#failedLength = writes.reduce((sum, { value }) => sum + value.length, 0);
      this.#note(problem);
      batch.abandon(problem);
      return;
    }
    this.#note(undefined);
    for (const event of batch.events) this.#replica.apply(event);
    this.#highWater.raise(this.#replica.state.revision);
    batch.finish();
  }

  #note(problem: StoreUnavailable | undefined): void {
    if (problem !== undefined && problem.message !== this.#problem?.message) this.#report(problem.message);
    if (problem === undefined && this.#problem !== undefined) this.#report(writesAgain());
    this.#problem = problem;
  }

  async #runTask(task: Task | undefined): Promise<void> {
    if (task === undefined) return;
    try {
      await task.run();
    } catch (error) {
      this.#isUnsure = true;
      task.refuse(unavailable(error));
    }
  }

  /** A failed commit must have left the file unchanged; otherwise continuing could lose acknowledged writes. */
  async #assure(): Promise<void> {
    if (!this.#isUnsure) return;
    const { revision, compacted } = this.#replica.state;
    if (Math.max((await this.#log.newest()) ?? 0, compacted) !== revision) throw new Error(outOfStep());
    this.#isUnsure = false;
  }

  async #forget(revision: number): Promise<void> {
    const { state } = this.#replica;
    const target = Math.min(revision, state.revision);
    if (target <= state.compacted) return;
    await this.#log.setCompacted(target);
    for (const event of state.eventsAfter(state.compacted, "")) {
      if (event.revision > target) break;
      if (event.previous !== undefined) this.#obsolete.push(event.previous.revision);
      if (event.entry === undefined) this.#obsolete.push(event.revision);
    }
    state.compact(target);
  }

  async #removeSome(): Promise<void> {
    await this.#log.remove(this.#obsolete.slice(0, REMOVAL_ROWS));
    this.#obsolete = this.#obsolete.slice(REMOVAL_ROWS);
  }
}

function entryOf({ entry }: StoreEvent): Entry {
  if (entry === undefined) throw new Error("a write without an entry");
  return entry;
}

function unavailable(error: unknown): StoreUnavailable {
  const reason = error instanceof Error ? error.message : String(error);
  const isFull = errorCode(error) === "SQLITE_FULL";
  return new StoreUnavailable(isFull ? diskFull() : writeFailed(reason), { cause: error, needsOperator: isFull });
}
