/** An object that is to be deleted, as long as it is still there. */
import { formatRfc3339, parseRfc3339 } from "@portcullis/gostd/time";
import { isInteger, type JsonObject } from "../value/json.ts";
import { metaOf, metaText, withMeta } from "../value/metadata.ts";

/** The first mark counts as a change of the object's generation. A grace period that has begun is only shortened. */
export function markDeleted(object: JsonObject, now: string, grace: number = 0): JsonObject {
  if (metaText(object, "deletionTimestamp") !== "") return withMeta(object, shortened(object, now, grace));
  const { generation } = metaOf(object);
  const counts = isInteger(generation) && generation > 0;
  return withMeta(object, {
    deletionGracePeriodSeconds: grace,
    deletionTimestamp: later(now, grace),
    ...(counts ? { generation: Number(generation) + 1 } : {}),
  });
}

/** The time is not moved into the past; where it would be, the kubelet has one second left. */
function shortened(object: JsonObject, now: string, grace: number) {
  const { deletionGracePeriodSeconds: before } = metaOf(object);
  const marked = metaText(object, "deletionTimestamp");
  const end = later(marked, grace - (isInteger(before) ? Number(before) : grace));
  const isPast = end !== marked && secondsOf(end) < secondsOf(now);
  return {
    deletionGracePeriodSeconds: isPast && grace > 0 ? 1 : grace,
    deletionTimestamp: isPast ? now : end,
  };
}

function later(time: string, seconds: number): string {
  return seconds === 0 ? time : formatRfc3339(secondsOf(time) + BigInt(seconds));
}

function secondsOf(time: string): bigint {
  return parseRfc3339(time).value?.seconds ?? 0n;
}
