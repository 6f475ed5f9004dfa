import { expect, test } from "vitest";
import { required } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import { checkQualifiedName } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import { fromPlain } from "../../value/copy.ts";
import type { JsonObject } from "../../value/json.ts";
import { asVersion, type KubernetesVersion } from "../../value/server-version.ts";
import { serviceWarnings } from "../warnings/networking.ts";
import { legacyCidr, legacyIp } from "./addresses.ts";
import { conditionNeeds } from "./messages.ts";
import { attributeName } from "./resource/names.ts";
import { validateAutoscaler } from "./workloads/autoscaler.ts";
import { validateStatefulSet } from "./workloads/stateful.ts";

const AT = newPath("at");

function object(plain: unknown): JsonObject {
  return fromPlain(plain as never) as JsonObject;
}

test.each<[KubernetesVersion, string]>([
  ["1.33", "at: Required value: must be set"],
  ["1.34", "at: Required value"],
])("a condition without a reason in %s", (version, text) => {
  expect(asVersion(version, () => formatFieldError(required(AT, conditionNeeds())))).toBe(text);
});

test.each<[KubernetesVersion, number]>([
  ["1.32", 0],
  ["1.35", 0],
  ["1.36", 1],
])("addresses with leading zeros in %s", (version, count) => {
  const errors = asVersion(version, () => [...legacyIp("010.0.0.1", AT), ...legacyCidr("10.0.0.0/8", AT)]);
  expect(errors.length).toBe(count);
});

test("label keys are called qualified names up to 1.34", () => {
  expect(asVersion("1.34", () => checkQualifiedName("a/b/c"))[0]).toContain("a qualified name must consist of");
  expect(asVersion("1.35", () => checkQualifiedName("a/b/c"))[0]).toContain("a valid label key must consist of");
});

test.each<[KubernetesVersion, string[]]>([
  [
    "1.32",
    [
      'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero',
    ],
  ],
  [
    "1.34",
    [
      'spec.externalIPs[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ],
  ],
  [
    "1.36",
    [
      'spec.externalIPs[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ],
  ],
])("warnings about addresses of services in %s", (version, warnings) => {
  const service = object({ spec: { type: "ClusterIP", clusterIP: "10.0.0.5", externalIPs: ["010.0.0.1"] } });
  expect(asVersion(version, () => serviceWarnings(service))).toEqual(warnings);
});

test.each<[KubernetesVersion, string]>([
  ["1.34", "at: Required value: the domain must not be empty"],
  ["1.35", 'at: Invalid value: "": the domain must not be empty'],
])("a device attribute without a domain in %s", (version, text) => {
  expect(asVersion(version, () => attributeName("/a", AT).map(formatFieldError))).toEqual([text]);
});

test.each<[KubernetesVersion, string]>([
  ["1.33", "must be greater than 0"],
  ["1.36", "must be set and greater than 0"],
])("an autoscaler without maxReplicas in %s", (version, text) => {
  const scaler = object({ spec: { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } } });
  expect(asVersion(version, () => validateAutoscaler(scaler).map(formatFieldError)).join()).toContain(text);
});

test("the core group is a target of autoscalers up to 1.33", () => {
  const scaler = object({
    spec: { maxReplicas: 1, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "v1" } },
  });
  const errors = (version: KubernetesVersion): number => asVersion(version, () => validateAutoscaler(scaler)).length;
  expect([errors("1.33"), errors("1.34")]).toEqual([0, 1]);
});

test("names of services in stateful sets are validated since 1.33", () => {
  const set = object({ spec: { serviceName: "Bad_" } });
  const paths = (version: KubernetesVersion): string[] =>
    asVersion(version, () => validateStatefulSet(set).map(({ path }) => path.toString()));
  expect(paths("1.32")).not.toContain("spec.serviceName");
  expect(paths("1.33")).toContain("spec.serviceName");
});
