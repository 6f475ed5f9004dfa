/**
 * Opens the file and reads all of it, verifying: SQLite's own check of its pages, the checksum of every row, and that no
 * revision is missing. A write torn by a crash never gets here, because SQLite drops what was not committed; damage means
 * that the disk, or somebody, has changed what was.
 */
import { copyFileSync, existsSync } from "node:fs";
import { StoreState } from "../../storage/state.ts";
import type { Entry } from "../../storage/store.ts";
import { type Database, errorCode, queryOne, queryRows } from "./database.ts";
import { APPLICATION_ID, createSchema, FORMAT, readCompacted } from "./log.ts";
import {
  continuesBehind,
  damagedBase,
  damagedFile,
  damagedTail,
  lostEnd,
  notOurs,
  repaired,
  tooNew,
} from "./messages.ts";
import { decodeRecord, type LogRecord } from "./record.ts";

export interface Loaded {
  readonly state: StoreState;
  /** Revisions of rows that nothing needs any more: a compaction was interrupted. */
  readonly obsolete: readonly number[];
}

export interface LoadOptions {
  readonly repair: boolean;
  readonly log: (message: string) => void;
}

/**
 * Refuses a file that lacks revisions which were acknowledged, or continues behind them: those that clients have seen are not
 * used a second time.
 */
export async function loadUpTo(
  acknowledged: number,
  { file, database, ...options }: LoadOptions & { readonly file: string; readonly database: Database },
): Promise<Loaded> {
  const loaded = await load(file, database, options);
  const { revision } = loaded.state;
  if (revision >= acknowledged) return loaded;
  if (!options.repair) throw new Error(lostEnd(file, revision, acknowledged));
  await database.exec(`UPDATE meta SET value = ${acknowledged} WHERE name = 'compacted'`);
  options.log(continuesBehind(file, revision, acknowledged));
  return load(file, database, options);
}

/** Makes an empty file a store, and refuses a file that is something else. */
export async function prepareFile(file: string, database: Database): Promise<void> {
  try {
    await queryOne(database, "PRAGMA journal_mode = WAL");
    const [application, format] = [await pragma(database, "application_id"), await pragma(database, "user_version")];
    if (application === 0 && (await isEmpty(database))) await createSchema(database);
    else if (application !== APPLICATION_ID) throw new Error(notOurs(file));
    else if (format > FORMAT) throw new Error(tooNew(file, format, FORMAT));
  } catch (error) {
    throw asDamage(file, error);
  }
}

export async function load(file: string, database: Database, options: LoadOptions): Promise<Loaded> {
  try {
    const finding = await queryOne(database, "PRAGMA quick_check(1)");
    if (finding !== "ok") throw new Error(damagedFile(file, String(finding).replace(/\s*\n\s*/g, " ")));
    const { state, obsolete, damagedFrom } = await replay(file, database);
    if (damagedFrom !== undefined) await cutTail(file, database, { ...options, damagedFrom });
    return { state, obsolete };
  } catch (error) {
    throw asDamage(file, error);
  }
}

/**
 * Takes what comes before the first revision after the compacted one that is unreadable or missing; throws where older ones
 * are. All rows are read even then: a query left in the middle would hold on to the file.
 */
async function replay(
  file: string,
  database: Database,
): Promise<Loaded & { readonly damagedFrom: number | undefined }> {
  const compacted = await readCompacted(database);
  const base = new Base();
  let state: StoreState | undefined;
  let damagedFrom: number | undefined;
  for (const row of await queryRows(database, SELECT_ALL)) {
    const record = decodeRecord(row);
    const revision = Number(row[0]);
    if (revision <= compacted) {
      if (record === undefined) throw new Error(damagedBase(file, revision));
      base.add(record);
      continue;
    }
    state ??= base.restore(compacted);
    if (record === undefined || revision !== state.revision + 1) damagedFrom ??= state.revision + 1;
    else state.apply({ key: record.key, revision, entry: entryOf(record), previous: state.get(record.key) });
  }
  return { state: state ?? base.restore(compacted), obsolete: base.obsolete, damagedFrom };
}

const SELECT_ALL = "SELECT revision, key, created, value, checksum FROM log ORDER BY revision";

/** What the rows up to the compacted revision amount to: only the newest of a key counts, and not if it is a deletion. */
class Base {
  readonly #newest = new Map<string, Entry>();
  /** Revisions of the others. */
  readonly obsolete: number[] = [];

  /** In the order of revisions. */
  add(record: LogRecord): void {
    const older = this.#newest.get(record.key);
    if (older !== undefined) this.obsolete.push(older.revision);
    const entry = entryOf(record);
    if (entry !== undefined) {
      this.#newest.set(record.key, entry);
      return;
    }
    this.obsolete.push(record.revision);
    this.#newest.delete(record.key);
  }

  restore(revision: number): StoreState {
    const state = new StoreState(revision);
    for (const entry of this.#newest.values()) state.restore(entry);
    return state;
  }
}

function entryOf({ revision, key, created, value }: LogRecord): Entry | undefined {
  return value === undefined ? undefined : { key, value, revision, created };
}

async function cutTail(
  file: string,
  database: Database,
  { damagedFrom, repair, log }: LoadOptions & { readonly damagedFrom: number },
): Promise<void> {
  if (!repair) {
    const lost = Number(await queryOne(database, `SELECT count(*) FROM log WHERE revision >= ${damagedFrom}`));
    throw new Error(damagedTail(file, damagedFrom, lost));
  }
  await queryOne(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  const copy = freeName(`${file}.damaged`);
  copyFileSync(file, copy);
  await database.exec(`DELETE FROM log WHERE revision >= ${damagedFrom}`);
  log(repaired(file, damagedFrom, copy));
}

function freeName(base: string): string {
  let name = base;
  for (let count = 2; existsSync(name); count++) name = `${base}-${count}`;
  return name;
}

async function isEmpty(database: Database): Promise<boolean> {
  return (await queryOne(database, "SELECT count(*) FROM sqlite_schema")) === 0;
}

async function pragma(database: Database, name: string): Promise<number> {
  return Number(await queryOne(database, `PRAGMA ${name}`));
}

function asDamage(file: string, error: unknown): unknown {
  if (errorCode(error) === "SQLITE_NOTADB") return new Error(notOurs(file), { cause: error });
  if (!errorCode(error).startsWith("SQLITE_CORRUPT")) return error;
  return new Error(damagedFile(file, error instanceof Error ? error.message : String(error)), { cause: error });
}
