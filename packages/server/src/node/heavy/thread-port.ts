/** Links over the message ports of threads. */
import type { LinkMessage, LinkPort } from "../../storage/link/link.ts";

/** Topics: what the thread for heavy requests offers, and what the main thread does. */
export const [HEAVY, MAIN] = ["heavy", "main"] as const;

interface MessageEnd {
  postMessage(message: unknown): void;
  on(event: "message", listener: (message: readonly LinkMessage[]) => void): unknown;
}

export function threadPort(end: MessageEnd): LinkPort {
  return {
    post: (batch) => end.postMessage(batch),
    receive: (handler) => void end.on("message", handler),
  };
}
