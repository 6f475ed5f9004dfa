/** Other threads of the server get the processor first: what they do is short. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

const PRIORITY = 5;

/** Lowers the priority of the thread that calls it. Only Linux has priorities for threads; elsewhere nothing happens. */
export function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    const [, thread = ""] = /\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    if (thread !== "") setPriority(Number(thread), PRIORITY);
  } catch {
    // Without /proc, or where it is forbidden, all threads have the same priority.
  }
}
