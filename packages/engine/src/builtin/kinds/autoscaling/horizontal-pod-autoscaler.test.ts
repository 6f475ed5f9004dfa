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
