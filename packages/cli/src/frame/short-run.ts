/** Tunes V8 for runs that take seconds, not days. */
import { setFlagsFromString } from "node:v8";

/** The tested V8 versions (Node 20 to 24); a version without a flag would complain on standard error. */
const KNOWN = { from: 11, to: 13 };

/**
 * By default V8 inlines much of what a function calls. Most of that code is ready only when a short run is over: with a
 * quarter of the inlining, a check of thousands of files takes a fifth less processor time.
 */
export function tuneForShortRun(): void {
  setFlag("--max-inlined-bytecode-size-cumulative=200");
}

/** The same if every processor is busy: V8 compiles in parallel to the running threads, so it should compile less. */
export function tuneForBusyProcessors(): void {
  setFlag("--interrupt-budget=300000");
}

function setFlag(flag: string): void {
  const major = Number.parseInt(process.versions.v8, 10);
  if (major < KNOWN.from || major > KNOWN.to) return;
  // The launcher does not store code that was compiled with other flags.
  Object.assign(globalThis, { [Symbol.for("portcullis.v8-flags")]: true });
  setFlagsFromString(flag);
}
