/** The default way to replace pods of a Deployment or DaemonSet. */
import { type Draft, fill, fillZero, inner } from "./draft.ts";

interface RollingUpdate {
  readonly maxUnavailable: string | number;
  readonly maxSurge: string | number;
}

export function fillRollingUpdate(strategy: Draft, { maxUnavailable, maxSurge }: RollingUpdate): void {
  fillZero(strategy, "type", "RollingUpdate");
  if (strategy["type"] !== "RollingUpdate") return;
  const update = inner(strategy, "rollingUpdate");
  fill(update, "maxUnavailable", maxUnavailable);
  fill(update, "maxSurge", maxSurge);
}
