/**
 * The newest revision that was acknowledged, in a file of its own: a database that has lost its end, or its whole
 * write-ahead log, looks like an older one that is sound.
 *
 * It is written after each commit and not waited for, so after a power cut it may say less than the database has, never
 * more.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createPrivate, makePrivate } from "../private-files.ts";
import { crc32 } from "./record.ts";

const FILE = "acknowledged";
const DIGITS = 16;

export class HighWater {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  static async open(folder: string, revision: number): Promise<HighWater> {
    const file = path.join(folder, FILE);
    if ((await readHighWater(folder)) === undefined) await createPrivate(file);
    else await makePrivate(file);
    const mark = new HighWater(openSync(file, "r+"));
    mark.raise(revision);
    return mark;
  }

  /** Best effort: what it does not say can only not be missed. */
  raise(revision: number): void {
    try {
      writeSync(this.#file, encode(revision), 0);
    } catch {}
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Undefined if it is not known. */
export async function readHighWater(folder: string): Promise<number | undefined> {
  const text = await readFile(path.join(folder, FILE), "utf8").catch(() => "");
  const revision = Number(text.slice(0, DIGITS));
  return text !== "" && text === encode(revision) ? revision : undefined;
}

/** The next store in the folder is another one. */
export async function forgetHighWater(folder: string): Promise<void> {
  await rm(path.join(folder, FILE), { force: true });
}

function encode(revision: number): string {
  const digits = String(revision).padStart(DIGITS, "0");
  return `${digits} ${crc32(digits).toString(16).padStart(8, "0")}\n`;
}
