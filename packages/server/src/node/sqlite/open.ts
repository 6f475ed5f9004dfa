/** Opens the embedded store of a data directory: locks it, verifies the file, loads it. */
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { makePrivate, makePrivateFolder } from "../private-files.ts";
import { DATABASE_FILE, syncFolder } from "./backup.ts";
import { type Database, openDatabase } from "./database.ts";
import { HighWater, readHighWater } from "./high-water.ts";
import { loadUpTo, prepareFile } from "./load.ts";
import { type DirectoryLock, lockDirectory } from "./lock.ts";
import { RevisionLog } from "./log.ts";
import { damagedWal, walCut } from "./messages.ts";
import { SqliteStore } from "./store.ts";
import { findWalDamage } from "./wal.ts";

/** Folder and limits of a `SqliteStore`. */
export interface SqliteStoreOptions {
  /** Created if it does not exist. One process at a time. */
  readonly dataDir: string;
  /** The database file grows no further; unlimited where absent. */
  readonly quotaBytes?: number;
  /** Cut a damaged end off instead of refusing to open; the damaged file is kept beside. */
  readonly repair?: boolean;
  /** Gets a line when something was repaired; standard error where absent. */
  readonly log?: (message: string) => void;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  await makePrivateFolder(options.dataDir);
  const lock = await lockDirectory(options.dataDir);
  try {
    return await openLocked(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * The last connection to close, such as that of a backup or of a process that has just ended, holds the file while it
 * empties the write-ahead log.
 */
const START_PATIENCE_MS = 10_000;

async function openLocked(options: SqliteStoreOptions, lock: DirectoryLock): Promise<SqliteStore> {
  const file = path.join(options.dataDir, DATABASE_FILE);
  for (const suffix of ["", "-wal", "-shm"]) await makePrivate(file + suffix);
  await checkWal(file, options);
  const writer = openDatabase(file, { patience: START_PATIENCE_MS });
  try {
    return await openFile(options, { file, writer, lock });
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Before SQLite opens it, for that forgets what it does not understand. */
async function checkWal(file: string, { repair, log = (message) => console.error(message) }: SqliteStoreOptions) {
  const damage = await findWalDamage(`${file}-wal`);
  if (damage === undefined) return;
  if (repair !== true) throw new Error(damagedWal(file, damage));
  const copy = `${file}-wal.damaged`;
  await copyFile(`${file}-wal`, copy);
  await makePrivate(copy);
  log(walCut(file, damage, copy));
}

interface OpenFile {
  readonly file: string;
  readonly writer: Database;
  readonly lock: DirectoryLock;
}

async function openFile(options: SqliteStoreOptions, { file, writer, lock }: OpenFile): Promise<SqliteStore> {
  const { dataDir, quotaBytes, repair = false, log = (message) => console.error(message) } = options;
  await prepareFile(file, writer);
  const acknowledged = (await readHighWater(dataDir)) ?? 0;
  const loaded = await loadUpTo(acknowledged, { file, database: writer, repair, log });
  for (const suffix of ["", "-wal", "-shm"]) await makePrivate(file + suffix);
  await syncFolder(dataDir);
  const revisionLog = await RevisionLog.open(file, writer, quotaBytes === undefined ? {} : { quotaBytes });
  const highWater = await HighWater.open(dataDir, loaded.state.revision);
  return new SqliteStore({ file, lock, log: revisionLog, highWater, loaded, report: log });
}
