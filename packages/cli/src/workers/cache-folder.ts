/** The folders where results of earlier runs are kept. */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** `$XDG_CACHE_HOME/portcullis/NAME`, or the same below ~/.cache; undefined if there is no such folder. */
export function cacheFolder(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env["XDG_CACHE_HOME"] || (env["HOME"] && path.join(env["HOME"], ".cache"));
  return home && path.isAbsolute(home) ? path.join(home, "portcullis", name) : undefined;
}

/** Undefined if it cannot be read. What another user wrote is not believed. */
export function readOwn(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, "r");
    try {
      const isOwn = process.getuid === undefined || fstatSync(descriptor).uid === process.getuid();
      return isOwn ? readFileSync(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** More files than this are not kept; the oldest are removed first. */
const MAX_FILES = 40;

/** The cache is an optimization: a folder that cannot be written is not an error. */
export function writeOwn(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  const folder = path.dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, file);
    removeOldest(folder);
  } catch {
    rmSync(draft, { force: true });
  }
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  if (files.length <= MAX_FILES) return;
  const byTime = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { file } of byTime.slice(MAX_FILES)) rmSync(file, { force: true });
}
