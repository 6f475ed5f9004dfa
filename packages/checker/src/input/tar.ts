/** The regular files of a tar archive: ustar, with the long names of pax and GNU tar. */
import type { ArchiveEntry } from "./archive-entry.ts";

const BLOCK = 512;

export function* tarEntries(bytes: Uint8Array): Generator<ArchiveEntry> {
  let longName: string | undefined;
  let at = 0;
  while (at + BLOCK <= bytes.length) {
    const header = bytes.subarray(at, at + BLOCK);
    // Two empty blocks end an archive; what follows is padding.
    if (header.every((byte) => byte === 0)) return;
    const size = octal(header, 124, 12);
    const start = at + BLOCK;
    if (start + size > bytes.length) throw new RangeError("the tar archive is cut off");
    const body = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "L") longName = untilZero(body);
    else if (type === "x") longName = paxPath(body) ?? longName;
    else if (type !== "g") {
      const name = longName ?? headerName(header);
      longName = undefined;
      if (type === "0" || type === "\0") yield { name, bytes: () => body };
    }
  }
  // Some programs leave out the empty blocks; an archive still ends with a whole block.
  if (at !== bytes.length) throw new RangeError("the tar archive is cut off");
}

function headerName(header: Uint8Array): string {
  const prefix = untilZero(header.subarray(345, 500));
  const name = untilZero(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

function octal(header: Uint8Array, start: number, length: number): number {
  const text = untilZero(header.subarray(start, start + length)).trim();
  if (text === "") return 0;
  if (!/^[0-7]{1,11}$/.test(text)) throw new RangeError("the tar archive is damaged");
  return Number.parseInt(text, 8);
}

/** Records of the form `LENGTH KEY=VALUE\n`. */
function paxPath(body: Uint8Array): string | undefined {
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space === -1 ? Number.NaN : Number(decode(body.subarray(at, space)));
    if (!Number.isSafeInteger(length) || length <= space - at) throw new RangeError("the tar archive is damaged");
    const record = decode(body.subarray(space + 1, at + length - 1));
    if (record.startsWith("path=")) return record.slice("path=".length);
    at += length;
  }
  return undefined;
}

function untilZero(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decode(end === -1 ? bytes : bytes.subarray(0, end));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
