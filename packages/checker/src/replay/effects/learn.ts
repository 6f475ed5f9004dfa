/** Puts what a write shows of an object into the state of the cluster. */
import type { Known } from "../known-objects.ts";
import type { ReplayCluster } from "../replay-cluster.ts";
import { keyOfWrite, type WriteEvent } from "../write-event.ts";

export function uncertain(why: string): Known {
  return { state: "uncertain", why };
}

export function learn(write: WriteEvent, cluster: ReplayCluster, known: Known, name = write.ref.name): void {
  if (name === "") return;
  cluster.learn(keyOfWrite(write, name), write.ref.group, known, write.event.at);
}
