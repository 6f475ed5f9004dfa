/** Messages in a stream of bytes, each after a header with its length. */
export interface FrameHeader {
  readonly bytes: number;
  /** The length of the message that follows the header. */
  readonly lengthOf: (header: Buffer) => number;
}

/** Puts messages together from chunks that begin and end anywhere. */
export class Frames {
  readonly #header: FrameHeader;
  readonly #handle: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The size at which the next frame is complete; undefined while its length is unknown. */
  #wanted: number | undefined;

  constructor(header: FrameHeader, handle: (message: Buffer) => void) {
    this.#header = header;
    this.#handle = handle;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const { bytes: start, lengthOf } = this.#header;
    while (this.#size >= (this.#wanted ?? start)) {
      const bytes = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      this.#wanted ??= start + lengthOf(bytes);
      if (this.#size < this.#wanted) return;
      const end = this.#wanted;
      this.#chunks = [bytes.subarray(end)];
      this.#size -= end;
      this.#wanted = undefined;
      this.#handle(bytes.subarray(start, end));
    }
  }
}
