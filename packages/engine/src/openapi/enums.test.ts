import { expect, test } from "vitest";
import { asVersion } from "../value/server-version.ts";
import { enumOf } from "./enums.ts";

const operators = (): readonly string[] | undefined => enumOf("io.k8s.api.core.v1.Toleration", "operator");

test("each version has its own values", () => {
  expect(asVersion("1.34", operators)).toEqual(["Equal", "Exists"]);
  expect(asVersion("1.35", operators)).toEqual(["Equal", "Exists", "Gt", "Lt"]);
});

test("a value may be empty, and a field without an enumeration has none", () => {
  expect(enumOf("io.k8s.api.core.v1.HostPathVolumeSource", "type")?.[0]).toBe("");
  expect(enumOf("io.k8s.api.core.v1.HostPathVolumeSource", "path")).toBeUndefined();
});
