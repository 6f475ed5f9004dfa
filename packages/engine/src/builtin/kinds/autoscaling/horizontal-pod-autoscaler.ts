/** HorizontalPodAutoscaler in both versions. Objects are stored as v2. Follows pkg/apis/autoscaling/{v1,v2}/defaults.go. */
import { type Draft, fill, fillEmpty, inner } from "../../defaults/draft.ts";
import { has, metaOf, objectFrom, objectOf } from "../../object.ts";
import { validateAutoscaler } from "../../validate/workloads/autoscaler.ts";
import { validateAutoscalerStatus } from "../../validate/workloads/replica-status.ts";
import { defineKind, type KindRules, SPEC_GENERATION } from "../kind.ts";
import { autoscalerHub } from "./convert.ts";

const shared: KindRules = {
  ownsStatus: true,
  generation: { ...SPEC_GENERATION, since: "1.37" },
  validate: validateAutoscaler,
  validateStatusUpdate: validateAutoscalerStatus,
};

export const horizontalPodAutoscaler = defineKind("autoscaling/v2", "HorizontalPodAutoscaler", {
  ...shared,
  defaults: { "v2.HorizontalPodAutoscaler": fillAutoscaler },
});

export const horizontalPodAutoscalerV1 = defineKind("autoscaling/v1", "HorizontalPodAutoscaler", {
  ...shared,
  // What version 2 has beyond it is in annotations, without the defaults of version 2.
  validate: (scaler, old) => validateAutoscaler(autoscalerHub.toHub(scaler), old && autoscalerHub.toHub(old)),
  defaults: { "v1.HorizontalPodAutoscaler": fillAutoscalerV1 },
  hub: autoscalerHub,
});

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";

function fillAutoscalerV1(draft: Draft): void {
  const spec = inner(draft, "spec");
  fill(spec, "minReplicas", 1);
  // Metrics of version 2 are kept in an annotation.
  if (!has(objectOf(metaOf(draft), "annotations"), METRICS)) fill(spec, "targetCPUUtilizationPercentage", 80);
}

interface ScalingPolicy {
  readonly type: string;
  readonly value: number;
}

const UP_POLICIES: readonly ScalingPolicy[] = [
  { type: "Pods", value: 4 },
  { type: "Percent", value: 100 },
];
const DOWN_POLICIES: readonly ScalingPolicy[] = [{ type: "Percent", value: 100 }];

function fillAutoscaler(draft: Draft): void {
  const spec = inner(draft, "spec");
  fill(spec, "minReplicas", 1);
  fillEmpty(spec, "metrics", [cpuMetric()]);
  if (objectOf(spec, "behavior") === undefined) return;
  const [up, down] = [inner(inner(spec, "behavior"), "scaleUp"), inner(inner(spec, "behavior"), "scaleDown")];
  fill(up, "stabilizationWindowSeconds", 0);
  fillScalingRules(up, UP_POLICIES);
  fillScalingRules(down, DOWN_POLICIES);
}

function cpuMetric(): Draft {
  const target = objectFrom({ type: "Utilization", averageUtilization: 80 });
  return objectFrom({ type: "Resource", resource: objectFrom({ name: "cpu", target }) });
}

function fillScalingRules(rules: Draft, policies: readonly ScalingPolicy[]): void {
  fill(rules, "selectPolicy", "Max");
  fill(
    rules,
    "policies",
    policies.map(({ type, value }) => objectFrom({ type, value, periodSeconds: 15 })),
  );
}
