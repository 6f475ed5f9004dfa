/** One row of the log: what a write did to a key, and a checksum over it. */
import * as zlib from "node:zlib";
import type { StoreEvent } from "../../storage/store.ts";
import type { Column } from "./database.ts";

export interface LogRecord {
  readonly revision: number;
  readonly key: string;
  readonly created: number;
  /** Undefined for a deletion. */
  readonly value: string | undefined;
}

export function recordOf({ revision, key, entry, previous }: StoreEvent): LogRecord {
  return { revision, key, created: (entry ?? previous)?.created ?? revision, value: entry?.value };
}

/** Columns in the order of the table. */
export function encodeRecord(record: LogRecord): Column[] {
  const { revision, key, created, value } = record;
  return [revision, key, created, value === undefined ? null : encodeValue(value), checksum(record)];
}

/** Undefined if the checksum does not match. */
export function decodeRecord([revision, key, created, value, sum]: readonly Column[]): LogRecord | undefined {
  if (typeof revision !== "number" || typeof key !== "string" || typeof created !== "number") return undefined;
  const record = { revision, key, created, value: decodeValue(value) };
  return checksum(record) === sum ? record : undefined;
}

/** libsql reads text only up to a zero character, so a value that has one is kept as bytes. */
function encodeValue(value: string): Column {
  return value.includes("\0") ? Buffer.from(value) : value;
}

function decodeValue(value: Column | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}

/** A deletion and an empty value must differ, hence the mark before the value. */
function checksum({ revision, key, created, value }: LogRecord): number {
  return crc32(`${revision} ${created} ${key}\n${value === undefined ? "-" : `+${value}`}`);
}

/** Node has it since 20.15. */
export const crc32: (text: string) => number = zlib.crc32 ?? ((text) => crc32Table(Buffer.from(text)));

export function crc32Table(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
