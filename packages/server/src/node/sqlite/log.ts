/**
 * The log of revisions in a SQLite file: one row a write, in WAL mode with full synchronisation.
 *
 * INVARIANT: rows above the compacted revision are gapless; at and below it there is at least the newest row of every key
 * that was there then. Rows that compaction has made useless may stay for a while; loading skips them.
 */
import { type Database, openDatabase, queryOne, type Statement } from "./database.ts";
import { encodeRecord, type LogRecord } from "./record.ts";

/** Written into the file's header, so that tools can identify it: "Port". */
export const APPLICATION_ID = 0x506f7274;
export const FORMAT = 1;
/** A store begins where an empty etcd begins. */
const FIRST_REVISION = 1;

const SCHEMA = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    created INTEGER NOT NULL,
    value TEXT,
    checksum INTEGER NOT NULL
  );
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('compacted', ${FIRST_REVISION});`;

/** A checkpoint moves the write-ahead log into the file; in the background after this many bytes … */
const CHECKPOINT_BYTES = 4 << 20;
/** … and within a commit if the background cannot keep up, so that the log stays bounded. */
const FORCED_CHECKPOINT_PAGES = 16384;
const CACHE_KIBIBYTES = 32768;

export interface LogOptions {
  /** The file may grow to this; unlimited where absent. */
  readonly quotaBytes?: number;
}

/** One connection writes, another checkpoints. Calls must not overlap, except `checkpoint` and reads of others. */
export class RevisionLog {
  readonly #writer: Database;
  readonly #checkpointer: Database;
  readonly #begin: Statement;
  readonly #insert: Statement;
  readonly #remove: Statement;
  readonly #setCompacted: Statement;
  #uncheckpointed = 0;
  #checkpointing: Promise<void> | undefined;

  private constructor(writer: Database, checkpointer: Database, statements: readonly Statement[]) {
    const [begin, insert, remove, setCompacted] = statements;
    if (!begin || !insert || !remove || !setCompacted) throw new Error("a statement is missing");
    this.#writer = writer;
    this.#checkpointer = checkpointer;
    this.#begin = begin;
    this.#insert = insert;
    this.#remove = remove;
    this.#setCompacted = setCompacted;
  }

  /** The file must have been prepared. */
  static async open(file: string, writer: Database, options: LogOptions): Promise<RevisionLog> {
    await configure(writer);
    await limit(writer, options.quotaBytes);
    const statements = await Promise.all(STATEMENTS.map((sql) => writer.prepare(sql)));
    return new RevisionLog(writer, openDatabase(file), statements);
  }

  /** Durable when it resolves; nothing of it has happened when it rejects. */
  async append(records: readonly LogRecord[]): Promise<void> {
    await this.#transaction(() => {
      for (const record of records) {
        this.#insert.run(...encodeRecord(record));
        this.#uncheckpointed += record.key.length + (record.value?.length ?? 0);
      }
    });
    if (this.#uncheckpointed > CHECKPOINT_BYTES) this.#checkpoint();
  }

  async setCompacted(revision: number): Promise<void> {
    await this.#transaction(() => this.#setCompacted.run(revision));
  }

  async remove(revisions: readonly number[]): Promise<void> {
    await this.#transaction(() => this.#remove.run(JSON.stringify(revisions)));
    this.#uncheckpointed += revisions.length;
  }

  /** The newest revision in the file; undefined when there is no row. */
  async newest(): Promise<number | undefined> {
    const newest = await queryOne(this.#writer, "SELECT max(revision) FROM log");
    return typeof newest === "number" ? newest : undefined;
  }

  async limit(quotaBytes: number | undefined): Promise<void> {
    await limit(this.#writer, quotaBytes);
  }

  /** Leaves an empty write-ahead log, unless another process is reading; then the next open does it. */
  async close(): Promise<void> {
    await this.#checkpointing;
    this.#checkpointer.close();
    await queryOne(this.#writer, "PRAGMA wal_checkpoint(TRUNCATE)");
    this.#writer.close();
  }

  async #transaction(work: () => void): Promise<void> {
    try {
      this.#begin.run();
      work();
      await this.#writer.exec("COMMIT");
    } catch (error) {
      if (this.#writer.inTransaction) await this.#writer.exec("ROLLBACK");
      throw error;
    }
  }

  /** Best effort: what fails here is tried again after the next few megabytes, or within a commit. */
  #checkpoint(): void {
    if (this.#checkpointing !== undefined) return;
    this.#uncheckpointed = 0;
    const done = (): void => {
      this.#checkpointing = undefined;
    };
    this.#checkpointing = this.#checkpointer.exec("PRAGMA wal_checkpoint(PASSIVE)").then(done, done);
  }
}

const STATEMENTS = [
  "BEGIN IMMEDIATE",
  "INSERT INTO log (revision, key, created, value, checksum) VALUES (?, ?, ?, ?, ?)",
  "DELETE FROM log WHERE revision IN (SELECT value FROM json_each(?))",
  "UPDATE meta SET value = ? WHERE name = 'compacted'",
];

export async function createSchema(database: Database): Promise<void> {
  await database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
}

export async function readCompacted(database: Database): Promise<number> {
  return Number(await queryOne(database, "SELECT value FROM meta WHERE name = 'compacted'"));
}

/** From here on nothing waits for a lock: waiting would stall all requests. */
async function configure(database: Database): Promise<void> {
  await database.exec(`
    PRAGMA busy_timeout = 0;
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA wal_autocheckpoint = ${FORCED_CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${CHECKPOINT_BYTES * 4};`);
}

const MAX_PAGES = 0xfffffffe;

async function limit(database: Database, quotaBytes: number | undefined): Promise<void> {
  const pageSize = Number(await queryOne(database, "PRAGMA page_size"));
  const pages = quotaBytes === undefined ? MAX_PAGES : Math.max(1, Math.floor(quotaBytes / pageSize));
  await queryOne(database, `PRAGMA max_page_count = ${pages}`);
}
