import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { afterAll, describe, expect, test } from "vitest";
import { formatYaml } from "../../output/yaml.ts";
import { loadDocuments } from "../../policy/load.ts";
import { readSuites } from "../suite-read.ts";
import { newContext, runSuite } from "../suite-run.ts";
import { expressionEdits } from "./expression-edits.ts";
import { generateCases } from "./generate.ts";
import { mutateSuite } from "./run-mutants.ts";

const folder = mkdtempSync(path.join(tmpdir(), "portcullis-mutants-"));
afterAll(() => rmSync(folder, { recursive: true }));

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations:
  - {expression: object.spec.replicas <= 5, message: too many}
  - {expression: "object.metadata.name != 'x' && true", message: not x}
`;
const BINDING = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;
const SUITE = (tests: string): string => `kind: TestSuite
policies: [policy.yaml]
base: {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
tests:
${tests}`;
writeFileSync(path.join(folder, "policy.yaml"), POLICY + BINDING);

const context = newContext(engineOptions(undefined, undefined));
const options = { context, seconds: 20, now: () => performance.now() };

async function mutate(tests: string) {
  const file = path.join(folder, "suite.yaml");
  writeFileSync(file, SUITE(tests));
  const [suite] = readSuites([file]).suites;
  if (suite === undefined) throw new Error("there is a suite");
  return mutateSuite(suite, options);
}

describe("edits of an expression", () => {
  const texts = (expression: string): string[] => expressionEdits(expression).map(({ text }) => text);

  test.each([
    ["a < 1", ["a <= 1", "a > 1", "a < 2", "a < 0"]],
    ["a && b", ["a || b"]],
    ["!a", ["a"]],
    ["l.all(i, i == 'x')", ["l.exists(i, i == 'x')", "l.all(i, i != 'x')", "l.all(i, i == 'xx')"]],
    ["has(a.b) && a.b", ["has(a.b) || a.b", "a.b"]],
    ["!has(a.b) || a.b", ["has(a.b) || a.b", "!has(a.b) && a.b", "a.b"]],
    ["a.?b.orValue(true)", ["a.b.orValue(true)", "a.?b.orValue(false)"]],
    ["'<' in a", []],
    ["a - -1", ["a + -1", "a - -2", "a - -0"]],
    ["all", []],
  ])("%s", (expression, edited) => {
    expect(texts(expression)).toEqual(edited);
  });
});

test("a mutant that no case notices is named, with a case that notices it", async () => {
  const { total, noticed, equivalent, survivors } =
    await mutate(`- {name: many, change: {spec: {replicas: 9}}, expect: deny, message: too many}
- {name: few, change: {spec: {replicas: 1}}, expect: allow}
- {name: x, change: {metadata: {name: x}}, expect: deny, message: not x}
`);
  expect(survivors.map(({ mutant }) => mutant.operator)).toEqual(["<= to <", "5 to 6", "5 to 4"]);
  expect(survivors[0]?.found).toMatchObject({
    type: "case",
    test: { object: { spec: { replicas: 5 } }, expect: "allow" },
  });
  expect(survivors[1]?.found).toMatchObject({
    type: "case",
    test: { object: { spec: { replicas: 6 } }, expect: "deny", message: "too many" },
  });
  expect({ noticed, total, equivalent }).toEqual({ noticed: total - 3, total, equivalent: 0 });
});

test("an edit that changes nothing does not count", async () => {
  writeFileSync(path.join(folder, "policy.yaml"), POLICY.replace("replicas <= 5", "replicas >= 0 || true") + BINDING);
  const { survivors } = await mutate(
    "- {name: x, change: {metadata: {name: x}}, expect: deny}\n- {name: d, expect: allow}\n",
  );
  writeFileSync(path.join(folder, "policy.yaml"), POLICY + BINDING);
  expect(survivors.map(({ mutant }) => mutant.operator)).not.toContain(">= to >");
});

test("generated cases pass, and cover each validation", async () => {
  const objects = loadDocuments([path.join(folder, "policy.yaml")]).map(({ object }) => object);
  const reference = { policies: ["policy.yaml"] };
  const { suite, cases, notes } = await generateCases({ objects, reference }, [], options);
  expect({ cases, notes }).toEqual({ cases: 4, notes: [] });
  const file = path.join(folder, "generated.yaml");
  writeFileSync(file, formatYaml(suite === undefined ? [] : [suite]));
  const [read] = readSuites([file]).suites;
  const { results } = read === undefined ? { results: [] } : await runSuite(read, context);
  expect(results.map(({ problems }) => problems)).toEqual([[], [], [], []]);
});
