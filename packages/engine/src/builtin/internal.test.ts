import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { internalJson, internalListJson, internalText } from "./internal.ts";

test.each([
  {
    name: "fields that are left out are nil or zero",
    type: "core.Toleration",
    value: { key: "a" },
    text: '{"Key":"a","Operator":"","Value":"","Effect":"","TolerationSeconds":null}',
  },
  {
    name: "types with JSON names of their own keep them",
    type: "policy.PodDisruptionBudgetSpec",
    value: { minAvailable: "50%", selector: { matchLabels: { a: "b" } } },
    text: '{"MinAvailable":"50%","Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":null,"UnhealthyPodEvictionPolicy":null}',
  },
  {
    name: "embedded structs are flat",
    type: "core.ConfigMapKeySelector",
    value: { name: "c", key: "k" },
    text: '{"Name":"c","Key":"k","Optional":null}',
  },
])("$name", ({ type, value, text }) => {
  expect(internalJson(type, fromPlain(value)).text).toBe(text);
});

test("an absent list is nil", () => {
  expect(internalListJson("core.Taint", undefined).text).toBe("null");
});

test("namespaces that a pod shares with its node are in its security context", () => {
  const spec = { containers: [], hostNetwork: true };
  expect(internalText("core.PodSpec", fromPlain(spec))).toContain('"SecurityContext": {\n  "HostNetwork": true,\n');
});
