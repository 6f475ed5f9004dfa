/** Pods: their first status, and the tolerations that admission gives them for nodes that are gone for a moment. */

import { isArray, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { addQuantities, compareQuantities, isZero, parseQuantity, type Quantity } from "../../value/quantity.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";
import { since } from "../../value/server-version.ts";
import { type Draft, fill, inner } from "../defaults/draft.ts";
import { completePodResources, hasOwnResources, keepPodResources } from "../defaults/pod-resources.ts";
import { numberOf, objectFrom, objectOf, objectsOf, textOf } from "../object.ts";
import { copyAppArmorProfiles } from "./app-armor.ts";
import type { PrepareContext } from "./strategy.ts";

export function preparePod(pod: Draft, { now, setsPluginValues, warn = () => {} }: PrepareContext): void {
  const spec = inner(pod, "spec");
  copyAppArmorProfiles(pod, warn);
  completePodResources(spec);
  const isGated = objectsOf(spec, "schedulingGates").length > 0;
  const conditions = isGated ? [gated(now())] : undefined;
  pod["status"] = objectFrom({ phase: "Pending", conditions, qosClass: qosClass(spec) });
  // What is over before it began gets one second.
  if (numberOf(spec, "terminationGracePeriodSeconds") < 0) spec["terminationGracePeriodSeconds"] = 1;
  // Where plugins have run, a webhook may have removed what they set.
  if (setsPluginValues !== false) {
    fill(spec, "priority", 0);
    fill(spec, "preemptionPolicy", "PreemptLowerPriority");
  }
  if (setsPluginValues === true) tolerateOutages(spec);
}

/** Why a pod waits that is not to be scheduled yet. */
function gated(lastTransitionTime: string): JsonObject {
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  const times = { lastProbeTime: null, lastTransitionTime };
  return objectFrom({ type: "PodScheduled", status: "False", ...times, reason: "SchedulingGated", message });
}

/** What admission gave the pod stays. */
export function preparePodUpdate(pod: Draft, old: JsonObject, { setsPluginValues }: PrepareContext): void {
  const spec = inner(pod, "spec");
  const before = objectOf(old, "spec");
  keepPodResources(spec, before);
  for (const key of ["priority", "preemptionPolicy"]) fill(spec, key, before?.[key] ?? null);
  if (setsPluginValues === true) tolerateOutages(spec);
}

export function preparePodStatus(pod: Draft, old: JsonObject): void {
  const status = inner(pod, "status");
  const qos = textOf(objectOf(old, "status"), "qosClass");
  if (qos !== "" && since("1.32")) fill(status, "qosClass", qos);
  for (const key of KEPT_BY_STATUS) {
    const value = objectOf(old, "metadata")?.[key];
    if (value === undefined) delete inner(pod, "metadata")[key];
    else inner(pod, "metadata")[key] = value;
  }
}

const KEPT_BY_STATUS = ["ownerReferences", "deletionTimestamp"];

/** How long pods tolerate a node that is gone. */
interface OutageSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

const OUTAGE_SECONDS: OutageSeconds = { notReady: 300, unreachable: 300 };

/** A copy of a pod, with the tolerations that every pod has. */
export function withDefaultTolerations(pod: JsonObject, seconds = OUTAGE_SECONDS): JsonObject {
  const spec = copyObject(objectOf(pod, "spec") ?? newObject());
  tolerateOutages(spec, seconds);
  return withMember(pod, "spec", spec);
}

function tolerateOutages(spec: Draft, { notReady, unreachable } = OUTAGE_SECONDS): void {
  tolerate(spec, "node.kubernetes.io/not-ready", notReady);
  tolerate(spec, "node.kubernetes.io/unreachable", unreachable);
}

function tolerate(spec: Draft, key: string, seconds: number): void {
  const tolerations = isArray(spec["tolerations"]) ? spec["tolerations"] : [];
  const isTolerated = objectsOf(spec, "tolerations").some((each) => {
    const [itsKey, effect] = [textOf(each, "key"), textOf(each, "effect")];
    return (itsKey === key || itsKey === "") && (effect === "NoExecute" || effect === "");
  });
  if (isTolerated) return;
  const toleration = objectFrom({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds });
  spec["tolerations"] = [...tolerations, toleration];
}

const COMPUTE = ["cpu", "memory"];

/** Follows pkg/apis/core/v1/helper/qos. */
export function qosClass(spec: JsonObject): string {
  const containers = [...objectsOf(spec, "containers"), ...objectsOf(spec, "initContainers")];
  const holders = hasOwnResources(spec) ? [spec] : containers;
  const requests = sumOf(holders, "requests");
  const limits = sumOf(holders, "limits");
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isGuaranteed = holders.every(hasAllLimits) && isSame(requests, limits);
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

function sumOf(containers: readonly JsonObject[], kind: "requests" | "limits"): Map<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const container of containers) {
    const list = objectOf(objectOf(container, "resources"), kind) ?? {};
    for (const name of COMPUTE) {
      const amount = quantityOf(list[name]);
      if (amount === undefined || isZero(amount)) continue;
      const sum = sums.get(name);
      sums.set(name, sum === undefined ? amount : addQuantities(sum, amount));
    }
  }
  return sums;
}

function hasAllLimits(container: JsonObject): boolean {
  const limits = objectOf(objectOf(container, "resources"), "limits");
  return COMPUTE.every((name) => {
    const amount = quantityOf(limits?.[name]);
    return amount !== undefined && !isZero(amount);
  });
}

function isSame(left: ReadonlyMap<string, Quantity>, right: ReadonlyMap<string, Quantity>): boolean {
  return (
    left.size === right.size &&
    [...left].every(([name, amount]) => {
      const other = right.get(name);
      return other !== undefined && compareQuantities(amount, other) === 0;
    })
  );
}

function quantityOf(value: JsonValue | undefined): Quantity | undefined {
  return typeof value === "string" ? parseQuantity(value).value : undefined;
}
