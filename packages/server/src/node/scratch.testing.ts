/** Folders and stores that a test leaves behind, gone when it ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, onTestFinished } from "vitest";

export function scratchFolder(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For all tests of a file or a suite; what they close when they are done with it, they close before it goes. */
export function sharedFolder(): string {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "portcullis-test-"));
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
