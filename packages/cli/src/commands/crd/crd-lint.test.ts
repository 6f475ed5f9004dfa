import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { crdLint } from "./crd-lint.ts";

const withProperty = (yaml: string): string => `${WIDGET_CRD}${yaml.replace(/^/gm, "              ")}\n`;

test("an accepted CRD prints no findings", async () => {
  expect(await runCommand(crdLint, ["@/crd.yaml"], { "crd.yaml": WIDGET_CRD })).toEqual({
    code: 0,
    stderr: "",
    stdout: "1 object, 1 file: 0 errors, 0 warnings\n",
  });
});

test("an error is at the schema of the version, although the API server reports it above the versions", async () => {
  const { code, stdout } = await runCommand(crdLint, ["@/crd.yaml"], {
    "crd.yaml": withProperty("bad: {type: array}"),
  });
  expect(code).toBe(1);
  expect(stdout).toContain("crd.yaml:22:20  error");
  expect(stdout).toContain(
    "spec.validation.openAPIV3Schema.properties[spec].properties[bad].items: Required value: must be specified",
  );
});

test("a rule that costs too much names the responsible list and the bound that fits", async () => {
  const rule = `hosts:\n  type: array\n  items: {type: string, maxLength: 253}\n  x-kubernetes-validations:\n  - rule: "self.all(h, self.exists_one(o, o == h))"`;
  const { code, stdout } = await runCommand(crdLint, ["@/crd.yaml"], { "crd.yaml": withProperty(rule) });
  expect(code).toBe(1);
  expect(stdout).toMatch(/works on `spec\.hosts` \(no maxItems\); fits with maxItems: \d+/);
  expect(stdout).toContain("estimated rule cost exceeds budget by factor of more than 100x");
});

test("an unknown format is a warning", async () => {
  const { code, stdout } = await runCommand(crdLint, ["@/crd.yaml"], {
    "crd.yaml": withProperty("f: {type: string, format: made-up}"),
  });
  expect(code).toBe(0);
  expect(stdout).toContain('unrecognized format "made-up"');
});

test("an update may not change immutable fields", async () => {
  const files = { "old.yaml": WIDGET_CRD, "new.yaml": WIDGET_CRD.replace("scope: Namespaced", "scope: Cluster") };
  const { code, stdout } = await runCommand(crdLint, ["@/new.yaml", "--old", "@/old.yaml"], files);
  expect(code).toBe(1);
  expect(stdout).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
});

test("other kinds are skipped, and an input without CRDs is an error", async () => {
  expect(await runCommand(crdLint, ["@/a.yaml"], { "a.yaml": "apiVersion: v1\nkind: ConfigMap\n" })).toMatchObject({
    code: 2,
  });
});
