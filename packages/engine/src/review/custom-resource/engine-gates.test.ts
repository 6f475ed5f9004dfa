import { expect, test } from "vitest";
import { engineGates } from "./engine-gates.ts";

test.each([
  { version: "1.30", given: undefined, isOn: false },
  { version: "1.30", given: true, isOn: true },
  { version: "1.31", given: undefined, isOn: true },
  { version: "1.31", given: false, isOn: false },
  { version: "1.37", given: undefined, isOn: true },
] as const)("selectable fields in $version with the gate $given: $isOn", ({ version, given, isOn }) => {
  const gates = new Map(given === undefined ? [] : [["CustomResourceFieldSelectors", given]]);
  expect(engineGates(gates, version).CustomResourceFieldSelectors ?? true).toBe(isOn);
});
