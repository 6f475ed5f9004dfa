/** The body of a webhook's answer: unpacked where it is compressed, and bounded in size. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { WebhookUnreachable } from "../conversion/call-webhook.ts";
import { brokenOff } from "./webhook-errors.ts";

/** From this size on, answers take turns, so that other requests are served meanwhile. */
const LARGE = 1024 * 1024;

/** `interrupted` is the error where the connection ends before the body does. */
export function readAnswer(
  incoming: IncomingMessage,
  maxBytes: number,
  interrupted: () => WebhookUnreachable,
): Promise<Uint8Array> {
  const isPacked = incoming.headers["content-encoding"] === "gzip";
  return new Promise((resolve, reject) => {
    const tooLarge = (): void => {
      incoming.destroy();
      reject(brokenOff(`the answer is larger than ${maxBytes} bytes`));
    };
    if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    const unpacked: Readable = isPacked ? incoming.pipe(createGunzip()) : incoming;
    unpacked.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) return tooLarge();
      chunks.push(chunk);
      if (size > LARGE) turns.wait(unpacked);
    });
    unpacked.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", () => reject(interrupted()));
    if (isPacked) unpacked.on("error", (error) => reject(brokenOff(packingProblem(error))));
  });
}

function packingProblem(error: Error): string {
  return "code" in error && error.code === "Z_BUF_ERROR" ? "unexpected EOF" : "gzip: invalid header";
}

/** Streams that wait: each millisecond, one of them may deliver its next part. */
class Turns {
  readonly #waiting: Readable[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  wait(stream: Readable): void {
    stream.pause();
    this.#waiting.push(stream);
    this.#timer ??= setInterval(() => this.#next(), 1);
  }

  #next(): void {
    this.#waiting.shift()?.resume();
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

const turns = new Turns();
