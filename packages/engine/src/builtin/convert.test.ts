import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { builtinResource } from "./builtin.ts";

const scalers = builtinResource("autoscaling", "v1", "horizontalpodautoscalers");
const events = builtinResource("events.k8s.io", "v1", "events");
const context = { now: () => "", clusterIp: () => "", nodePort: () => 0 };

test("an autoscaler of v1 gets the default target of v2", () => {
  const scaler = object({
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: { name: "x" },
    spec: { maxReplicas: 3 },
  });
  expect(scalers?.encode(scalers.prepareCreate(scaler, context))["spec"]).toMatchObject({
    targetCPUUtilizationPercentage: 80,
    minReplicas: 1,
  });
});

test("an autoscaler is stored in v2 and comes back", () => {
  const scaler = object({ metadata: {}, spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50 } });
  const hub = scalers?.toHub(scaler) ?? newObject();
  expect(hub).toMatchObject({
    apiVersion: "autoscaling/v2",
    spec: {
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
      ],
    },
  });
  expect(scalers?.fromHub(hub)).toMatchObject({
    apiVersion: "autoscaling/v1",
    spec: { targetCPUUtilizationPercentage: 50 },
  });
});

test("events of both groups are one kind", () => {
  const event = object({ metadata: {}, regarding: { name: "x" }, note: "n", deprecatedCount: 3, reason: "r" });
  const hub = events?.toHub(event) ?? newObject();
  expect(events?.hub).toEqual({ group: "", version: "v1", kind: "Event" });
  expect(hub).toMatchObject({ apiVersion: "v1", involvedObject: { name: "x" }, message: "n", count: 3, reason: "r" });
  expect(events?.fromHub(hub)).toMatchObject({ apiVersion: "events.k8s.io/v1", regarding: { name: "x" }, note: "n" });
});

function object(data: object): JsonObject {
  const value = fromPlain(data);
  return isObject(value) ? value : newObject();
}
