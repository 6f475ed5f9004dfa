/** Why a validation failed, in `check --policies` and `policy eval --explain`. */
import { expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand } from "../commands.testing.ts";
import { policyEval } from "./policy-eval.ts";

const POLICY = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [services]}]}
  variables: [{name: max, expression: "1"}]
  validations: [{expression: ${JSON.stringify(expression)}, message: refused}]
`;
const SERVICE =
  "apiVersion: v1\nkind: Service\nmetadata: {name: s, labels: {a: x}}\nspec: {ports: [{name: a, port: 1}, {name: b, port: 2}]}\n";

function hintOf(stdout: string): string | undefined {
  return /^ {2}= (.*)$/m.exec(stdout)?.[1];
}

test.each([
  {
    name: "the conjunct that is false, with its values",
    expression: "object.metadata.name != '' && object.spec.ports.size() <= variables.max && has(object.spec.none)",
    hint: "`object.spec.ports.size() <= variables.max` is false; `object.spec.ports.size()` is 2; `variables.max` is 1",
  },
  {
    name: "all alternatives that are false",
    expression: "object.metadata.name == 'x' || object.spec.ports.size() == 3",
    hint: '`object.metadata.name == "x"` is false; `object.spec.ports.size() == 3` is false',
  },
  {
    name: "what is negated",
    expression: "!('a' in object.metadata.labels)",
    hint: '`"a" in object.metadata.labels` is true',
  },
  {
    name: "the first element that is false",
    expression: "object.spec.ports.all(p, p.port < 2)",
    hint: expect.stringMatching(/^`p = \{name: b, .*\}` is false; `p\.port` is 2$/),
  },
  {
    name: "the part that fails with an error",
    expression: "object.metadata.name == 's' && object.spec.none == 1",
    hint: "`object.spec.none` fails: no such key: none",
  },
  { name: "the value itself", expression: "object.spec.ports.size() > 5", hint: "`object.spec.ports.size()` is 2" },
])("the hint of a denial is $name", async ({ expression, hint }) => {
  const files = { "p.yaml": POLICY(expression), "s.yaml": SERVICE };
  const { stdout } = await runCommand(check, ["@/s.yaml", "--policies", "@/p.yaml", "--bind", "Deny"], files);
  expect(stdout).toContain("policy/deny");
  expect(hintOf(stdout)).toEqual(hint);
});

test("warnings have hints too, and the same validation has a limited number of them", async () => {
  const services = Array.from({ length: 25 }, (_, index) => SERVICE.replace("name: s,", `name: s${index},`));
  const files = { "p.yaml": POLICY("object.spec.ports.size() < 2"), "s.yaml": services.join("---\n") };
  const args = ["@/s.yaml", "--policies", "@/p.yaml", "--bind", "Warn", "-o", "json"];
  const { findings } = JSON.parse((await runCommand(check, args, files)).stdout);
  const hints = findings
    .filter(({ rule }: { rule: string }) => rule === "policy/warn")
    .map(({ hint }: { hint?: string }) => hint);
  expect(hints).toHaveLength(25);
  expect(hints.filter((hint: string | undefined) => hint === "`object.spec.ports.size()` is 2")).toHaveLength(20);
});

test("policy eval --explain lists the parts that were needed, and --bind puts a policy into force", async () => {
  const files = {
    "p.yaml": POLICY("object.spec.ports.size() <= variables.max && object.metadata.name == 's'"),
    "s.yaml": SERVICE,
  };
  const args = ["@/p.yaml", "--object", "@/s.yaml", "--explain"];
  expect((await runCommand(policyEval, args, files)).stdout).toContain("no binding");
  const { stdout, code } = await runCommand(policyEval, [...args, "--bind", "Deny"], files);
  expect(code).toBe(1);
  expect(stdout).toContain(
    [
      "        fails: refused",
      "        object.spec.ports.size() <= variables.max = false",
      "          object.spec.ports.size() = 2",
    ].join("\n"),
  );
  expect(stdout).toContain("          variables.max = 1\n");
  expect(stdout).not.toContain('object.metadata.name == "s"');
});
