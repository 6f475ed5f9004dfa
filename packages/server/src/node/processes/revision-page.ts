/**
 * The newest revision of a store, for the other processes of a server: a few bytes of a file without a name that all of
 * them have open. They never reach a disk that matters; reading them takes a microsecond and no message.
 *
 * The process with the store writes a revision before it acknowledges the write to anybody. Who knows of a write, in
 * whatever way, therefore finds its revision here.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Subscription, WatchableStore } from "../../storage/store.ts";

/** The revision twice: a reader that sees a write halfway finds two different ones. */
const BYTES = 16;
/** Memory rather than a disk, where there is such a folder. */
const SHARED_MEMORY = "/dev/shm";

/** For the process with the store. */
export class RevisionPage {
  /** For the other processes to inherit. */
  readonly fd: number;
  readonly #bytes = Buffer.alloc(BYTES);
  #subscription: Subscription | undefined;

  constructor() {
    this.fd = openNameless();
    this.#write(0);
  }

  /** Resolves when the page follows the store. */
  async follow(store: WatchableStore): Promise<void> {
    const revision = await store.revision();
    this.#write(revision);
    this.#subscription = await store.watch("/", revision, {
      event: (event) => this.#write(event.revision),
      failed: () => {},
    });
  }

  close(): void {
    this.#subscription?.close();
    closeSync(this.fd);
  }

  /** Throws rather than leave an old revision: the write that is not published is not acknowledged either. */
  #write(revision: number): void {
    this.#bytes.writeDoubleLE(revision, 0);
    this.#bytes.writeDoubleLE(revision, BYTES / 2);
    writeSync(this.fd, this.#bytes, 0, BYTES, 0);
  }
}

/** For the others: the revision that is on the page. */
export function revisionReader(fd: number): () => number {
  const bytes = Buffer.alloc(BYTES);
  return () => {
    for (;;) {
      readSync(fd, bytes, 0, BYTES, 0);
      const revision = bytes.readDoubleLE(0);
      if (revision === bytes.readDoubleLE(BYTES / 2)) return revision;
    }
  };
}

function openNameless(): number {
  const folder = mkdtempSync(path.join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), "portcullis-"));
  try {
    return openSync(path.join(folder, "revision"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
