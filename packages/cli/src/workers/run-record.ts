/**
 * What a run printed, and the state of everything that it looked at, for the next run with the same command line.
 *
 * The file has numbers first, so that they can be read without parsing: one that identifies the format, a checksum, the
 * number of files, the length of the rest, and five numbers for each file. The rest is JSON and the names of the
 * files.
 */
import path from "node:path";
import { isatty } from "node:tty";
import { cacheFolder, readOwn, writeOwn } from "./cache-folder.ts";
import type { FileState } from "./observed-files.ts";

export interface RunRecord {
  /** Everything that the output depends on, besides files. */
  readonly key: string;
  /** The only day on which it holds, as 2026-11-19; undefined if it holds on all days. */
  readonly day: string | undefined;
  readonly code: number;
  /** To standard output, standard error or a file, in this order. */
  readonly outputs: readonly RunOutput[];
  readonly files: readonly string[];
  /** Five numbers for each file; the first is negative if there is no file. */
  readonly states: Float64Array;
}

export type RunOutput = readonly [to: 1 | 2 | string, text: string];

export const STATE_LENGTH = 5;
const ABSENT = [-1, 0, 0, 0, 0];

export function statesOf(files: ReadonlyMap<string, FileState | undefined>): Float64Array {
  return Float64Array.from([...files.values()].flatMap((state) => state ?? ABSENT));
}

/** The variables that decide about colours. */
const VARIABLES = ["NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"];

/** `build` identifies the program. */
export function runKey(build: string): string {
  const user = [process.getuid?.(), process.getgid?.()];
  const variables = VARIABLES.map((name) => process.env[name]);
  return JSON.stringify([build, process.version, process.cwd(), user, isatty(1), variables, process.argv.slice(2)]);
}

export function runFolder(): string | undefined {
  return cacheFolder("runs", process.env);
}

/** Undefined if there is none, or if it is damaged. */
export function readRecord(folder: string, key: string): RunRecord | undefined {
  const bytes = readOwn(path.join(folder, nameOf(key)));
  const record = bytes === undefined ? undefined : decodeRecord(bytes);
  return record?.key === key ? record : undefined;
}

export function writeRecord(folder: string, record: RunRecord): void {
  writeOwn(path.join(folder, nameOf(record.key)), encodeRecord(record));
}

const FORMAT = 0x50_43_52_31;
const HEADER = 16;

function encodeRecord({ states, files, ...rest }: RunRecord): Uint8Array {
  const text = Buffer.from(`${JSON.stringify(rest)}\0${files.join("\0")}`);
  const bytes = Buffer.alloc(HEADER + states.byteLength + text.length);
  bytes.set(new Uint8Array(states.buffer, states.byteOffset, states.byteLength), HEADER);
  bytes.set(text, HEADER + states.byteLength);
  new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER / 4).set([
    FORMAT,
    checksum(bytes.subarray(HEADER)),
    files.length,
    text.length,
  ]);
  return bytes;
}

/** Undefined if it is not what was encoded. */
function decodeRecord(bytes: Uint8Array): RunRecord | undefined {
  if (bytes.length < HEADER) return undefined;
  const aligned = bytes.slice();
  const [format, sum, count = 0, length = 0] = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER / 4);
  const start = HEADER + count * STATE_LENGTH * 8;
  if (format !== FORMAT || aligned.length !== start + length || sum !== checksum(aligned.subarray(HEADER)))
    return undefined;
  const text = Buffer.from(aligned.buffer, aligned.byteOffset + start, length).toString();
  const end = text.indexOf("\0");
  const files = count === 0 ? [] : text.slice(end + 1).split("\0");
  const states = new Float64Array(aligned.buffer, aligned.byteOffset + HEADER, count * STATE_LENGTH);
  return { ...JSON.parse(text.slice(0, end)), files, states };
}

/** FNV-1a over 32-bit numbers: it finds damage, not intent. */
function checksum(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  for (let index = 0; index < numbers.length; index++) sum = Math.imul(sum ^ (numbers[index] ?? 0), 0x01000193);
  for (let index = numbers.length * 4; index < bytes.length; index++)
    sum = Math.imul(sum ^ (bytes[index] ?? 0), 0x01000193);
  return sum >>> 0;
}

/** The key itself is compared when the record is read. */
function nameOf(key: string): string {
  const bytes = Buffer.alloc(Math.ceil(Buffer.byteLength(key) / 4) * 4);
  bytes.write(key);
  return checksum(bytes).toString(16).padStart(8, "0");
}
