/**
 * Revisions that the processes of a server have acknowledged, for all of them to read: a few bytes of a file without a
 * name that they all have open. It is in memory where there is such a folder; reading it takes a microsecond and no
 * message.
 *
 * A process writes a revision here before it acknowledges the write to anybody. Who knows of a write, in whatever way,
 * therefore finds its revision here.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The revision twice: a reader that sees a write halfway finds two different ones. */
const SLOT_BYTES = 16;
const SHARED_MEMORY = "/dev/shm";

/** Opens a page with a slot for each process that writes. */
export function openRevisionPage(slots: number): number {
  const folder = mkdtempSync(path.join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), "portcullis-"));
  try {
    const fd = openSync(path.join(folder, "revisions"), "wx+", 0o600);
    writeSync(fd, Buffer.alloc(slots * SLOT_BYTES), 0, slots * SLOT_BYTES, 0);
    return fd;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const closeRevisionPage = closeSync;

/** One process's part of a page. */
export class RevisionSlot {
  readonly #fd: number;
  readonly #position: number;
  readonly #bytes = Buffer.alloc(SLOT_BYTES);
  #published = 0;

  constructor(fd: number, slot: number) {
    this.#fd = fd;
    this.#position = slot * SLOT_BYTES;
  }

  /** Throws rather than leave an old revision: a write that is not published must not be acknowledged. */
  publish(revision: number): void {
    if (revision > this.#published) this.reset(revision);
  }

  /** A store that was set back has revisions below those published. */
  reset(revision: number): void {
    this.#published = revision;
    this.#bytes.writeDoubleLE(revision, 0);
    this.#bytes.writeDoubleLE(revision, SLOT_BYTES / 2);
    writeSync(this.#fd, this.#bytes, 0, SLOT_BYTES, this.#position);
  }
}

/** The newest revision on the page. */
export function revisionReader(fd: number, slots: number): () => number {
  const bytes = Buffer.alloc(slots * SLOT_BYTES);
  return () => {
    for (;;) {
      readSync(fd, bytes, 0, bytes.length, 0);
      const newest = newestOf(bytes);
      if (newest !== undefined) return newest;
    }
  };
}

/** Undefined if a process is writing. */
function newestOf(bytes: Buffer): number | undefined {
  let newest = 0;
  for (let at = 0; at < bytes.length; at += SLOT_BYTES) {
    const revision = bytes.readDoubleLE(at);
    if (revision !== bytes.readDoubleLE(at + SLOT_BYTES / 2)) return undefined;
    newest = Math.max(newest, revision);
  }
  return newest;
}
