/** Looks at files and folders, and reports which: a caller that keeps a result must know when it is outdated. */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { readTextFile } from "./read-text.ts";

export class Disk {
  readonly #onLook: ((path: string) => void) | undefined;

  /** `onLook` is called before a path is looked at. It may be absent. */
  constructor(onLook?: ((path: string) => void) | undefined) {
    this.#onLook = onLook;
  }

  /** Undefined if it does not exist. */
  stat(path: string): Stats | undefined {
    this.#onLook?.(path);
    return statSync(path, { throwIfNoEntry: false });
  }

  /** Sorted by name, so that the same tree always gives the same output. */
  entries(folder: string): Dirent[] {
    const path = folder === "" ? "." : folder;
    this.#onLook?.(path);
    return readdirSync(path, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Undefined if it does not exist or cannot be read. */
  text(file: string): string | undefined {
    this.#onLook?.(file);
    try {
      return readTextFile(file);
    } catch {
      return undefined;
    }
  }
}
