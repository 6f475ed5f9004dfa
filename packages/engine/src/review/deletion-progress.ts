/** How far the deletion of an object is. Follows BeforeDelete of apiserver pkg/registry/rest/delete.go. */
import { isInteger, type JsonObject } from "../value/json.ts";
import { metaOf, metaText } from "../value/metadata.ts";
import type { ResourceKind, Strategy } from "./kind.ts";
import type { DeleteOptions } from "./write.ts";

/** Whether the request has no effect, because an earlier one began the deletion. Admission does not take part then. */
export function isDeletionUnderWay({ strategy }: ResourceKind, live: JsonObject, deletion: DeleteOptions): boolean {
  if (metaText(live, "deletionTimestamp") === "") return false;
  return strategy.isFinished?.(live) === false || isPending(live, deletion, strategy);
}

function isPending(live: JsonObject, { gracePeriodSeconds }: DeleteOptions, strategy: Strategy): boolean {
  const left = metaOf(live)["deletionGracePeriodSeconds"];
  // Where only the removal is left, it is tried again.
  if (strategy.gracePeriod === undefined || !isInteger(left) || Number(left) === 0) return false;
  return gracePeriodSeconds === undefined || atLeast(gracePeriodSeconds) >= Number(left);
}

/** Upstream takes a negative period for one second. */
function atLeast(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/** The seconds that are left to the object. A grace period that has begun is only shortened. */
export function graceOf(live: JsonObject, { gracePeriodSeconds }: DeleteOptions, strategy: Strategy): number {
  const asked = gracePeriodSeconds === undefined ? undefined : atLeast(gracePeriodSeconds);
  if (metaText(live, "deletionTimestamp") === "") return strategy.gracePeriod?.(live, asked) ?? 0;
  const left = metaOf(live)["deletionGracePeriodSeconds"];
  const isBegun = strategy.gracePeriod !== undefined && isInteger(left) && Number(left) > 0;
  return isBegun ? (asked ?? 0) : 0;
}
