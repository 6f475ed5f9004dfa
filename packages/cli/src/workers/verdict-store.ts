/**
 * Verdicts of earlier runs, one file for each context, in the user's cache folder. Each file starts with the digest of
 * its content: a file that was damaged or edited is not used.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { FileVerdict } from "@portcullis/checker/internal/check/chunk";
import { readOwn, writeOwn } from "./cache-folder.ts";
import type { SignatureEntry } from "./signatures.ts";

export interface VerdictStore {
  /** By key; empty if there are none, or they cannot be read. */
  read(context: string): ReadonlyMap<string, FileVerdict>;
  write(context: string, verdicts: ReadonlyMap<string, FileVerdict>): void;
  /** What files looked like in earlier runs from the same folder. */
  readSignatures(): readonly SignatureEntry[];
  writeSignatures(entries: readonly SignatureEntry[]): void;
}

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
    const text = readOwn(path.join(this.#folder, name))?.toString() ?? "";
    const content = text.slice(DIGEST_LENGTH);
    return text !== "" && text.startsWith(digestOf(content)) ? JSON.parse(content) : [];
  }

  #writeEntries(name: string, entries: readonly unknown[]): void {
    const content = JSON.stringify(entries.slice(-MAX_ENTRIES));
    writeOwn(path.join(this.#folder, name), digestOf(content) + content);
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
