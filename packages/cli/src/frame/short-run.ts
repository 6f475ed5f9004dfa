/** How the JavaScript engine is told that a run takes seconds rather than days. */
import { setFlagsFromString } from "node:v8";

/** The versions of V8 that were tried (Node 20 to 24); one that does not know a flag complains on standard error. */
const KNOWN = { from: 11, to: 13 };

/**
 * V8 by default copies much of what a function calls into the code it makes for it. Most of that is ready when a run of
 * this length is over: with a quarter of the copying, a check of thousands of files takes a fifth less processor time.
 */
export function tuneForShortRun(): void {
  setFlag("--max-inlined-bytecode-size-cumulative=200");
}

/** The same where every processor is busy: V8 makes its code beside the threads that run, and is told to make less. */
export function tuneForBusyProcessors(): void {
  setFlag("--interrupt-budget=300000");
}

function setFlag(flag: string): void {
  const major = Number.parseInt(process.versions.v8, 10);
  if (major >= KNOWN.from && major <= KNOWN.to) setFlagsFromString(flag);
}
