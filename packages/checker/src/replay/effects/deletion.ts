/** A deletion as policies may have seen it: one that repeats an earlier one has no effect, and no policy is asked. */
import { isDeletionUnderWay } from "@portcullis/engine/internal/review/deletion-progress";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText } from "@portcullis/engine/internal/value/metadata";
import { type Alternative, asGiven, lacking } from "../alternative.ts";
import { timeOf } from "../log/audit-event.ts";
import { type FoundOld, oldFromDeletion } from "../old-object.ts";
import { optionsOf, type WriteEvent } from "../write-event.ts";

/** Whether an object may wait for its end, so that deleting it again has no effect. */
export function endsGracefully({ target }: WriteEvent): boolean {
  return target.type?.strategy.gracePeriod !== undefined || target.type?.strategy.isFinished !== undefined;
}

export function deletionOf(old: FoundOld, write: WriteEvent, response: JsonObject | undefined): Alternative {
  if ("object" in old) {
    return isUnderWay(old.object, write)
      ? notAdmitted(write)
      : asGiven(write, "DELETE", { old: old.object, isExact: old.isExact });
  }
  if (response !== undefined) {
    if (beganBefore(response, write)) return notAdmitted(write);
    return asGiven(write, "DELETE", { old: oldFromDeletion(response), isExact: false });
  }
  return lacking(write, "DELETE", {
    oldObject: "missing" in old ? old.missing : "the log says that it was deleted before",
  });
}

function notAdmitted(write: WriteEvent): Alternative {
  return { ...asGiven(write, "DELETE", {}), isNotAdmitted: true };
}

export function isUnderWay(old: JsonObject, write: WriteEvent): boolean {
  const { type } = write.target;
  return type !== undefined && isDeletionUnderWay(type, old, { gracePeriodSeconds: secondsAsked(write) });
}

function secondsAsked(write: WriteEvent): number | undefined {
  const seconds = optionsOf(write, "DELETE")?.["gracePeriodSeconds"];
  return typeof seconds === "number" ? seconds : undefined;
}

/** Whether the answer shows a time that an earlier request set: it is when the period ends, not when it begins. */
export function beganBefore(response: JsonObject, write: WriteEvent): boolean {
  const left = metaOf(response)["deletionGracePeriodSeconds"];
  if (typeof left !== "number" || left === 0) return false;
  const asked = secondsAsked(write);
  const isShortened = asked !== undefined && asked <= left;
  const begun = timeOf(metaText(response, "deletionTimestamp")) - left * SECOND;
  return !isShortened && begun + SECOND <= write.event.received;
}

const SECOND = 1_000_000;
