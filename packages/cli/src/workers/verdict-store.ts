/**
 * Verdicts of earlier runs, one file for each context, in the user's cache folder. Each file starts with the digest of
 * its content: a file that was damaged or edited is not used.
 */
import { createHash } from "node:crypto";
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
import type { SignatureEntry } from "./signatures.ts";

export interface VerdictStore {
  /** By key; empty if there are none, or they cannot be read. */
  read(context: string): ReadonlyMap<string, FileVerdict>;
  write(context: string, verdicts: ReadonlyMap<string, FileVerdict>): void;
  /** What files looked like in earlier runs from the same folder. */
  readSignatures(): readonly SignatureEntry[];
  writeSignatures(entries: readonly SignatureEntry[]): void;
}

/** More files than this are not kept; the oldest are removed first. */
const MAX_FILES = 40;
const MAX_ENTRIES = 200_000;
const FORMAT = 3;

export class VerdictFolder implements VerdictStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(context: string): ReadonlyMap<string, FileVerdict> {
    return new Map(this.#readEntries<[string, FileVerdict]>(context));
  }

  write(context: string, verdicts: ReadonlyMap<string, FileVerdict>): void {
    this.#writeEntries(context, [...verdicts]);
  }

  readSignatures(): readonly SignatureEntry[] {
    return this.#readEntries<SignatureEntry>(signaturesOf(process.cwd()));
  }

  writeSignatures(entries: readonly SignatureEntry[]): void {
    this.#writeEntries(signaturesOf(process.cwd()), entries);
  }

  #readEntries<T>(name: string): readonly T[] {
    const text = readOwn(path.join(this.#folder, name)) ?? "";
    const content = text.slice(DIGEST_LENGTH);
    return text !== "" && text.startsWith(digestOf(content)) ? JSON.parse(content) : [];
  }

  /** The cache is an optimization: a folder that cannot be written is not an error. */
  #writeEntries(name: string, entries: readonly unknown[]): void {
    const file = path.join(this.#folder, name);
    const draft = `${file}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const content = JSON.stringify(entries.slice(-MAX_ENTRIES));
      writeFileSync(draft, digestOf(content) + content, { mode: 0o600 });
      renameSync(draft, file);
      this.#removeOldest();
    } catch {
      rmSync(draft, { force: true });
    }
  }

  #removeOldest(): void {
    const files = readdirSync(this.#folder).map((name) => path.join(this.#folder, name));
    if (files.length <= MAX_FILES) return;
    const byTime = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
    for (const { file } of byTime.slice(MAX_FILES)) rmSync(file, { force: true });
  }
}

const DIGEST_LENGTH = 64;

function digestOf(content: string): string {
  return createHash("sha256").update(`${FORMAT} ${content}`).digest("hex");
}

/** The name of the file with the signatures of the files of a folder. */
function signaturesOf(folder: string): string {
  return `files-${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
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
