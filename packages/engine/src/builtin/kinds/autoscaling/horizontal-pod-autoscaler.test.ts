import { expect, test } from "vitest";
import { create, decode, resourceOf, testKinds } from "../kind.testing.ts";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const scalers = resourceOf("autoscaling/v1/HorizontalPodAutoscaler");

testKinds({
  "autoscaling/v2/HorizontalPodAutoscaler": {
    valid: { spec: { maxReplicas: 2, scaleTargetRef } },
    wrong: { spec: { minReplicas: 3, maxReplicas: 2, scaleTargetRef } },
    errors: ["spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"],
  },
  "autoscaling/v1/HorizontalPodAutoscaler": {
    valid: { spec: { maxReplicas: 2, scaleTargetRef } },
    wrong: { spec: { maxReplicas: 2, scaleTargetRef: { ...scaleTargetRef, name: "" } } },
    errors: ["spec.scaleTargetRef.name: Required value"],
  },
});

test("an autoscaler of v1 gets the default target of v2", () => {
  const { object } = create("autoscaling/v1/HorizontalPodAutoscaler", { spec: { maxReplicas: 3 } });
  expect(scalers.encode(object)["spec"]).toMatchObject({ targetCPUUtilizationPercentage: 80, minReplicas: 1 });
});

test("an autoscaler is stored in v2 and converted back", () => {
  const scaler = decode(scalers, { spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50 } });
  const hub = scalers.toHub(scaler);
  const target = { type: "Utilization", averageUtilization: 50 };
  expect(hub).toMatchObject({
    apiVersion: "autoscaling/v2",
    spec: { metrics: [{ type: "Resource", resource: { name: "cpu", target } }] },
  });
  expect(scalers.fromHub(hub)).toMatchObject({
    apiVersion: "autoscaling/v1",
    spec: { targetCPUUtilizationPercentage: 50 },
  });
});

test("what version 1 does not have is kept in annotations", () => {
  const memory = {
    type: "Resource",
    resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } },
  };
  const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 40 } } };
  const behavior = { scaleDown: { stabilizationWindowSeconds: 5, selectPolicy: "Max", policies: [] } };
  const conditions = [{ type: "AbleToScale", status: "True", lastTransitionTime: null, reason: "r", message: "m" }];
  const hub = decode(resourceOf("autoscaling/v2/HorizontalPodAutoscaler"), {
    metadata: { name: "a", annotations: { own: "x", "autoscaling.alpha.kubernetes.io/metrics": "stale" } },
    spec: { maxReplicas: 3, scaleTargetRef, metrics: [cpu, memory], behavior },
    status: { desiredReplicas: 1, conditions },
  });
  const shown = scalers.fromHub(hub);
  expect(shown).toMatchObject({
    metadata: {
      annotations: {
        own: "x",
        "autoscaling.alpha.kubernetes.io/metrics":
          '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"100Mi"}}]',
        "autoscaling.alpha.kubernetes.io/behavior":
          '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":5,"SelectPolicy":"Max","Policies":[],"Tolerance":null}}',
      },
    },
    spec: { targetCPUUtilizationPercentage: 40 },
  });
  expect(scalers.toHub(shown)).toMatchObject({
    metadata: { annotations: { own: "x" } },
    spec: { metrics: [memory, cpu], behavior },
    status: { conditions },
  });
});
