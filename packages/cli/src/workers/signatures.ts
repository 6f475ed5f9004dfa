/**
 * What files looked like when they were read, so that unchanged ones need not be read again.
 *
 * As in git's index, a file is unchanged if its size, inode and times are. A file that was changed just before it was
 * read could change again without another time, so it is not remembered.
 */
import { statSync } from "node:fs";
import path from "node:path";

/** What is known about the text of a file. */
export interface KnownText {
  readonly digest: string;
  /** Whether it may count for the review of other files. */
  readonly isContext: boolean;
}

/** Plain data: by the absolute path of a file. */
export type SignatureEntry = readonly [file: string, signature: string, digest: string, isContext: boolean];

/** Longer than the times of any common file system are apart. */
const STABLE_MS = 2500;

export class Signatures {
  readonly #known: Map<string, SignatureEntry>;
  readonly #root = process.cwd() + path.sep;
  readonly #now = Date.now();
  #isChanged = false;

  constructor(entries: readonly SignatureEntry[]) {
    this.#known = new Map(entries.map((entry) => [entry[0], entry]));
  }

  /** Reads the text only if the file has changed. */
  textOf(file: string, read: () => KnownText): KnownText {
    const full = path.isAbsolute(file) ? file : this.#root + file;
    // Before the file is read: a change in between has a later time.
    const stats = statSync(full, { throwIfNoEntry: false });
    if (stats === undefined) return read();
    const signature = `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
    const known = this.#known.get(full);
    if (known !== undefined && known[1] === signature) return { digest: known[2], isContext: known[3] };
    const { digest, isContext } = read();
    if (known !== undefined) this.#known.delete(full);
    if (Math.max(stats.mtimeMs, stats.ctimeMs) < this.#now - STABLE_MS) {
      this.#known.set(full, [full, signature, digest, isContext]);
      this.#isChanged = true;
    }
    return { digest, isContext };
  }

  /** Undefined if there is nothing new. */
  changed(): readonly SignatureEntry[] | undefined {
    return this.#isChanged ? [...this.#known.values()] : undefined;
  }
}
