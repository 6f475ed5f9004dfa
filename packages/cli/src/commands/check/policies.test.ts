import { expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: short-names}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - expression: size(object.metadata.name) < 5
    message: the name is too long
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: short-names, validationActions: [Deny]}
`;
const MAPS = ["ok", "too-long", "also-long"]
  .map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`)
  .join("---\n");
const FILES = { "policy.yaml": POLICY, "maps.yaml": MAPS };
const ARGS = ["@/maps.yaml", "--policies", "@/policy.yaml"];

test("a policy without a binding is reported, and what it would decide is not", async () => {
  const { code, stdout } = await runCommand(check, ARGS, FILES);
  expect(code).toBe(0);
  expect(
    stdout,
  ).toBe(`policy.yaml:3:18  warning  policy/unbound  admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy short-names
    3 | metadata: {name: short-names}
      |                  ^^^^^^^^^^^
  no binding names this policy, so it has no effect
  = add a ValidatingAdmissionPolicyBinding, or evaluate the policy as if it had one: --bind Deny
3 objects, 1 file: 0 errors, 1 warning
policy short-names: 0 denied, 0 warned
`);
});

test.each([
  ["Deny", 1, "3 objects, 1 file: 2 errors, 0 warnings\npolicy short-names: 2 denied, 0 warned\n"],
  ["warn", 0, "3 objects, 1 file: 0 errors, 2 warnings\npolicy short-names: 0 denied, 2 warned\n"],
])("--bind %s evaluates it as if it had a binding", async (action, exit, end) => {
  const { code, stdout } = await runCommand(check, [...ARGS, "--bind", action], FILES);
  expect(code).toBe(exit);
  expect(stdout).toContain("the name is too long");
  expect(stdout.endsWith(end)).toBe(true);
});

test("a policy with a binding is not reported", async () => {
  const { stdout } = await runCommand(check, ARGS, { ...FILES, "policy.yaml": `${POLICY}---\n${BINDING}` });
  expect(stdout).not.toContain("policy/unbound");
  expect(stdout).toContain("policy short-names: 2 denied, 0 warned\n");
});

test("what a binding only audits is a note, and counted", async () => {
  const { code, stdout } = await runCommand(check, [...ARGS, "--bind", "Audit"], FILES);
  expect(code).toBe(0);
  expect(stdout).toContain("note  policy/audit");
  expect(stdout).toContain("policy short-names: 0 denied, 0 warned, 2 audited\n");
});

test.each(["Deny", "Warn"])(
  "what a binding with the action %s reports is not reported again as audited",
  async (action) => {
    const { stdout } = await runCommand(check, ARGS, {
      ...FILES,
      "policy.yaml": `${POLICY}---\n${BINDING.replace("[Deny]", `[${action}, Audit]`)}`,
    });
    expect(BINDING).toContain("[Deny]");
    expect(stdout).not.toContain("audit");
  },
);

test("an action that does not exist is refused", async () => {
  await expect(runCommand(check, [...ARGS, "--bind", "Block"], FILES)).rejects.toThrow(
    "unknown `--bind Block`; one of Deny, Warn, Audit",
  );
});

test("kinds that the API server does not have are reported under policies too", async () => {
  const files = {
    "policy.yaml": `${POLICY}---\n${BINDING}`,
    "all.yaml": [
      "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}",
      "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: b}",
      "apiVersion: example.org/v1\nkind: Gadget\nmetadata: {name: C, name: c}",
    ].join("\n---\n"),
  };
  const { stdout, code } = await runCommand(check, ["@/all.yaml", "--policies", "@/policy.yaml", "-o", "json"], files);
  const { findings }: { readonly findings: readonly { readonly rule: string }[] } = JSON.parse(stdout);
  expect(findings.map(({ rule }) => rule)).toEqual(["api/removed", "api/unknown", "schema/not-found"]);
  expect(code).toBe(1);
});

test("of several CRDs of one name, the closest one is used with policies too", async () => {
  const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 15}\n";
  const files = {
    "policy.yaml": `${POLICY}---\n${BINDING}`,
    "all/crds/experimental/w.yaml": WIDGET_CRD.replace("maximum: 10", "maximum: 20"),
    "all/crds/standard/w.yaml": WIDGET_CRD,
    "all/experimental/w.yaml": widget,
    "all/standard/w.yaml": widget.replace("name: w", "name: v"),
  };
  const { stdout } = await runCommand(check, ["@/all", "--policies", "@/policy.yaml", "-o", "json"], files);
  const errors = JSON.parse(stdout).findings.filter(({ severity }: { severity: string }) => severity === "error");
  expect(errors.map(({ file }: { file: string }) => file)).toEqual(["all/standard/w.yaml"]);
});

test("a version that the CRD does not serve leaves the CRD in force", async () => {
  const files = {
    "policy.yaml": `${POLICY}---\n${BINDING}`,
    "crd.yaml": WIDGET_CRD,
    "w.yaml": ["v1", "v2"]
      .map(
        (version) => `apiVersion: example.com/${version}\nkind: Widget\nmetadata: {name: ${version}}\nspec: {size: 11}`,
      )
      .join("\n---\n"),
  };
  const { stdout } = await runCommand(check, ["@/", "--policies", "@/policy.yaml", "-o", "json"], files);
  const { findings }: { readonly findings: readonly { readonly rule: string }[] } = JSON.parse(stdout);
  expect(findings.map(({ rule }) => rule)).toEqual(["schema/maximum", "api/unknown"]);
});
