/** Links over a pipe between two processes: frames of a length and a batch of messages. */
import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";
import type { LinkMessage, LinkPort } from "../../storage/link/link.ts";

/** Topics: what a process that serves clients offers, and what the process with the store does. */
export const [SERVING, OWNER] = ["serving", "owner"] as const;

const LENGTH_BYTES = 4;

export function processPort(socket: Socket): LinkPort {
  return {
    post: (batch) => {
      const bytes = serialize(batch);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(bytes.length);
      socket.cork();
      socket.write(length);
      socket.write(bytes);
      socket.uncork();
    },
    receive: (handler) => {
      const frames = new Frames((bytes) => handler(deserialize(bytes) as LinkMessage[]));
      socket.on("data", (chunk: Buffer) => frames.add(chunk));
    },
  };
}

/** Puts frames together from chunks that begin and end anywhere. */
class Frames {
  readonly #handle: (bytes: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The size at which the next frame is complete; undefined while its length is unknown. */
  #wanted: number | undefined;

  constructor(handle: (bytes: Buffer) => void) {
    this.#handle = handle;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= (this.#wanted ?? LENGTH_BYTES)) {
      const bytes = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      this.#wanted ??= LENGTH_BYTES + bytes.readUInt32LE(0);
      if (this.#size < this.#wanted) return;
      const [start, end] = [LENGTH_BYTES, this.#wanted];
      this.#chunks = [bytes.subarray(end)];
      this.#size -= end;
      this.#wanted = undefined;
      this.#handle(bytes.subarray(start, end));
    }
  }
}
