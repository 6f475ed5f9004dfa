import { expect, test } from "vitest";
import { formatFieldError } from "../../../field/format.ts";
import type { JsonObject } from "../../../value/json.ts";
import { builtinTypes } from "../../apply-types.ts";
import { builtinResource } from "../../builtin.ts";

const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
const METRICS = "autoscaling.alpha.kubernetes.io/metrics";

function scaler(annotations: JsonObject): JsonObject {
  return {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "h", namespace: "default", annotations },
    spec: { maxReplicas: 3, minReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
  };
}

test.each([
  {
    name: "behavior without policies",
    annotations: { [BEHAVIOR]: '{"ScaleUp":{"StabilizationWindowSeconds":7}}' },
    errors: ["spec.behavior.scaleUp.policies: Required value: must specify at least one Policy"],
  },
  {
    name: "a metric of an unknown type",
    annotations: { [METRICS]: '[{"type":"Foo","resource":{"name":"memory","targetAverageUtilization":5}}]' },
    errors: [
      'spec.metrics[0].type: Unsupported value: "Foo": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
  },
])("an object of version 1 with $name in an annotation is refused", ({ annotations, errors }) => {
  const found = builtinResource("autoscaling", "v1", "horizontalpodautoscalers")?.validateCreate(scaler(annotations));
  expect(found?.map(formatFieldError)).toEqual(expect.arrayContaining(errors));
});

test("owners see an object in their own version", () => {
  const converted = builtinTypes.convert(
    scaler({ [BEHAVIOR]: '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}]}}' }),
    "autoscaling/v2",
  );
  expect(converted).toMatchObject({
    outcome: "converted",
    object: { apiVersion: "autoscaling/v2", spec: { behavior: { scaleUp: { policies: [{ value: 4 }] } } } },
  });
  expect(builtinTypes.convert(scaler({}), "autoscaling/v2beta2").outcome).toBe("missing");
});

test("an object of another group is not converted", () => {
  const event = { apiVersion: "v1", kind: "Event", metadata: { name: "e", namespace: "default" } };
  expect(builtinTypes.convert(event, "events.k8s.io/v1").outcome).toBe("missing");
});
