import { expect, test } from "vitest";
import { asVersion, type KubernetesVersion } from "../../value/server-version.ts";
import { create, update } from "../kinds/kind.testing.ts";
import { objectOf, textOf } from "../object.ts";

interface Stored {
  readonly resources: unknown;
  readonly qos: string;
  readonly errors: readonly string[];
}

function stored(version: KubernetesVersion, resources: object, ofContainer: object): Stored {
  const pod = { spec: { resources, containers: [{ name: "a", image: "i", resources: ofContainer }] } };
  const { object, errors } = asVersion(version, () => create("v1/Pod", pod));
  const qos = textOf(objectOf(object, "status"), "qosClass");
  return { resources: JSON.parse(JSON.stringify(objectOf(object, "spec")?.["resources"] ?? null)), qos, errors };
}

// Recorded from v1.32.13, v1.34.11 and v1.37.0-rc.1.
test.each<[KubernetesVersion, unknown, string]>([
  ["1.32", null, "Guaranteed"],
  ["1.34", { limits: { cpu: "1" }, requests: { cpu: "500m", memory: "1Gi" } }, "Burstable"],
  ["1.37", { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m", memory: "1Gi" } }, "Burstable"],
])("in %s, a pod with a limit has the requests of its containers", (version, resources, qos) => {
  const found = stored(version, { limits: { cpu: "1" } }, { limits: { cpu: "500m", memory: "1Gi" } });
  expect(found).toEqual({ resources, qos, errors: [] });
});

test.each<[KubernetesVersion]>([["1.34"], ["1.37"]])(
  "in %s, requests that default must be below the limit",
  (version) => {
    expect(stored(version, { limits: { cpu: "100m" } }, { requests: { cpu: "500m" } }).errors).toEqual([
      'spec.resources.requests: Invalid value: "500m": must be less than or equal to cpu limit of 100m',
    ]);
  },
);

test("huge pages have the limit of the pod as request", () => {
  const resources = { limits: { "hugepages-2Mi": "4Mi", cpu: "1" } };
  const ofContainer = { limits: { "hugepages-2Mi": "2Mi", cpu: "1" } };
  for (const version of ["1.34", "1.37"] as const) {
    expect(stored(version, resources, ofContainer).resources).toEqual({
      limits: { cpu: "1", "hugepages-2Mi": "4Mi" },
      requests: { cpu: "1", "hugepages-2Mi": "4Mi" },
    });
  }
});

test.each<[KubernetesVersion, string]>([
  ["1.34", "BestEffort"],
  ["1.37", "Burstable"],
])("the class of a pod with empty resources in %s is %s", (version, qos) => {
  expect(stored(version, {}, { limits: { cpu: "1" } }).qos).toBe(qos);
});

test("since 1.37 an update that leaves the resources of a pod out keeps them", () => {
  const containers = [{ name: "a", image: "i" }];
  const before = { spec: { containers, resources: { limits: { cpu: "1" } } } };
  const kept = (version: KubernetesVersion): boolean =>
    asVersion(version, () => objectOf(update("v1/Pod", before, { spec: { containers } }).object, "spec"))?.[
      "resources"
    ] !== undefined;
  expect([kept("1.36"), kept("1.37")]).toEqual([false, true]);
});
