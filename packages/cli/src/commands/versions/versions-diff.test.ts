import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { versionsDiff } from "./versions-diff.ts";

test("the text lists APIs, fields, gates, functions and behaviour", async () => {
  const { code, stdout } = await runCommand(versionsDiff, ["1.34", "1.37"], {});
  expect(code).toBe(0);
  for (const line of [
    "+ storagemigration.k8s.io/v1 StorageVersionMigration",
    "+ v1.PodSpec.evictionResponders (",
    "HPAScaleToZero: alpha, off -> beta, on",
    "multipleOf accepts fractions",
  ]) {
    expect(stdout).toContain(line);
  }
});

test("JSON has the same content, in both directions", async () => {
  const forth = JSON.parse((await runCommand(versionsDiff, ["1.32", "1.33", "-o", "json"], {})).stdout);
  const back = JSON.parse((await runCommand(versionsDiff, ["1.33", "1.32", "-o", "json"], {})).stdout);
  expect(forth.apis.added).toContain("networking.k8s.io/v1 IPAddress");
  expect(back.apis.removed).toEqual(forth.apis.added);
  expect(back.behaviours).toEqual(forth.behaviours);
  expect(forth.behaviours.length).toBeGreaterThan(0);
});

test("a version differs from itself in nothing", async () => {
  expect((await runCommand(versionsDiff, ["1.36", "v1.36.4"], {})).stdout).toContain("no differences");
});

test.each([
  [["1.34"], "give two versions"],
  [["1.34", "1.99"], "unknown Kubernetes version `1.99`"],
  [["1.34", "1.37", "-o", "xml"], "unknown output format `xml`"],
])("%s is refused", async (args, message) => {
  await expect(runCommand(versionsDiff, args, {})).rejects.toThrow(message);
});
