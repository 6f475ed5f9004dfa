/** How a long check reports its progress, and how it reads standard input. */
import type { CommandIo } from "../../frame/command.ts";

const QUIET_MS = 500;

/** Prints nothing for a short run. */
export function progressOf({ progress }: CommandIo): ((done: number, total: number) => void) | undefined {
  if (progress === undefined) return undefined;
  const start = Date.now();
  return (done, total) => {
    if (Date.now() - start > QUIET_MS) progress(`checking: ${done} of ${total} files`);
  };
}

/** Standard input can be read only once. */
export function once<T>(ask: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: ask() };
    return known.value;
  };
}
