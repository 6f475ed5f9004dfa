/** Steps that cannot pause: the caller learns how long they take, and may end them. */
import { checkWork } from "@portcullis/gostd/work";

export interface WatchedWork {
  readonly cluster: { readonly metrics?: { readonly clock: () => number } | undefined };
  readonly overrun?: ((seconds: number) => void) | undefined;
}

/** Runs a synchronous function; `overrun` is called while it works and may throw. */
export function watchWork<T>({ cluster: { metrics }, overrun }: WatchedWork, run: () => T): T {
  if (metrics === undefined || overrun === undefined) return run();
  const { clock } = metrics;
  const start = clock();
  return checkWork(() => overrun(clock() - start), run);
}
