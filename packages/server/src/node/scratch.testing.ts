/** Folders and stores that a test leaves behind, gone when it ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Closed before the folders made earlier go. */
export function closing<T extends { close(): Promise<void> }>(store: T): T {
  onTestFinished(() => store.close());
  return store;
}

/** Waits for what a loaded machine may take long to bring about; the test's own limit is the only one. */
export async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await sleep(10);
}

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));
