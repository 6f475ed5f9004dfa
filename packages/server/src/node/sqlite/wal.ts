/**
 * Detects damage in SQLite's write-ahead log. SQLite itself takes damage for the end of the log: it reads up to the
 * first frame with a wrong checksum and silently drops the rest.
 *
 * A crash can tear the last transaction only, for each one is on the disk before the next begins. So two commits at or
 * behind a wrong frame mean that something that was acknowledged would be lost. The format is that of sqlite.org/walformat.
 */
import { readFile } from "node:fs/promises";

const [HEADER, FRAME_HEADER] = [32, 24];
const MAGIC = 0x377f0682;

/** Undefined if nothing is wrong, or there is no log. */
export async function findWalDamage(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes === undefined || bytes.length <= HEADER) return undefined;
  return damageOf(bytes);
}

function damageOf(wal: Buffer): string | undefined {
  const isBigEndian = wal.readUInt32BE(0) === MAGIC + 1;
  const pageSize = wal.readUInt32BE(8) === 1 ? 65536 : wal.readUInt32BE(8);
  const start = checksum(wal.subarray(0, 24), [0, 0], isBigEndian);
  const isSound = (wal.readUInt32BE(0) & ~1) === MAGIC && pageSize >= 512 && isSame(wal, 24, start);
  if (!isSound) return "the header of the write-ahead log does not match its checksum";
  const size = FRAME_HEADER + pageSize;
  let sums = start;
  for (let at = HEADER, frame = 1; at + size <= wal.length; at += size, frame++) {
    const page = wal.subarray(at + FRAME_HEADER, at + size);
    const next = checksum(page, checksum(wal.subarray(at, at + 8), sums, isBigEndian), isBigEndian);
    if (!isSame(wal, at + 16, next) || !isOfThisLog(wal, at)) return lostAfter(wal, at, { size, frame });
    sums = next;
  }
  return undefined;
}

/** Frames of an earlier round have other salts. */
function isOfThisLog(wal: Buffer, at: number): boolean {
  return wal.subarray(at + 8, at + 16).equals(wal.subarray(16, 24));
}

function lostAfter(
  wal: Buffer,
  from: number,
  { size, frame }: { readonly size: number; readonly frame: number },
): string | undefined {
  let commits = 0;
  for (let at = from; at + size <= wal.length; at += size) {
    if (isOfThisLog(wal, at) && wal.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits < 2 ? undefined : `frame ${frame} of the write-ahead log does not match its checksum`;
}

type Sums = readonly [number, number];

function checksum(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  let [a, b] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + b + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))) >>> 0;
    b = (b + a + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4))) >>> 0;
  }
  return [a, b];
}

function isSame(wal: Buffer, at: number, [a, b]: Sums): boolean {
  return wal.readUInt32BE(at) === a && wal.readUInt32BE(at + 4) === b;
}
