/** Other threads of the server get the processor first: what they do is short. */
import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** What it gets beside a busy thread of the server is about half of what that gets. */
const STEP = 3;

/** Lowers the priority of the thread that calls it. Only Linux has priorities for threads; elsewhere nothing happens. */
export function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    const [, thread = ""] = /\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    if (thread === "") return;
    setPriority(Number(thread), Math.min(getPriority(Number(thread)) + STEP, constants.priority.PRIORITY_LOW));
  } catch {
    // Without /proc, or where it is forbidden, all threads have the same priority.
  }
}
