/** Whether a disk that was full has room again. */
import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from "node:fs";

/** A small write may find room in the file where a large one does not. */
const MARGIN = 256 << 10;

/** Writes as much as failed, next to the store, and removes it. Throws the error of the file system. */
export function checkRoom(storeFile: string, length: number): void {
  const file = `${storeFile}-room`;
  const target = openSync(file, "w", 0o600);
  try {
    writeFileSync(target, Buffer.alloc(length + MARGIN));
    fsyncSync(target);
  } finally {
    closeSync(target);
    unlinkSync(file);
  }
}
