import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { crdSample } from "./crd-sample.ts";

test("prints a minimal and a full object", async () => {
  expect(await runCommand(crdSample, ["@/crd.yaml"], { "crd.yaml": WIDGET_CRD })).toEqual({
    code: 0,
    stderr: "",
    stdout: `# Widget: the required fields
apiVersion: example.com/v1
kind: Widget
metadata:
  name: example
  namespace: default
---
# Widget: all fields that can be set together
apiVersion: example.com/v1
kind: Widget
metadata:
  name: example
  namespace: default
spec:
  size: 0
  mode: example
`,
  });
});

test("prints one of them, also as JSON", async () => {
  const files = { "crd.yaml": WIDGET_CRD };
  const minimal = await runCommand(crdSample, ["@/crd.yaml", "--size", "minimal"], files);
  expect(minimal.stdout).not.toContain("spec");
  const { stdout } = await runCommand(crdSample, ["@/crd.yaml", "-o", "json"], files);
  expect(JSON.parse(stdout)).toMatchObject([
    { apiVersion: "example.com/v1", full: { spec: { size: 0 } }, leftOut: [] },
  ]);
});

test("a version that the CRD does not have is a usage error that names the others", async () => {
  const run = runCommand(crdSample, ["@/crd.yaml", "--version", "v2"], { "crd.yaml": WIDGET_CRD });
  await expect(run).rejects.toThrow("widgets.example.com has no version `v2`; it has v1");
});

test("a CRD that the API server refuses has no sample", async () => {
  const crd = WIDGET_CRD.replace("type: integer", "type: integr");
  const { code, stdout, stderr } = await runCommand(crdSample, ["@/crd.yaml"], { "crd.yaml": crd });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("Unsupported value");
});

test("without a CRD the exit code is 2", async () => {
  const files = { "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" };
  expect(await runCommand(crdSample, ["@/a.yaml"], files)).toMatchObject({
    code: 2,
    stderr: "portcullis: no CustomResourceDefinition found\n",
  });
});
