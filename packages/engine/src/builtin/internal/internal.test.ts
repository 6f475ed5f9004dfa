import { expect, test } from "vitest";
import { fromPlain } from "../../value/copy.ts";
import { asVersion, type KubernetesVersion } from "../../value/server-version.ts";
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

test("namespaces that a pod shares with its node are in its security context up to 1.36", () => {
  const spec = fromPlain({ containers: [], hostNetwork: true });
  const text = (version: KubernetesVersion): string => asVersion(version, () => internalText("core.PodSpec", spec));
  expect(text("1.32")).toContain('"SecurityContext": {\n  "HostNetwork": true,\n');
  expect(text("1.37")).toContain('"NodeName": "",\n "HostNetwork": true,\n');
});

test("fields that a version moved are in the order of that version", () => {
  const fields = (version: KubernetesVersion): string[] => {
    const { text } = asVersion(version, () => internalJson("core.PodSecurityContext", fromPlain({})));
    return Object.keys(JSON.parse(text)).filter((name) => name === "Sysctls" || name === "FSGroupChangePolicy");
  };
  expect(fields("1.36")).toEqual(["FSGroupChangePolicy", "Sysctls"]);
  expect(fields("1.37")).toEqual(["Sysctls", "FSGroupChangePolicy"]);
});

test("fields of newer versions are not there", () => {
  const fields = (version: KubernetesVersion): string[] =>
    Object.keys(JSON.parse(asVersion(version, () => internalText("core.PodSpec", fromPlain({})))));
  expect(fields("1.36")).toContain("SchedulingGroup");
  expect(fields("1.34")).not.toContain("SchedulingGroup");
  expect(fields("1.34")).toContain("HostnameOverride");
  expect(fields("1.33")).not.toContain("HostnameOverride");
});

test("up to 1.33 values are in Go's own syntax", () => {
  const text = (type: string, value: object): string =>
    asVersion("1.33", () => internalJson(type, fromPlain(value as never)).text);
  expect(text("rbac.RoleRef", { kind: "Role", name: "a" })).toBe('rbac.RoleRef{APIGroup:"", Kind:"Role", Name:"a"}');
  expect(text("core.ConfigMapKeySelector", { name: "c", key: "k", optional: true })).toBe(
    'core.ConfigMapKeySelector{LocalObjectReference:core.LocalObjectReference{Name:"c"}, Key:"k", Optional:(*bool)(0xc000000000)}',
  );
  expect(text("storage.CSINodeDriver", { name: "d", nodeID: "n" })).toBe(
    'storage.CSINodeDriver{Name:"d", NodeID:"n", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}',
  );
});
