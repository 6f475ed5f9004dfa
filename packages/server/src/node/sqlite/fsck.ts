/**
 * Says what a data directory or a backup holds, and what of it is damaged. Nothing is changed: a copy is read, because
 * SQLite drops what it does not understand as soon as it opens a file.
 */
import { copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makePrivate } from "../private-files.ts";
import { DATABASE_FILE } from "./backup.ts";
import { openDatabase } from "./database.ts";
import { readHighWater } from "./high-water.ts";
import { load, prepareFile } from "./load.ts";
import { lockDirectory } from "./lock.ts";
import { damagedWal, lostEnd, noStore, readableByOthers, unreadableEntry } from "./messages.ts";
import { findWalDamage } from "./wal.ts";

/** What `checkSqliteStore` found. */
export interface StoreReport {
  readonly file: string;
  /** Undefined where nothing can be read. */
  readonly contents: StoreContents | undefined;
  /** What is wrong; empty for a sound store. */
  readonly problems: readonly string[];
}

export interface StoreContents {
  readonly revision: number;
  /** History reaches back to here. */
  readonly compacted: number;
  readonly objects: number;
}

/** `place` is a data directory that no process uses, or a backup. Throws an Error where there is no store. */
export async function checkSqliteStore(place: string): Promise<StoreReport> {
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return checkFile(place);
  const file = path.join(place, DATABASE_FILE);
  if (!(await exists(file))) throw new Error(noStore(place));
  const lock = await lockDirectory(place);
  try {
    const report = await checkFile(file);
    const lost = lostOf(report, (await readHighWater(place)) ?? 0);
    return { ...report, problems: [...report.problems, ...lost] };
  } finally {
    lock.release();
  }
}

function lostOf({ file, contents }: StoreReport, acknowledged: number): string[] {
  if (contents === undefined || contents.revision >= acknowledged) return [];
  return [lostEnd(file, contents.revision, acknowledged)];
}

async function checkFile(file: string): Promise<StoreReport> {
  if (!(await exists(file))) throw new Error(noStore(file));
  const modes = await openToOthers(file);
  const walDamage = await findWalDamage(`${file}-wal`);
  const { contents, problems } = await readCopy(file);
  return { file, contents, problems: [...modes, ...(walDamage ? [damagedWal(file, walDamage)] : []), ...problems] };
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

const OTHERS = 0o077;

async function openToOthers(file: string): Promise<string[]> {
  if (process.platform === "win32") return [];
  const { mode } = await stat(file);
  return (mode & OTHERS) === 0 ? [] : [readableByOthers(file, (mode & 0o777).toString(8))];
}

async function readCopy(file: string): Promise<Pick<StoreReport, "contents" | "problems">> {
  const folder = await mkdtemp(path.join(tmpdir(), "portcullis-fsck-"));
  try {
    const copy = path.join(folder, DATABASE_FILE);
    await copyPrivate(file, copy);
    if (await exists(`${file}-wal`)) await copyPrivate(`${file}-wal`, `${copy}-wal`);
    return await readContents(copy, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyPrivate(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await makePrivate(to);
}

async function readContents(copy: string, file: string): Promise<Pick<StoreReport, "contents" | "problems">> {
  // An empty file would become a store by being opened.
  if ((await readFile(copy)).length === 0) return { contents: undefined, problems: [noStore(file)] };
  const database = openDatabase(copy);
  try {
    await prepareFile(file, database);
    const { state } = await load(file, database, { repair: false, log: () => {} });
    const { entries } = state.list("");
    const problems = entries.filter(({ value }) => !isJson(value)).map(({ key }) => unreadableEntry(file, key));
    return { contents: { revision: state.revision, compacted: state.compacted, objects: entries.length }, problems };
  } catch (error) {
    return { contents: undefined, problems: [error instanceof Error ? error.message : String(error)] };
  } finally {
    database.close();
  }
}

/** Values are JSON of the server's own writing. */
function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
