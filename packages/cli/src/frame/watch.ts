/**
 * Runs a command again whenever an input changes.
 *
 * Folders are watched instead of files, because editors replace files. Changes in quick succession count as one. The
 * watched folders are updated after each run, so new folders are seen.
 */
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { foldersOf, mayBeInput } from "@portcullis/checker/internal/input/files";
import type { CommandIo } from "./command.ts";
import { fileProblem, isFileProblem } from "./file-problem.ts";

const DEBOUNCE_MS = 80;

export interface WatchOptions {
  /** Files, folders and patterns. */
  readonly paths: readonly string[];
  /** Files that each run writes, perhaps among the inputs: their changes are ignored. */
  readonly outputs: readonly string[];
  readonly io: CommandIo;
  readonly run: () => number | Promise<number>;
}

/** Ends when the signal of the environment is aborted, with the exit code of the last run. */
export async function runWatching({ paths, outputs, io, run }: WatchOptions): Promise<number> {
  const own = outputs.map((file) => path.resolve(file));
  const isInput = (file: string): boolean => mayBeInput(file, paths) && !own.includes(path.resolve(file));
  for (;;) {
    const change = nextChange(paths, isInput, io.signal);
    io.clear?.();
    const code = await attempt(run, io);
    io.stderr("portcullis: waiting for changes; press Ctrl-C to stop\n");
    if (!(await change)) return code;
  }
}

/** A run may see a half-written file; the next run fixes that. */
async function attempt(run: () => number | Promise<number>, io: CommandIo): Promise<number> {
  try {
    return await run();
  } catch (problem) {
    io.stderr(`portcullis: ${messageFor(problem)}\n`);
    return 2;
  }
}

function messageFor(problem: unknown): string {
  if (isFileProblem(problem)) return fileProblem(problem);
  return problem instanceof Error ? problem.message : String(problem);
}

/**
 * True after a change that is not followed by another at once, false when watching ends. Watching starts immediately.
 */
function nextChange(
  paths: readonly string[],
  isInput: (file: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watchers: FSWatcher[] = [];
    const finish = (isChange: boolean): void => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      signal?.removeEventListener("abort", onAbort);
      resolve(isChange);
    };
    const onAbort = (): void => finish(false);
    const onEvent = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(true), DEBOUNCE_MS);
    };
    if (signal?.aborted === true) finish(false);
    else {
      signal?.addEventListener("abort", onAbort);
      for (const folder of foldersOf(paths)) {
        const onChange = (_: string, name: string | null): void => {
          if (name === null || isInput(path.join(folder, name))) onEvent();
        };
        watchers.push(watch(folder, onChange).on("error", onEvent));
      }
    }
  });
}
