/** Finds the files of a workspace and reads them in slices, so that requests are answered in between. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { isKustomizationName } from "@portcullis/checker/internal/repository/survey";

const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Larger files are data, not manifests. */
const MAX_FILE_BYTES = 5_000_000;
/** A workspace with more files is read only so far. */
const MAX_FILES = 50_000;
const SLICE_MS = 12;

export interface ScannedFile {
  /** Relative to the folder, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** The names of all YAML and JSON files, in the order that `check` reads them. */
export async function listFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await entriesOf(path.join(root, folder));
    for (const entry of entries) {
      if (files.length >= MAX_FILES) return;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") await visit(name);
      } else if (isWanted(entry.name)) files.push(name);
    }
  };
  await visit("");
  return files;
}

/** A folder that cannot be read has no files. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

export function isWanted(name: string): boolean {
  return EXTENSIONS.includes(path.extname(name).toLowerCase()) || isKustomizationName(path.basename(name));
}

/** Undefined if the file cannot be read or is too large to be a manifest. */
export async function readText(full: string): Promise<string | undefined> {
  try {
    const { size } = await stat(full);
    return size > MAX_FILE_BYTES ? undefined : await readFile(full, "utf8");
  } catch {
    return undefined;
  }
}

/** Calls `use` for each file that can be read. Stops if `signal` is aborted. */
export async function scanFiles(
  root: string,
  files: readonly string[],
  use: (scanned: ScannedFile) => void,
  signal: AbortSignal,
): Promise<void> {
  const pause = slices();
  for (const file of files) {
    if (signal.aborted) return;
    const text = await readText(path.join(root, file));
    if (text !== undefined) use({ file, text });
    await pause();
  }
}

/** Lets other work in once the slice is used up. */
export function slices(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await nextTask();
    start = performance.now();
  };
}

/** Timers, requests and cancellations that wait come first. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** By the steps of the path, as folders are read. */
export function compareFiles(left: string, right: string): number {
  const [one, other] = [left.split("/"), right.split("/")];
  const at = one.findIndex((step, index) => step !== other[index]);
  if (at === -1) return one.length - other.length;
  return (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}
