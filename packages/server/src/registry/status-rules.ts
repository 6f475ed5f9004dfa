/**
 * What the statuses of workloads are judged by: counts are not negative, and parts are not greater than the whole.
 *
 * Follows the status validation of kubernetes pkg/apis/apps/validation.
 */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import { type FieldError, invalid } from "@portcullis/engine/field/error";
import { newPath } from "@portcullis/engine/field/path";
import { isInteger, isObject, type JsonObject } from "@portcullis/engine/value/json";
import type { BuiltinTypeOptions } from "./builtin-types.ts";
import * as messages from "./messages.ts";

interface Counts {
  /** Not below zero. */
  readonly counts: readonly string[];
  /** Not above another count, which the message calls by the last name. */
  readonly limits: readonly (readonly [count: string, limit: string, shown: string])[];
}

const AVAILABLE = ["availableReplicas", "readyReplicas", "readyReplicas"] as const;

const REPLICA_SET: Counts = {
  counts: [
    ...["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
    ...["observedGeneration", "terminatingReplicas"],
  ],
  limits: [
    ["fullyLabeledReplicas", "replicas", "status.replicas"],
    ["readyReplicas", "replicas", "status.replicas"],
    ["availableReplicas", "replicas", "status.replicas"],
    AVAILABLE,
  ],
};

const RULES: Readonly<Record<string, Counts>> = {
  "apps/Deployment": {
    counts: [
      ...["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"],
      ...["unavailableReplicas", "terminatingReplicas", "collisionCount"],
    ],
    limits: [
      ["updatedReplicas", "replicas", "status.replicas"],
      ["readyReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "replicas", "status.replicas"],
      AVAILABLE,
    ],
  },
  "apps/ReplicaSet": REPLICA_SET,
  "apps/StatefulSet": {
    counts: [
      ...["replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
      ...["observedGeneration", "collisionCount"],
    ],
    limits: [
      ["readyReplicas", "replicas", "status.replicas"],
      ["currentReplicas", "replicas", "status.replicas"],
      ["updatedReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "replicas", "status.replicas"],
      ["availableReplicas", "readyReplicas", "status.readyReplicas"],
    ],
  },
  "/ReplicationController": REPLICA_SET,
};

/** Nothing for kinds whose statuses are taken as they are. */
export function statusRules({ group, kind }: BuiltinResource): BuiltinTypeOptions {
  const rules = RULES[`${group}/${kind}`];
  return rules === undefined ? {} : { validateStatus: (object) => judgeCounts(object, rules) };
}

function judgeCounts({ status }: JsonObject, { counts, limits }: Counts): FieldError[] {
  const path = newPath("status");
  const count = (name: string): number => {
    const value = isObject(status) ? status[name] : undefined;
    return isInteger(value) ? Number(value) : 0;
  };
  return [
    ...counts
      .filter((name) => count(name) < 0)
      .map((name) => invalid(path.child(name), count(name), messages.notNegative(), "minimum")),
    ...limits
      .filter(([name, limit]) => count(name) > count(limit))
      .map(([name, , shown]) => invalid(path.child(name), count(name), messages.notAbove(shown))),
  ];
}
