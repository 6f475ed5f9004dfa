import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { resourceOf } from "./kinds/kind.testing.ts";

const pod = object({ spec: { nodeName: "n", hostNetwork: true }, status: { phase: "Running" } });

test.each([
  { key: "v1/Pod", field: "spec.nodeName", from: pod, value: "n" },
  { key: "v1/Pod", field: "spec.host", from: pod, value: "n" },
  { key: "v1/Pod", field: "spec.hostNetwork", from: pod, value: "true" },
  { key: "v1/Pod", field: "spec.hostNetwork", from: newObject(), value: "false" },
  { key: "v1/Pod", field: "status.podIP", from: pod, value: "" },
  { key: "batch/v1/Job", field: "status.successful", from: newObject(), value: "0" },
  { key: "v1/Event", field: "source", from: object({ source: { component: "c" } }), value: "c" },
] as const)("$field of $key reads $value", ({ key, field, from, value }) => {
  const fields = resourceOf(key).fieldSelectors;
  expect(fields.has(field)).toBe(true);
  expect(fields.read(from, field)).toBe(value);
});

test.each([
  { key: "v1/ConfigMap", field: "data" },
  { key: "apps/v1/ReplicaSet", field: "status.replicas" },
  { key: "events.k8s.io/v1/Event", field: "involvedObject.name" },
] as const)("$field of $key cannot be selected", ({ key, field }) => {
  expect(resourceOf(key).fieldSelectors.has(field)).toBe(false);
});

function object(data: object): JsonObject {
  const value = fromPlain(data);
  return isObject(value) ? value : newObject();
}
