/** How the JavaScript engine is told that a run takes seconds rather than days. */
import { setFlagsFromString } from "node:v8";

/**
 * V8 by default makes code that takes long to make: it copies much of what a function calls into it. Most of that is ready
 * when a run of this length is over. With a quarter of the copying a check of thousands of files takes a fifth less
 * processor time.
 */
export function tuneForShortRun(): void {
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=200");
}
