/** Counters of those that make pods: none negative, parts no larger than the whole. Follows pkg/apis/{apps,core}/validation. */
import { type FieldError, invalid } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, numberOf, objectOf } from "../../object.ts";
import { notNegative } from "../checks.ts";
import * as messages from "./messages.ts";

const STATUS = newPath("status");

type StatusCheck = (object: JsonObject, old: JsonObject) => FieldError[];

interface Counters {
  /** None may be negative. */
  readonly counters: readonly string[];
  /** None may exceed `replicas`. */
  readonly parts?: readonly string[];
  /** The message where more are available than are ready. */
  readonly aboveReady?: () => string;
  readonly hasCollisions?: boolean;
}

function counted({ counters, parts = [], aboveReady, hasCollisions = false }: Counters): StatusCheck {
  return (object, old) => {
    const status = objectOf(object, "status") ?? {};
    const [total, ready, available] = [
      numberOf(status, "replicas"),
      numberOf(status, "readyReplicas"),
      numberOf(status, "availableReplicas"),
    ];
    return [
      ...counters.flatMap((key) => notNegative(status, key, STATUS)),
      ...parts
        .filter((key) => numberOf(status, key) > total)
        .map((key) => invalid(STATUS.child(key), numberOf(status, key), messages.aboveReplicas())),
      ...(aboveReady !== undefined && available > ready
        ? [invalid(STATUS.child("availableReplicas"), available, aboveReady())]
        : []),
      ...(hasCollisions ? keptCollisions(status, objectOf(old, "status") ?? {}) : []),
    ];
  };
}

function keptCollisions(status: JsonObject, before: JsonObject): FieldError[] {
  const [now, then] = [numberOf(status, "collisionCount"), numberOf(before, "collisionCount")];
  const isLess = has(before, "collisionCount") && now < then;
  return isLess ? [invalid(STATUS.child("collisionCount"), now, messages.notDecremented())] : [];
}

export const validateDeploymentStatus = counted({
  counters: [
    ...["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"],
    ...["unavailableReplicas", "terminatingReplicas", "collisionCount"],
  ],
  parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
  aboveReady: messages.aboveReady,
  hasCollisions: true,
});

const REPLICAS = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"];
const REPLICA_PARTS = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];

export const validateReplicaSetStatus = counted({
  counters: [...REPLICAS, "terminatingReplicas"],
  parts: REPLICA_PARTS,
  aboveReady: messages.aboveReady,
});

export const validateControllerStatus = counted({
  counters: REPLICAS,
  parts: REPLICA_PARTS,
  aboveReady: messages.aboveReady,
});

export const validateStatefulSetStatus = counted({
  counters: [
    ...["replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
    ...["observedGeneration", "collisionCount"],
  ],
  parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  aboveReady: messages.aboveStatusReady,
  hasCollisions: true,
});

export const validateDaemonSetStatus = counted({
  counters: [
    ...["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"],
    ...["observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable", "collisionCount"],
  ],
  hasCollisions: true,
});

export const validateAutoscalerStatus = counted({ counters: ["currentReplicas", "desiredReplicas"] });
