/**
 * The size, times and identity of every file and folder that a run looks at, taken before it reads them.
 *
 * As in git's index, a file is unchanged if these are. A file that was changed just before could change again without
 * another time, so it is not stable.
 */
import { statSync } from "node:fs";

/** Longer than the times of any common file system are apart. */
const STABLE_MS = 2500;

/** Size, times of modification and change, inode and device. */
export type FileState = readonly [size: number, modified: number, changed: number, inode: number, device: number];

export class ObservedFiles {
  readonly #states = new Map<string, FileState | undefined>();
  // The clock may be set back during the run: then nothing looks stable that was not before.
  readonly #now = Date.now();
  #isComplete = true;

  /** Call it before the file or folder is read. It may be absent, which is a state too. */
  look(file: string): FileState | undefined {
    if (this.#states.has(file)) return this.#states.get(file);
    try {
      const state = stateOf(file);
      this.#states.set(file, state);
      return state;
    } catch {
      // It cannot be reached, so whether it changes is not known either.
      this.#isComplete = false;
      return undefined;
    }
  }

  /** Whether another content would have another state. */
  isStable(state: FileState): boolean {
    return Math.max(state[1], state[2]) < this.#now - STABLE_MS;
  }

  /** Undefined if one of them may change without another state. */
  stableStates(): ReadonlyMap<string, FileState | undefined> | undefined {
    if (!this.#isComplete) return undefined;
    for (const state of this.#states.values()) if (state !== undefined && !this.isStable(state)) return undefined;
    return this.#states;
  }
}

const OR_NOTHING = { throwIfNoEntry: false } as const;

function stateOf(file: string): FileState | undefined {
  const stats = statSync(file, OR_NOTHING);
  return stats && [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino, stats.dev];
}
