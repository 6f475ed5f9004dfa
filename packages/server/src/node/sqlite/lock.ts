/**
 * One process for one data directory. The lock is an open exclusive transaction on a file of its own: the operating system
 * drops it when the process ends, however it ends, so there is no stale lock to clean up. The database itself stays open
 * to readers from outside.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Database, errorCode, openDatabase } from "./database.ts";
import { inUse } from "./messages.ts";

export interface DirectoryLock {
  release(): void;
}

export async function lockDirectory(folder: string): Promise<DirectoryLock> {
  const database = openDatabase(path.join(folder, "lock"));
  const ownerFile = path.join(folder, "lock.pid");
  await acquire(database, folder, ownerFile);
  writeFileSync(ownerFile, `${process.pid}\n`);
  return { release: () => database.close() };
}

async function acquire(database: Database, folder: string, ownerFile: string): Promise<void> {
  try {
    await database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!errorCode(error).startsWith("SQLITE_BUSY")) throw error;
    throw new Error(inUse(folder, readOwner(ownerFile)), { cause: error });
  }
}

/** Only for the message; another process may be writing it just now. */
function readOwner(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
