/** The lines of logs, packed or not, one after the other, in a limited amount of memory. */
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

export interface Line {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Whether the line was too long, so that it is only its beginning. */
  readonly isCut: boolean;
}

/** No event is larger: API servers limit requests to 3 MiB, and an event holds two objects. */
const LONGEST_LINE = 64 * 1024 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 10;

/**
 * The lines of each piece that is read. A file that ends in the middle of packed data ends there; `onProblem` hears of it.
 */
export async function* readLines(file: string, onProblem: (message: string) => void): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const take = (last: Buffer): Line => {
    number += 1;
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const line = { file, number, bytes, isCut };
    [parts, size, isCut] = [[], 0, false];
    return line;
  };
  for await (const chunk of chunksOf(file, onProblem)) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = take(isCut ? Buffer.alloc(0) : chunk.subarray(start, end));
      if (line.bytes.length > 0) lines.push(line);
      start = end + 1;
    }
    if (lines.length > 0) yield lines;
    if (isCut || start === chunk.length) continue;
    const rest = chunk.subarray(start);
    size += rest.length;
    if (size > LONGEST_LINE) isCut = true;
    else parts.push(rest);
  }
  if (size > 0) yield [take(Buffer.alloc(0))];
}

async function* chunksOf(file: string, onProblem: (message: string) => void): AsyncGenerator<Buffer> {
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  const stream = file.endsWith(".gz") ? source.pipe(createGunzip({ chunkSize: CHUNK })) : source;
  source.on("error", (problem: Error) => stream.destroy(problem));
  try {
    for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
  } catch (problem) {
    onProblem(problem instanceof Error ? problem.message : String(problem));
  }
}
