/** Downloads of earlier runs, by the digest of their content. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

export class SourceCache {
  readonly #folder: string | undefined;

  /** Nothing is kept if there is no folder for it. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Undefined if it is not there, or if its content has changed. */
  read(digest: string): Uint8Array | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      const bytes = readFileSync(path.join(this.#folder, digest));
      return digestOf(bytes) === digest ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** A cache that cannot be written is not an error. */
  write(bytes: Uint8Array): void {
    if (this.#folder === undefined) return;
    const file = path.join(this.#folder, digestOf(bytes));
    const draft = `${file}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(draft, bytes);
      renameSync(draft, file);
    } catch {
      return;
    }
  }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
