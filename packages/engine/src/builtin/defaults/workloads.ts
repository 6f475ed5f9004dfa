/** Defaults of apps, batch and autoscaling. Follows pkg/apis/{apps,batch}/v1 and autoscaling/{v1,v2}/defaults.go. */
import { isArray, isObject } from "../../value/json.ts";
import { has, metaOf, objectFrom, objectOf, objectsOf } from "../object.ts";
import { podFillers } from "./core.ts";
import { type Draft, type Fillers, fill, fillZero, inner } from "./draft.ts";

const MAX_INT32 = 2 ** 31 - 1;

export const appsFillers: Fillers = {
  ...podFillers,
  "v1.PersistentVolumeClaim": (claim) => fillZero(inner(claim, "status"), "phase", "Pending"),
  "v1.Deployment": (deployment) => {
    const spec = inner(deployment, "spec");
    fill(spec, "replicas", 1);
    fillRollingUpdate(inner(spec, "strategy"), { maxUnavailable: "25%", maxSurge: "25%" });
    fill(spec, "revisionHistoryLimit", 10);
    fill(spec, "progressDeadlineSeconds", 600);
  },
  "v1.ReplicaSet": (set) => fill(inner(set, "spec"), "replicas", 1),
  "v1.DaemonSet": (set) => {
    const spec = inner(set, "spec");
    // A number inside, which v1 shows as an annotation and so says that whoever writes a set owns it.
    fill(inner(inner(set, "metadata"), "annotations"), "deprecated.daemonset.template.generation", "0");
    fillRollingUpdate(inner(spec, "updateStrategy"), { maxUnavailable: 1, maxSurge: 0 });
    fill(spec, "revisionHistoryLimit", 10);
  },
  "v1.StatefulSet": (set) => {
    const spec = inner(set, "spec");
    fillZero(spec, "podManagementPolicy", "OrderedReady");
    fillStatefulStrategy(inner(spec, "updateStrategy"));
    const retention = inner(spec, "persistentVolumeClaimRetentionPolicy");
    fillZero(retention, "whenDeleted", "Retain");
    fillZero(retention, "whenScaled", "Retain");
    fill(spec, "replicas", 1);
    fill(spec, "revisionHistoryLimit", 10);
    for (const claim of objectsOf(spec, "volumeClaimTemplates")) {
      fillZero(claim, "kind", "PersistentVolumeClaim");
      fillZero(claim, "apiVersion", "v1");
    }
  },
};

interface RollingUpdate {
  readonly maxUnavailable: string | number;
  readonly maxSurge: string | number;
}

function fillRollingUpdate(strategy: Draft, { maxUnavailable, maxSurge }: RollingUpdate): void {
  fillZero(strategy, "type", "RollingUpdate");
  if (strategy["type"] !== "RollingUpdate") return;
  const update = inner(strategy, "rollingUpdate");
  fill(update, "maxUnavailable", maxUnavailable);
  fill(update, "maxSurge", maxSurge);
}

/** Only where the type is left out is the rolling update made up. */
function fillStatefulStrategy(strategy: Draft): void {
  if (!has(strategy, "type")) {
    strategy["type"] = "RollingUpdate";
    inner(strategy, "rollingUpdate");
  }
  const update = objectOf(strategy, "rollingUpdate");
  if (strategy["type"] !== "RollingUpdate" || update === undefined) return;
  fill(update, "partition", 0);
}

export const batchFillers: Fillers = {
  ...podFillers,
  "v1.Job": (job) => {
    fillJob(inner(job, "spec"));
    const labels = metaOf(inner(inner(job, "spec"), "template"))["labels"];
    if (isObject(labels)) fill(inner(job, "metadata"), "labels", labels);
  },
  "v1.CronJob": (job) => {
    const spec = inner(job, "spec");
    fillZero(spec, "concurrencyPolicy", "Allow");
    fill(spec, "suspend", false);
    fill(spec, "successfulJobsHistoryLimit", 3);
    fill(spec, "failedJobsHistoryLimit", 1);
  },
  "v1.PodFailurePolicyOnPodConditionsPattern": (pattern) => fillZero(pattern, "status", "True"),
};

function fillJob(spec: Draft): void {
  if (!has(spec, "completions") && !has(spec, "parallelism")) spec["completions"] = 1;
  fill(spec, "parallelism", 1);
  fill(spec, "backoffLimit", has(spec, "backoffLimitPerIndex") ? MAX_INT32 : 6);
  fill(spec, "completionMode", "NonIndexed");
  fill(spec, "suspend", false);
  fill(spec, "podReplacementPolicy", has(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  fill(spec, "manualSelector", false);
}

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";

export const autoscalingFillers: Fillers = {
  "v1.HorizontalPodAutoscaler": (scaler) => {
    const spec = inner(scaler, "spec");
    fill(spec, "minReplicas", 1);
    // Metrics of version 2 are kept in an annotation.
    if (!has(objectOf(metaOf(scaler), "annotations"), METRICS)) fill(spec, "targetCPUUtilizationPercentage", 80);
  },
  "v2.HorizontalPodAutoscaler": (scaler) => {
    const spec = inner(scaler, "spec");
    fill(spec, "minReplicas", 1);
    if (!isArray(spec["metrics"])) spec["metrics"] = [cpuMetric()];
    if (objectOf(spec, "behavior") === undefined) return;
    fillScalingRules(
      inner(inner(spec, "behavior"), "scaleUp"),
      [
        { type: "Pods", value: 4 },
        { type: "Percent", value: 100 },
      ],
      0,
    );
    fillScalingRules(inner(inner(spec, "behavior"), "scaleDown"), [{ type: "Percent", value: 100 }], undefined);
  },
};

function cpuMetric(): Draft {
  const target = objectFrom({ type: "Utilization", averageUtilization: 80 });
  return objectFrom({ type: "Resource", resource: objectFrom({ name: "cpu", target }) });
}

interface ScalingPolicy {
  readonly type: string;
  readonly value: number;
}

function fillScalingRules(rules: Draft, policies: readonly ScalingPolicy[], window: number | undefined): void {
  if (window !== undefined) fill(rules, "stabilizationWindowSeconds", window);
  fill(rules, "selectPolicy", "Max");
  fill(
    rules,
    "policies",
    policies.map(({ type, value }) => objectFrom({ type, value, periodSeconds: 15 })),
  );
}
