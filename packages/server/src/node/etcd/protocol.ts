/**
 * The messages of etcd's v3 protocol that the store uses. Field numbers are those of etcd's `rpc.proto` and `kv.proto`;
 * fields nobody reads here are left out.
 */
import { ProtoWriter, readFields } from "./wire.ts";

export interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly created: number;
  readonly modified: number;
}

/** All keys from `key` up to but not including `end`; just `key` where `end` is absent. */
export interface KeyRange {
  readonly key: string;
  readonly end?: string;
}

export interface RangeRequest extends KeyRange {
  readonly limit?: number;
  readonly revision?: number;
  readonly keysOnly?: boolean;
}

export interface RangeResponse {
  readonly revision: number;
  /** Which cluster answered; one restored from a backup counts as another. Not exact, good enough to compare. */
  readonly cluster: number;
  readonly entries: readonly KeyValue[];
  readonly more: boolean;
}

export type Operation =
  | { readonly put: { readonly key: string; readonly value: string } }
  | { readonly range: RangeRequest }
  | { readonly delete: KeyRange };

export interface TxnRequest {
  /** The key must have been written last at this revision; 0 for a missing key. */
  readonly key: string;
  readonly expected: number;
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** What the range operations found. */
  readonly entries: readonly KeyValue[];
}

export interface WatchEvent {
  readonly isDeletion: boolean;
  readonly entry: KeyValue;
}

export interface WatchResponse {
  readonly revision: number;
  readonly isCreated: boolean;
  readonly isCanceled: boolean;
  /** Above 0 where the watch asked for revisions that have been compacted. */
  readonly compacted: number;
  readonly reason: string;
  readonly events: readonly WatchEvent[];
}

export interface UnaryMethod<Request, Response> {
  readonly path: string;
  readonly encode: (request: Request) => Buffer;
  readonly decode: (bytes: Buffer) => Response;
}

export const RANGE: UnaryMethod<RangeRequest, RangeResponse> = {
  path: "/etcdserverpb.KV/Range",
  encode: (request) => writeRange(request).finish(),
  decode: readRange,
};

export const PUT: UnaryMethod<{ readonly key: string; readonly value: string }, { readonly revision: number }> = {
  path: "/etcdserverpb.KV/Put",
  encode: ({ key, value }) => new ProtoWriter().bytes(1, key).bytes(2, value).finish(),
  decode: readHeaderOnly,
};

export const TXN: UnaryMethod<TxnRequest, TxnResponse> = {
  path: "/etcdserverpb.KV/Txn",
  encode: encodeTxn,
  decode: decodeTxn,
};

export const COMPACT: UnaryMethod<{ readonly revision: number }, { readonly revision: number }> = {
  path: "/etcdserverpb.KV/Compact",
  encode: ({ revision }) => new ProtoWriter().int(1, revision).finish(),
  decode: readHeaderOnly,
};

export interface MemberStatus {
  readonly version: string;
  /** In bytes. */
  readonly databaseSize: number;
}

export const STATUS: UnaryMethod<Record<never, never>, MemberStatus> = {
  path: "/etcdserverpb.Maintenance/Status",
  encode: () => Buffer.alloc(0),
  decode: decodeStatus,
};

export const WATCH_PATH = "/etcdserverpb.Watch/Watch";

/** The server also reports the progress of an idle watch from time to time. */
export function encodeWatchCreate({ key, end = "" }: KeyRange, start: number): Buffer {
  const create = new ProtoWriter().bytes(1, key).bytes(2, end).int(3, start).flag(4, true);
  return new ProtoWriter().message(1, create).finish();
}

/** Asks how far the watch has come. */
export function encodeWatchProgress(): Buffer {
  return new ProtoWriter().message(3, new ProtoWriter()).finish();
}

export function decodeWatchResponse(bytes: Buffer): WatchResponse {
  const response = { revision: 0, isCreated: false, isCanceled: false, compacted: 0, reason: "" };
  const events: WatchEvent[] = [];
  readFields(bytes, {
    int: (field, value) => {
      if (field === 3) response.isCreated = value === 1;
      else if (field === 4) response.isCanceled = value === 1;
      else if (field === 5) response.compacted = value;
    },
    bytes: (field, value) => {
      if (field === 1) response.revision = readRevision(value);
      else if (field === 6) response.reason = value.toString();
      else if (field === 11) events.push(readEvent(value));
    },
  });
  return { ...response, events };
}

const COMPARE_EQUAL = 0;
const COMPARE_MODIFIED = 2;

function encodeTxn({ key, expected, success, failure }: TxnRequest): Buffer {
  const writer = new ProtoWriter();
  const compare = new ProtoWriter().int(1, COMPARE_EQUAL).int(2, COMPARE_MODIFIED).bytes(3, key);
  // A zero must be written out here, or no comparison is chosen; one byte 0 after the tag of field 6.
  if (expected > 0) writer.message(1, compare.int(6, expected));
  else writer.bytes(1, Buffer.concat([compare.finish(), Buffer.from([6 * 8, 0])]));
  for (const operation of success) writer.message(2, writeOperation(operation));
  for (const operation of failure) writer.message(3, writeOperation(operation));
  return writer.finish();
}

function writeOperation(operation: Operation): ProtoWriter {
  const writer = new ProtoWriter();
  if ("range" in operation) return writer.message(1, writeRange(operation.range));
  if ("put" in operation) {
    return writer.message(2, new ProtoWriter().bytes(1, operation.put.key).bytes(2, operation.put.value));
  }
  const { key, end } = operation.delete;
  const range = new ProtoWriter().bytes(1, key);
  return writer.message(3, end === undefined ? range : range.bytes(2, end));
}

function writeRange({ key, end, limit = 0, revision = 0, keysOnly = false }: RangeRequest): ProtoWriter {
  const writer = new ProtoWriter().bytes(1, key);
  if (end !== undefined) writer.bytes(2, end);
  return writer.int(3, limit).int(4, revision).flag(8, keysOnly);
}

function decodeTxn(bytes: Buffer): TxnResponse {
  let [revision, succeeded] = [0, false];
  const entries: KeyValue[] = [];
  readFields(bytes, {
    int: (field, value) => {
      if (field === 2) succeeded = value === 1;
    },
    bytes: (field, value) => {
      if (field === 1) revision = readRevision(value);
      else if (field === 3) entries.push(...readOperationEntries(value));
    },
  });
  return { revision, succeeded, entries };
}

function readOperationEntries(bytes: Buffer): readonly KeyValue[] {
  let entries: readonly KeyValue[] = [];
  readFields(bytes, {
    bytes: (field, value) => {
      if (field === 1) ({ entries } = readRange(value));
    },
  });
  return entries;
}

function readRange(bytes: Buffer): RangeResponse {
  let header = { revision: 0, cluster: 0 };
  let more = false;
  const entries: KeyValue[] = [];
  readFields(bytes, {
    int: (field, value) => {
      if (field === 3) more = value === 1;
    },
    bytes: (field, value) => {
      if (field === 1) header = readHeader(value);
      else if (field === 2) entries.push(readKeyValue(value));
    },
  });
  return { ...header, entries, more };
}

function readEvent(bytes: Buffer): WatchEvent {
  let isDeletion = false;
  let entry: KeyValue | undefined;
  readFields(bytes, {
    int: (field, value) => {
      if (field === 1) isDeletion = value === 1;
    },
    bytes: (field, value) => {
      if (field === 2) entry = readKeyValue(value);
    },
  });
  if (entry === undefined) throw new Error("an event has no key");
  return { isDeletion, entry };
}

function readKeyValue(bytes: Buffer): KeyValue {
  const entry = { key: "", value: "", created: 0, modified: 0 };
  readFields(bytes, {
    int: (field, value) => {
      if (field === 2) entry.created = value;
      else if (field === 3) entry.modified = value;
    },
    bytes: (field, value) => {
      if (field === 1) entry.key = value.toString();
      else if (field === 5) entry.value = value.toString();
    },
  });
  return entry;
}

function readHeaderOnly(bytes: Buffer): { readonly revision: number } {
  let revision = 0;
  readFields(bytes, {
    bytes: (field, value) => {
      if (field === 1) revision = readRevision(value);
    },
  });
  return { revision };
}

function decodeStatus(bytes: Buffer): MemberStatus {
  let [version, databaseSize] = ["", 0];
  readFields(bytes, {
    int: (field, value) => {
      if (field === 3) databaseSize = value;
    },
    bytes: (field, value) => {
      if (field === 2) version = value.toString();
    },
  });
  return { version, databaseSize };
}

function readRevision(header: Buffer): number {
  return readHeader(header).revision;
}

function readHeader(bytes: Buffer): { revision: number; cluster: number } {
  const header = { revision: 0, cluster: 0 };
  readFields(bytes, {
    int: (field, value) => {
      if (field === 1) header.cluster = value;
      else if (field === 3) header.revision = value;
    },
  });
  return header;
}
