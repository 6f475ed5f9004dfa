/** Conditions of pods. Follows UpdatePodCondition of kubernetes pkg/api/v1/pod. */
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The time of the last change stays where the status stays. */
export function withPodCondition(pod: JsonObject, condition: PodCondition, now: string): JsonObject {
  const status = isObject(pod["status"]) ? pod["status"] : newObject();
  const all = isArray(status["conditions"]) ? status["conditions"].filter(isObject) : [];
  const before = all.find((each) => each["type"] === condition.type);
  const isKept = before?.["status"] === condition.status;
  const lastTransitionTime = (isKept ? before?.["lastTransitionTime"] : undefined) ?? now;
  const { type, status: value, reason, message } = condition;
  const written = objectOf({ type, status: value, lastProbeTime: null, lastTransitionTime, reason, message });
  const conditions = before === undefined ? [...all, written] : all.map((each) => (each === before ? written : each));
  return withMember(pod, "status", withMember(status, "conditions", conditions));
}
