/** Links over a pipe between two processes: frames of a length and a batch of messages. */
import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";
import type { LinkMessage, LinkPort } from "../../storage/link/link.ts";
import { type FrameHeader, Frames } from "../grpc/frames.ts";

/** Topics: what a process that serves clients offers, and what the process with the store does. */
export const [SERVING, OWNER] = ["serving", "owner"] as const;

const LENGTH_BYTES = 4;
const HEADER: FrameHeader = { bytes: LENGTH_BYTES, lengthOf: (header) => header.readUInt32LE(0) };

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
      const frames = new Frames(HEADER, (bytes) => handler(deserialize(bytes) as LinkMessage[]));
      socket.on("data", (chunk: Buffer) => frames.add(chunk));
    },
  };
}
