/** Reads the limits of a priority level. */
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import type { QueueSizes } from "./queue-set.ts";
import type { LevelLimits } from "./seats.ts";

export function levelLimits(spec: JsonObject): LevelLimits {
  const isExempt = spec["type"] === "Exempt";
  const limits = memberOf(spec, isExempt ? "exempt" : "limited");
  const response = memberOf(limits, "limitResponse");
  return {
    isExempt,
    shares: numberOf(limits, "nominalConcurrencyShares") ?? (isExempt ? 0 : DEFAULT_SHARES),
    lendablePercent: numberOf(limits, "lendablePercent") ?? 0,
    borrowingLimitPercent: numberOf(limits, "borrowingLimitPercent"),
    queues: textOf(response["type"]) === "Queue" ? queueSizes(memberOf(response, "queuing")) : undefined,
  };
}

const DEFAULT_SHARES = 30;

function queueSizes(queuing: JsonObject): QueueSizes {
  const {
    queues = 64,
    handSize = 8,
    queueLengthLimit = 50,
  } = {
    queues: numberOf(queuing, "queues"),
    handSize: numberOf(queuing, "handSize"),
    queueLengthLimit: numberOf(queuing, "queueLengthLimit"),
  };
  return { queues, handSize, queueLengthLimit };
}

function numberOf(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" ? value : undefined;
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : newObject();
}
