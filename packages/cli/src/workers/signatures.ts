/** What files looked like when they were read, so that unchanged ones need not be read again. */
import path from "node:path";
import type { ObservedFiles } from "./observed-files.ts";

/** What is known about the text of a file. */
export interface KnownText {
  readonly digest: string;
  /** Whether it may count for the review of other files. */
  readonly isContext: boolean;
}

/** Plain data: by the absolute path of a file. */
export type SignatureEntry = readonly [file: string, signature: string, digest: string, isContext: boolean];

export class Signatures {
  readonly #known: Map<string, SignatureEntry>;
  readonly #observed: ObservedFiles;
  readonly #root = process.cwd() + path.sep;
  #isChanged = false;

  constructor(entries: readonly SignatureEntry[], observed: ObservedFiles) {
    this.#known = new Map(entries.map((entry) => [entry[0], entry]));
    this.#observed = observed;
  }

  /** Reads the text only if the file has changed. */
  textOf(file: string, read: () => KnownText): KnownText {
    const full = path.isAbsolute(file) ? file : this.#root + file;
    const state = this.#observed.look(file);
    if (state === undefined) return read();
    const signature = state.join(" ");
    const known = this.#known.get(full);
    if (known !== undefined && known[1] === signature) return { digest: known[2], isContext: known[3] };
    const { digest, isContext } = read();
    if (known !== undefined) this.#known.delete(full);
    if (this.#observed.isStable(state)) {
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
