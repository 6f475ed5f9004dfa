/** The body of a webhook's answer: unpacked where it is compressed, and bounded in size. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { WebhookUnreachable } from "../conversion/call-webhook.ts";
import { brokenOff } from "./webhook-errors.ts";

/** `interrupted` is the error where the connection ends before the body does. */
export function readAnswer(
  incoming: IncomingMessage,
  maxBytes: number,
  interrupted: () => WebhookUnreachable,
): Promise<Uint8Array> {
  const isPacked = incoming.headers["content-encoding"] === "gzip";
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const unpacked: Readable = isPacked ? incoming.pipe(createGunzip()) : incoming;
    unpacked.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      incoming.destroy();
      reject(brokenOff(`the answer is larger than ${maxBytes} bytes`));
    });
    unpacked.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", () => reject(interrupted()));
    if (isPacked) unpacked.on("error", (error) => reject(brokenOff(packingProblem(error))));
  });
}

function packingProblem(error: Error): string {
  return "code" in error && error.code === "Z_BUF_ERROR" ? "unexpected EOF" : "gzip: invalid header";
}
