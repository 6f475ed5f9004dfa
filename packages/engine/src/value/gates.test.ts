import { expect, test } from "vitest";
import { gateNames, gateState, isEnabled } from "./gates.ts";
import { readFeatureGates } from "./read-gates.ts";
import { asServer, asVersion, type KubernetesVersion } from "./server-version.ts";

test("a gate has the stage, default and lock of each version", () => {
  const states = [30, 32, 34].map((minor) => gateState("PodLevelResources", minor));
  expect(states).toEqual([
    undefined,
    { stage: "alpha", isOn: false, isLocked: false },
    { stage: "beta", isOn: true, isLocked: false },
  ]);
  expect(gateState("SidecarContainers", 33)).toEqual({ stage: "stable", isOn: true, isLocked: true });
  expect(gateState("SidecarContainers", 37)).toBeUndefined();
  expect(gateNames(37).length).toBeGreaterThan(200);
});

test("a gate that is gone stays on, one that is not there yet is off", () => {
  expect(isEnabled("SidecarContainers")).toBe(true);
  expect(asVersion("1.30", () => isEnabled("PodLevelResources"))).toBe(false);
});

test("a gate that is set takes precedence", () => {
  const featureGates = readFeatureGates(["HPAScaleToZero=true"], "1.34");
  expect(asServer({ version: "1.34", featureGates }, () => isEnabled("HPAScaleToZero"))).toBe(true);
});

test("AllAlpha sets all alpha gates that are not set themselves", () => {
  const gates = readFeatureGates(["AllAlpha=true", "HPAScaleToZero=false"], "1.34");
  expect([gates.get("HPAScaleToZero"), gates.get("EnvFiles")]).toEqual([false, true]);
});

test.each<[pair: string, version: KubernetesVersion, message: string]>([
  ["Nothing=true", "1.37", "unrecognized feature gate: Nothing"],
  ["SidecarContainers=true", "1.37", "unrecognized feature gate: SidecarContainers"],
  ["SidecarContainers=false", "1.33", "cannot set feature gate SidecarContainers to false, feature is locked to true"],
  [
    "CRDValidationRatcheting=false",
    "1.33",
    "cannot set feature gate CRDValidationRatcheting to false, feature is locked to true",
  ],
  [
    "DynamicResourceAllocation=false,CRDValidationRatcheting=false",
    "1.37",
    "[cannot set feature gate DynamicResourceAllocation to false, feature is locked to true, cannot set feature gate CRDValidationRatcheting to false, feature is locked to true]",
  ],
  [
    "WorkloadWithJob=true",
    "1.36",
    "WorkloadWithJob is enabled, but depends on features that are disabled: [GenericWorkload]",
  ],
  ["HPAScaleToZero", "1.37", "missing bool value for HPAScaleToZero"],
  [
    "HPAScaleToZero=maybe",
    "1.37",
    'invalid value of HPAScaleToZero=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
])("%s is refused in %s", (pair, version, message) => {
  expect(() => readFeatureGates(pair.split(","), version)).toThrow(new Error(message));
});

test("ratcheting can be turned off where upstream has not locked it", () => {
  expect(readFeatureGates(["CRDValidationRatcheting=false"], "1.32").get("CRDValidationRatcheting")).toBe(false);
});

test("a gate that needs others is accepted with them, and in versions without dependencies", () => {
  expect(readFeatureGates(["WorkloadWithJob=true", "GenericWorkload=true"], "1.36").size).toBe(2);
  expect(readFeatureGates(["DRAAdminAccess=true"], "1.34").size).toBe(1);
});
