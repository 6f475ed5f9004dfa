/** Which expressions of policies and rules of CRDs the cases of a suite reached. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { afterAll, expect, test } from "vitest";
import { Coverage, formatCoverage } from "./coverage.ts";
import { readSuites } from "./suite-read.ts";
import { newContext, runSuite } from "./suite-run.ts";

const folder = mkdtempSync(path.join(tmpdir(), "portcullis-coverage-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CONFIGMAPS = `{resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}`;
const POLICIES = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: both}
spec:
  matchConstraints: ${CONFIGMAPS}
  matchConditions: [{name: a, expression: "object.metadata.name != 'other'"}]
  variables:
  - {name: size, expression: size(object.data)}
  - {name: next, expression: variables.size + 1}
  - {name: unread, expression: "1"}
  validations:
  - {expression: "variables.size > 2 ? true : object.metadata.name == 'x'", messageExpression: "'next is ' + string(variables.next)"}
  - {expression: "object.data.all(k, k != 'bad')", messageExpression: "'bad'"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: both}
spec: {policyName: both, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: both}
spec:
  matchConstraints: ${CONFIGMAPS}
  matchConditions: [{name: a, expression: "object.metadata.name != 'x'"}]
  variables: [{name: team, expression: "'mail'"}]
  reinvocationPolicy: Never
  mutations:
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'team': variables.team}}}"}}
  - {patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'remove', path: '/data/none'}]"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: both}
spec: {policyName: both}
`;

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: queues, singular: queue, kind: Queue, listKind: QueueList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              min: {type: integer}
              max: {type: integer}
              names: {type: array, maxItems: 5, items: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: self != 'x'}]}}
            x-kubernetes-validations:
            - {rule: "!has(self.max) || self.min <= self.max", messageExpression: "'above the maximum'"}
            - {rule: self.min == oldSelf.min}
`;

const OF_POLICIES = `policies: [policies.yaml]
base: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: shop}, data: {a: b}}`;

async function coverageOf(tests: string, head = OF_POLICIES): Promise<string[]> {
  const suite = `apiVersion: test.portcullis.dev/v1
kind: TestSuite
${head}
tests:
${tests}`;
  writeFileSync(path.join(folder, "policies.yaml"), POLICIES);
  writeFileSync(path.join(folder, "crd.yaml"), CRD);
  writeFileSync(path.join(folder, "suite.yaml"), suite);
  const coverage = new Coverage();
  const context = newContext(engineOptions(undefined, undefined));
  for (const each of readSuites([path.join(folder, "suite.yaml")]).suites) {
    const { results } = await runSuite(each, context, coverage);
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  }
  return formatCoverage(coverage.list());
}

test("what no case reaches is listed: messages that nobody sees, and mutating policies", async () => {
  expect(await coverageOf("- {expect: allow}")).toEqual([
    "! both matchConditions[0]  1 true, 0 false  object.metadata.name != 'other'",
    "  both variables.size  1 evaluated  size(object.data)",
    "  both variables.next  1 evaluated  variables.size + 1",
    "! both variables.unread  never evaluated  1",
    "! both validations[0]  1 true, 0 false  variables.size > 2 ? true : object.metadata.name == 'x'",
    "!   1:1  never true  variables.size > 2",
    "! both validations[0].messageExpression  never evaluated  'next is ' + string(variables.next)",
    "! both validations[1]  1 true, 0 false  object.data.all(k, k != 'bad')",
    '!   1:20  never false  k != "bad"',
    "! both validations[1].messageExpression  never evaluated  'bad'",
    "! mutating both matchConditions[0]  0 true, 1 false  object.metadata.name != 'x'",
    "! mutating both variables.team  never evaluated  'mail'",
    "! mutating both mutations[0]  never evaluated  Object{metadata: Object.metadata{labels: {'team': variables.team}}}",
    "! mutating both mutations[1]  never evaluated  [JSONPatch{op: 'remove', path: '/data/none'}]",
    "coverage: 2 of 12 expressions (16 %), 0 of 2 branches (0 %)",
  ]);
});

test("a validating and a mutating policy of the same name are counted apart", async () => {
  const tests = `- {expect: allow}
- {name: condition, change: {metadata: {name: other}, data: {none: "1"}}, expect: allow}
- {name: messages, change: {metadata: {name: z}, data: {none: "1", bad: "1"}}, expect: deny}`;
  expect(await coverageOf(tests)).toEqual([
    "  both matchConditions[0]  2 true, 1 false  object.metadata.name != 'other'",
    "  both variables.size  2 evaluated  size(object.data)",
    "  both variables.next  2 evaluated  variables.size + 1",
    "! both variables.unread  never evaluated  1",
    "  both validations[0]  1 true, 1 false  variables.size > 2 ? true : object.metadata.name == 'x'",
    "!   1:1  never true  variables.size > 2",
    "  both validations[0].messageExpression  1 evaluated  'next is ' + string(variables.next)",
    "  both validations[1]  1 true, 1 false  object.data.all(k, k != 'bad')",
    "  both validations[1].messageExpression  1 evaluated  'bad'",
    "  mutating both matchConditions[0]  2 true, 1 false  object.metadata.name != 'x'",
    "  mutating both variables.team  2 evaluated  'mail'",
    "  mutating both mutations[0]  2 evaluated  Object{metadata: Object.metadata{labels: {'team': variables.team}}}",
    "  mutating both mutations[1]  2 evaluated  [JSONPatch{op: 'remove', path: '/data/none'}]",
    "coverage: 11 of 12 expressions (91 %), 1 of 2 branches (50 %)",
  ]);
});

const QUEUE = "apiVersion: example.com/v1, kind: Queue, metadata: {name: q}";
const SPEC = "spec.versions[0].schema.openAPIV3Schema.properties.spec";

test("rules of CRDs count, with their branches and messages", async () => {
  const tests = `- {create: {${QUEUE}, spec: {min: 1}}, expect: allow}
- {create: {${QUEUE}, spec: {min: 3, max: 2}}, expect: deny, message: {contains: above the maximum}}`;
  expect(await coverageOf(tests, "crds: [crd.yaml]")).toEqual([
    `  queues.example.com ${SPEC}.x-kubernetes-validations[0]  1 true, 1 false  !has(self.max) || self.min <= self.max`,
    "!   1:19  never true  self.min <= self.max",
    `  queues.example.com ${SPEC}.x-kubernetes-validations[0].messageExpression  1 evaluated  'above the maximum'`,
    `! queues.example.com ${SPEC}.x-kubernetes-validations[1]  never evaluated  self.min == oldSelf.min`,
    `! queues.example.com ${SPEC}.properties.names.items.x-kubernetes-validations[0]  never evaluated  self != 'x'`,
    "coverage: 2 of 4 expressions (50 %), 1 of 2 branches (50 %)",
  ]);
});

test("a rule that a case changes is another rule", async () => {
  const rule = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations/1/rule";
  const tests = `- steps:
  - {create: {${QUEUE}, spec: {min: 1, max: 2, names: [a]}}, expect: allow}
  - patchCrd: [{op: replace, path: ${rule}, value: self.min >= oldSelf.min}]
  - {change: {spec: {min: 2}}, expect: allow}`;
  const lines = await coverageOf(tests, "crds: [crd.yaml]");
  expect(lines.filter((line) => line.includes("x-kubernetes-validations[1]"))).toEqual([
    `! queues.example.com ${SPEC}.x-kubernetes-validations[1]  never evaluated  self.min == oldSelf.min`,
    `! queues.example.com ${SPEC}.x-kubernetes-validations[1]  1 true, 0 false  self.min >= oldSelf.min`,
  ]);
});
