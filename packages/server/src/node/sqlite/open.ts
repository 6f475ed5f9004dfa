/** Opens the embedded store of a data directory: locks it, verifies the file, loads it. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { DATABASE_FILE, syncFolder } from "./backup.ts";
import { type Database, openDatabase } from "./database.ts";
import { load, prepareFile } from "./load.ts";
import { type DirectoryLock, lockDirectory } from "./lock.ts";
import { RevisionLog } from "./log.ts";
import { SqliteStore } from "./store.ts";

export interface SqliteStoreOptions {
  /** Made if it is not there. One process at a time. */
  readonly dataDir: string;
  /** The database file grows no further; unlimited where absent. */
  readonly quotaBytes?: number;
  /** Cut a damaged end off instead of refusing to open; the damaged file is kept beside. */
  readonly repair?: boolean;
  /** Gets a line when something was repaired; standard error where absent. */
  readonly log?: (message: string) => void;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(options.dataDir);
  try {
    return await openLocked(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openLocked(options: SqliteStoreOptions, lock: DirectoryLock): Promise<SqliteStore> {
  const file = path.join(options.dataDir, DATABASE_FILE);
  const writer = openDatabase(file);
  try {
    return await openFile(options, { file, writer, lock });
  } catch (error) {
    writer.close();
    throw error;
  }
}

interface OpenFile {
  readonly file: string;
  readonly writer: Database;
  readonly lock: DirectoryLock;
}

async function openFile(options: SqliteStoreOptions, { file, writer, lock }: OpenFile): Promise<SqliteStore> {
  const { dataDir, quotaBytes, repair = false, log = (message) => console.error(message) } = options;
  await prepareFile(file, writer);
  const loaded = await load(file, writer, { repair, log });
  await syncFolder(dataDir);
  const revisionLog = await RevisionLog.open(file, writer, quotaBytes === undefined ? {} : { quotaBytes });
  return new SqliteStore({ file, lock, log: revisionLog, loaded });
}
