/**
 * Repeats a run of which nothing has changed: prints what it printed. The launcher calls this before it loads anything
 * else, so it imports only what it needs.
 */
import { existsSync, mkdirSync, statSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { type RunOutput, type RunRecord, readRecord, runFolder, runKey, STATE_LENGTH } from "./run-record.ts";

/** Returns false if the run has to be made. */
export function repeatRun(build: string): boolean {
  const record = findUnchanged(build);
  if (!record?.outputs.every(writeOutput)) return false;
  process.exitCode = record.code;
  return true;
}

/** The record of the same run, if nothing that it looked at has changed. */
export function findUnchanged(build: string): RunRecord | undefined {
  const folder = runFolder();
  if (folder === undefined || !existsSync(folder)) return undefined;
  const record = readRecord(folder, runKey(build));
  return record !== undefined && isUnchanged(record) ? record : undefined;
}

const OR_NOTHING = { throwIfNoEntry: false } as const;

function isUnchanged({ day, files, states }: RunRecord): boolean {
  if (day !== undefined && day !== new Date().toISOString().slice(0, 10)) return false;
  try {
    for (let index = 0, at = 0; index < files.length; index++, at += STATE_LENGTH) {
      const stats = statSync(files[index] ?? "", OR_NOTHING);
      const isSame =
        stats === undefined
          ? states[at] === -1
          : stats.mtimeMs === states[at + 1] &&
            stats.ctimeMs === states[at + 2] &&
            stats.size === states[at] &&
            stats.ino === states[at + 3] &&
            stats.dev === states[at + 4];
      if (!isSame) return false;
    }
    return true;
  } catch {
    // A folder that cannot be entered any more: the run reports it.
    return false;
  }
}

/** Files come first; if one cannot be written, the run reports it. */
function writeOutput([to, text]: RunOutput): boolean {
  if (typeof to === "string") return writeReport(to, text);
  writeStream(to, Buffer.from(text));
  return true;
}

function writeReport(file: string, text: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
}

/** `portcullis check … | head` closes the pipe early; that is not an error. */
function writeStream(to: 1 | 2, bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(to, bytes, written);
  } catch (problem) {
    const code = problem instanceof Error && "code" in problem ? problem.code : undefined;
    if (code === "EPIPE") return;
    // A pipe that does not block, and is full.
    if (code === "EAGAIN") (to === 1 ? process.stdout : process.stderr).write(bytes.subarray(written));
    else throw problem;
  }
}
