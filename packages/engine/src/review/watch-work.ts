/** Steps that cannot pause: whoever asked for them learns how long they take, and may end them. */
import { checkWork } from "@portcullis/gostd/work";
import type { ClusterView } from "./cluster-view.ts";

export interface WatchedWork {
  readonly cluster: Pick<ClusterView, "metrics">;
  readonly overrun?: ((seconds: number) => void) | undefined;
}

/** Runs a synchronous function; `overrun` is called while it works and may throw. */
export function watchWork<T>({ cluster: { metrics }, overrun }: WatchedWork, run: () => T): T {
  if (metrics === undefined || overrun === undefined) return run();
  const { clock } = metrics;
  const start = clock();
  return checkWork(() => overrun(clock() - start), run);
}
