/** Measures for how long requests keep the thread to themselves. */
import { readFileSync } from "node:fs";

/**
 * The longest time without a pause while the work runs, in milliseconds of the thread's own processor time: on a busy
 * machine the wall clock counts what others do.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly millis: number }> {
  let isOver = false;
  let millis = 0;
  const watch = async (): Promise<void> => {
    for (let before = threadMillis(); !isOver; ) {
      // Not at once: the thread that does the work needs the processor.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const now = threadMillis();
      millis = Math.max(millis, now - before);
      before = now;
    }
  };
  const watching = watch();
  await new Promise((resolve) => setImmediate(resolve));
  const result = await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  await watching;
  return { result, millis };
}

const NANOS_PER_MILLI = 1e6;

/** Linux counts it by thread; elsewhere that of the process has to do. */
function threadMillis(): number {
  if (process.platform !== "linux") return process.cpuUsage().user / 1000;
  return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / NANOS_PER_MILLI;
}
