/** Copies of a store: written while it runs, and put in place of one that is gone. */
import { copyFile, type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createPrivate, makePrivate, makePrivateFolder } from "../private-files.ts";
import { openDatabase, queryOne, quote } from "./database.ts";
import { forgetHighWater } from "./high-water.ts";
import { load, prepareFile } from "./load.ts";
import { lockDirectory } from "./lock.ts";
import { noStore, targetExists } from "./messages.ts";

export const DATABASE_FILE = "portcullis.db";

/** How many revisions a restored store skips by default. */
const DEFAULT_BUMP = 1_000_000;

/** The copy is complete and on disk under its name, or there is none. It is one file, without a write-ahead log. */
export async function writeBackup(file: string, target: string): Promise<void> {
  await refuseExisting(target);
  const partial = `${target}.partial`;
  await rm(partial, { force: true });
  const reader = openDatabase(file);
  try {
    // SQLite writes into an empty file that is there, and leaves its mode as it is.
    await createPrivate(partial);
    await reader.exec(`VACUUM INTO ${quote(partial)}`);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    reader.close();
  }
  await syncFile(partial);
  await rename(partial, target);
  await syncFolder(path.dirname(path.resolve(target)));
}

/** What to back up, and where to. */
export interface BackupOptions {
  readonly dataDir: string;
  /** Must not be there yet. */
  readonly target: string;
}

/** From outside the process that has the store. */
export async function backupSqliteStore({ dataDir, target }: BackupOptions): Promise<void> {
  const file = path.join(dataDir, DATABASE_FILE);
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) throw new Error(noStore(dataDir));
  await handle.close();
  await writeBackup(file, target);
}

/** What to restore, and where to. */
export interface RestoreOptions {
  /** The file a backup has written. */
  readonly backup: string;
  /** Must not hold a store yet. */
  readonly dataDir: string;
  /** How far revisions jump ahead, so that none is used a second time for something else. */
  readonly bump?: number;
}

/**
 * Makes a data directory from a backup. All history counts as compacted and the next revision lies far beyond any that the
 * lost store may have given out after the backup: clients that saw those start over instead of missing changes.
 */
export async function restoreSqliteBackup({ backup, dataDir, bump = DEFAULT_BUMP }: RestoreOptions): Promise<number> {
  await makePrivateFolder(dataDir);
  const lock = await lockDirectory(dataDir);
  try {
    const file = path.join(dataDir, DATABASE_FILE);
    await refuseExisting(file);
    const partial = `${file}.partial`;
    await createPrivate(partial);
    await copyFile(backup, partial);
    await makePrivate(partial);
    const revision = await jumpAhead(partial, bump);
    await syncFile(partial);
    await forgetHighWater(dataDir);
    await rename(partial, file);
    await syncFolder(dataDir);
    return revision;
  } finally {
    lock.release();
  }
}

async function jumpAhead(file: string, bump: number): Promise<number> {
  const database = openDatabase(file);
  try {
    await prepareFile(file, database);
    const { state } = await load(file, database, { repair: false, log: () => {} });
    const revision = state.revision + bump;
    await database.exec(`UPDATE meta SET value = ${revision} WHERE name = 'compacted'`);
    await queryOne(database, "PRAGMA journal_mode = DELETE");
    return revision;
  } finally {
    database.close();
  }
}

async function refuseExisting(file: string): Promise<void> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return;
  await handle.close();
  throw new Error(targetExists(file));
}

async function syncFile(file: string): Promise<void> {
  await syncHandle(await open(file, "r+"));
}

/** Only then does a new name in it survive a power cut. Windows does not have it and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== "win32") await syncHandle(await open(folder, "r"));
}

async function syncHandle(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
