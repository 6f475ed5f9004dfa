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

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));
