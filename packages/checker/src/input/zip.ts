/** The files of a zip archive, stored or deflated. Encrypted files and archives above 4 GiB are refused. */
import { createRequire } from "node:module";
import type { ArchiveEntry } from "./archive-entry.ts";

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_COMMENT = 0xffff;
const MAX_COUNT = 0xffff;

export function isZip(bytes: Uint8Array): boolean {
  if (bytes.length < 22) return false;
  const first = viewOf(bytes).getUint32(0, true);
  return first === LOCAL || first === END;
}

/** Reads the directory at the end: sizes in front of the files may be missing. */
export function* zipEntries(bytes: Uint8Array, maxUnpacked: number): Generator<ArchiveEntry> {
  const view = viewOf(bytes);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  // The format of larger archives has the real number elsewhere.
  if (count === MAX_COUNT) throw new RangeError(`it has ${MAX_COUNT} files or more`);
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new RangeError("the directory of the zip archive is damaged");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const local = view.getUint32(at + 42, true);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (name.endsWith("/")) continue;
    total += unpacked;
    if (total > maxUnpacked) throw new RangeError(`its files have more than ${maxUnpacked} bytes`);
    if ((flags & 1) !== 0) throw new RangeError(`\`${name}\` is encrypted`);
    yield { name, bytes: () => unpack(bytes, { local, packed, unpacked, method, name }) };
  }
}

interface ZipFile {
  readonly local: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly method: number;
  readonly name: string;
}

function unpack(bytes: Uint8Array, { local, packed, unpacked, method, name }: ZipFile): Uint8Array {
  const view = viewOf(bytes);
  if (view.getUint32(local, true) !== LOCAL) throw new RangeError(`\`${name}\` is not where the directory says`);
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const body = bytes.subarray(start, start + packed);
  if (body.length !== packed) throw new RangeError("the zip archive is cut off");
  if (method === 0) return body;
  if (method !== 8) throw new RangeError(`\`${name}\` has an unknown compression`);
  const { inflateRawSync }: typeof import("node:zlib") = createRequire(import.meta.url)("node:zlib");
  // A file never unpacks to more than the directory says, which was counted.
  return inflateRawSync(body, { maxOutputLength: Math.max(unpacked, 1) });
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - MAX_COMMENT); at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new RangeError("the zip archive is cut off");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
