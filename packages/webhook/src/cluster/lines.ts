/** Bytes as they come, taken apart at line ends. A line may come in any number of pieces. */
const NEWLINE = 10;

export class LineReader {
  #pending: Uint8Array[] = [];

  /** The lines that are complete now, without their ends; empty ones are left out. */
  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...this.#pending, rest.subarray(0, at)]);
      if (line.length > 0) lines.push(line);
      this.#pending = [];
      rest = rest.subarray(at + 1);
    }
    if (rest.length > 0) this.#pending.push(rest);
    return lines;
  }
}
