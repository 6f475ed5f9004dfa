import { expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { crdSample } from "./crd-sample.ts";

const RULES = WIDGET_CRD.replace(
  "            properties:\n              size:",
  `            required: [size, mode]
            x-kubernetes-validations:
            - rule: self.size > 3 && self.mode.startsWith('wide-')
            properties:
              size:`,
);

test("an object satisfies the schema and the rules, and check accepts it", async () => {
  const { code, stdout } = await runCommand(crdSample, ["@/crd.yaml"], { "crd.yaml": RULES });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^apiVersion: example.com\/v1\nkind: Widget\n.*spec:\n.*size: \d+\n/s);
  const checked = await runCommand(check, ["@/"], { "crd.yaml": RULES, "sample.yaml": stdout });
  expect([checked.code, checked.stdout]).toEqual([0, "2 objects, 2 files: 0 errors, 0 warnings\n"]);
});

test("JSON is a list of objects", async () => {
  const { stdout } = await runCommand(crdSample, ["@/crd.yaml", "-o", "json"], { "crd.yaml": WIDGET_CRD });
  expect(JSON.parse(stdout)).toMatchObject([{ apiVersion: "example.com/v1", kind: "Widget" }]);
});

test("rules that contradict each other have no object", async () => {
  const impossible = RULES.replace("self.size > 3", "self.size > 3 && self.size < 3").replace(
    "        type: object\n        properties:\n          spec:",
    "        type: object\n        required: [spec]\n        properties:\n          spec:",
  );
  const { code, stdout, stderr } = await runCommand(crdSample, ["@/crd.yaml"], { "crd.yaml": impossible });
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("no object of example.com/v1 Widget")]);
});

test("an unknown kind is an error with a proposal", async () => {
  await expect(runCommand(crdSample, ["@/crd.yaml", "--kind", "Wiget"], { "crd.yaml": WIDGET_CRD })).rejects.toThrow(
    "no CRD has the kind `Wiget`; did you mean `Widget`?",
  );
});
