/** Verdicts of earlier runs, one file for each context, in the user's cache folder. */
import {
  closeSync,
  existsSync,
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
import type { FileVerdict } from "@portcullis/checker/internal/check/chunk";

export interface VerdictStore {
  /** By key; empty if there are none, or they cannot be read. */
  read(context: string): ReadonlyMap<string, FileVerdict>;
  write(context: string, verdicts: ReadonlyMap<string, FileVerdict>): void;
}

/** More contexts than this are not kept; the oldest are removed first. */
const MAX_CONTEXTS = 20;
const MAX_VERDICTS = 200_000;
const FORMAT = 1;

export class VerdictFolder implements VerdictStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(context: string): ReadonlyMap<string, FileVerdict> {
    const text = readOwn(this.#file(context));
    try {
      const [format, entries] = text === undefined ? [] : JSON.parse(text);
      return format === FORMAT ? new Map(entries) : new Map();
    } catch {
      return new Map();
    }
  }

  /** The cache is an optimization: a folder that cannot be written is not an error. */
  write(context: string, verdicts: ReadonlyMap<string, FileVerdict>): void {
    const entries = [...verdicts].slice(-MAX_VERDICTS);
    const draft = `${this.#file(context)}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify([FORMAT, entries]), { mode: 0o600 });
      renameSync(draft, this.#file(context));
      this.#removeOldest();
    } catch {
      rmSync(draft, { force: true });
    }
  }

  #file(context: string): string {
    return path.join(this.#folder, context);
  }

  #removeOldest(): void {
    const files = readdirSync(this.#folder).map((name) => path.join(this.#folder, name));
    if (files.length <= MAX_CONTEXTS) return;
    const byTime = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
    for (const { file } of byTime.slice(MAX_CONTEXTS)) rmSync(file, { force: true });
  }
}

/** What another user wrote is not believed. */
function readOwn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const descriptor = openSync(file, "r");
    try {
      const isOwn = process.getuid === undefined || fstatSync(descriptor).uid === process.getuid();
      return isOwn ? readFileSync(descriptor, "utf8") : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** `$XDG_CACHE_HOME/portcullis/verdicts`, or the same below ~/.cache; undefined if there is no such folder. */
export function verdictFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env["XDG_CACHE_HOME"] || (env["HOME"] && path.join(env["HOME"], ".cache"));
  return home && path.isAbsolute(home) ? path.join(home, "portcullis", "verdicts") : undefined;
}
