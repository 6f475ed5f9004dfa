/** Archives for tests. */
import { deflateRawSync, gzipSync } from "node:zlib";

export type Entries = Readonly<Record<string, string>>;

export function tarOf(files: Entries): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => tarFile(name, Buffer.from(text)));
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export function tarGzOf(files: Entries): Buffer {
  return gzipSync(tarOf(files));
}

/** `type` "0" is a file, "L" the long name of the next one, "x" its pax records. */
export function tarFile(name: string, body: Buffer, type = "0"): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}

export interface ZipOptions {
  readonly isStored?: boolean;
  readonly isEncrypted?: boolean;
  /** What the directory says about the size, if it is wrong. */
  readonly size?: number;
}

export function zipOf(files: Entries, { isStored = false, isEncrypted = false, size }: ZipOptions = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const body = isStored ? Buffer.from(text) : deflateRawSync(Buffer.from(text));
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    central.writeUInt16LE(isStored ? 0 : 8, 10);
    central.writeUInt32LE(body.length, 20);
    central.writeUInt32LE(size ?? Buffer.byteLength(text), 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), body);
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length + body.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
