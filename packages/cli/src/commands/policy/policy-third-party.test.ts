/** Complete test files of other tools, in the formats their projects document and use. */
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policyTest } from "../test.ts";

const DEPLOYMENT = (name: string, replicas: number, more = ""): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, labels: {app: ${name}}${more}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: c, image: "registry.example.com/c:1"}]}
`;
const POLICY = (
  spec: string,
  rule = "apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE]",
): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints: {resourceRules: [{${rule}, resources: [deployments]}]}
${spec}
`;
const LIMITED = POLICY(`  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
  - {expression: object.spec.replicas <= int(params.data.max), message: too many replicas}
  - {expression: object.spec.replicas > 0, message: no replicas}`);
const LIMITS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: policies}\ndata: {max: "3"}\n';

const run = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommand(policyTest, ["@/suite.yaml", ...args], files);

const KYVERNO = `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: replicas}
policies: [policy.yaml]
resources: [resources.yaml]
paramResources: [limits.yaml]
clusterResources: [cluster.yaml]
userinfo: userinfo.yaml
variables: values.yaml
results:
- {isValidatingAdmissionPolicy: true, kind: Deployment, policy: replicas, resources: [few], result: pass}
- isValidatingAdmissionPolicy: true
  kind: Deployment
  policy: replicas
  resourceSpecs:
  - {group: apps, version: v1, kind: Deployment, namespace: shop, name: many}
  result: fail
- {isValidatingAdmissionPolicy: true, kind: StatefulSet, policy: replicas, result: skip}
`;

test("a kyverno test may use params, namespaces, a user, resource specs and all resources of a kind", async () => {
  const binding = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec:
  policyName: replicas
  paramRef: {name: limits, namespace: policies}
  matchResources: {namespaceSelector: {matchLabels: {tier: gold}}}
`;
  const { code, stdout } = await run({
    "suite.yaml": KYVERNO,
    "policy.yaml":
      LIMITED.replace(
        "  validations:",
        "  matchConditions: [{name: by-ann, expression: \"request.userInfo.username == 'ann' && request.userInfo.extra.team == ['a']\"}]\n  validations:",
      ) + binding,
    "limits.yaml": LIMITS,
    "cluster.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n",
    "userinfo.yaml":
      "apiVersion: cli.kyverno.io/v1alpha1\nkind: UserInfo\nuserInfo: {username: ann, groups: [devs], extra: {team: [a]}}\n",
    "values.yaml":
      "apiVersion: cli.kyverno.io/v1alpha1\nkind: Values\nnamespaceSelector: [{name: shop, labels: {tier: gold}}]\n",
    "resources.yaml": [
      DEPLOYMENT("few", 2, "").replace("name: few,", "name: few, namespace: shop,"),
      DEPLOYMENT("many", 9).replace("name: many,", "name: many, namespace: shop,"),
      DEPLOYMENT("set", 9).replace("Deployment", "StatefulSet").replace("spec:\n", "spec:\n  serviceName: set\n"),
    ].join("---\n"),
  });
  expect(stdout).toContain("note the API server would refuse this: ValidatingAdmissionPolicyBinding");
  expect(stdout.split("\n").filter((line) => /ok|FAIL/.test(line))).toEqual([
    "  ok   replicas Deployment few",
    "  ok   replicas Deployment many",
    "  ok   replicas StatefulSet set",
  ]);
  expect(code).toBe(0);
});

test("rules without operations match all of them, as in kyverno", async () => {
  const results = "results: [{policy: replicas, kind: Deployment, resources: [many], result: fail}]\n";
  const files = {
    "suite.yaml": `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [policy.yaml]\nresources: [many.yaml]\n${results}`,
    "policy.yaml": POLICY(
      "  validations: [{expression: object.spec.replicas < 5}]",
      "apiGroups: [apps], apiVersions: [v1]",
    ),
    "many.yaml": DEPLOYMENT("many", 9),
  };
  expect((await run(files)).code).toBe(0);
});

test.each(["isMutatingAdmissionPolicy", "isImageValidatingPolicy"])(
  "a result of kyverno about another kind of policy (%s) is refused by name",
  async (flag) => {
    const results = `results: [{policy: replicas, kind: Deployment, resources: [many], ${flag}: true, result: fail}]\n`;
    const files = {
      "suite.yaml": `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [policy.yaml]\nresources: [many.yaml]\n${results}`,
      "policy.yaml": POLICY("  validations: [{expression: object.spec.replicas < 5}]"),
      "many.yaml": DEPLOYMENT("many", 9),
    };
    const { code, stdout } = await run(files);
    expect(stdout).toContain(`replicas (${flag}) is not a ValidatingAdmissionPolicy`);
    expect(stdout).toContain("0 passed, 0 failed, 1 skipped");
    expect(code).toBe(2);
  },
);

const GATOR = `apiVersion: test.gatekeeper.sh/v1alpha1
kind: Suite
metadata: {name: replicas}
tests:
- name: replicas
  template: policy.yaml
  constraint: constraint.yaml
  cases:
  - name: few
    object: few.yaml
    assertions: [{violations: no}]
  - name: many
    object: many.yaml
    assertions:
    - {violations: 1}
    - {violations: yes, message: too many}
    - {violations: no, message: no replicas}
    - {violations: 0, message: "^none$"}
  - name: as reviewed
    object: review.yaml
    inventory: [limits.yaml]
    assertions: [{message: too many}]
  - {name: not yet, skip: true, object: many.yaml, assertions: [{violations: no}]}
- {name: not at all, skip: true, template: policy.yaml, constraint: constraint.yaml, cases: [{name: a, object: few.yaml}]}
`;

test("a gator suite counts the violations that match each assertion", async () => {
  const constraint = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec:
  policyName: replicas
  validationActions: [Audit]
  paramRef: {name: limits, namespace: policies, parameterNotFoundAction: Deny}
---
${LIMITS}`;
  const request = {
    uid: "u",
    operation: "UPDATE",
    kind: { group: "apps", version: "v1", kind: "Deployment" },
    resource: { group: "apps", version: "v1", resource: "deployments" },
    name: "many",
    namespace: "default",
    userInfo: { username: "ann" },
    object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "many" }, spec: { replicas: 7 } },
    oldObject: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "many" }, spec: { replicas: 1 } },
  };
  const { code, stdout } = await run({
    "suite.yaml": GATOR,
    "policy.yaml": LIMITED,
    "constraint.yaml": constraint,
    "limits.yaml": LIMITS,
    "few.yaml": DEPLOYMENT("few", 2),
    "many.yaml": DEPLOYMENT("many", 9),
    "review.yaml": JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request }),
  });
  expect(stdout.split("\n").slice(1)).toEqual([
    "  ok   replicas few",
    "  ok   replicas many",
    "  ok   replicas as reviewed",
    "  skip replicas not yet",
    "  skip not at all a",
    "1 suite: 3 passed, 0 failed, 2 skipped",
    "",
  ]);
  expect(code).toBe(0);
});

test.each([
  {
    assertions: "[{violations: no, message: too many}]",
    problem: "expected 0 violations with message /too many/, got 1: ",
  },
  { assertions: "[{violations: 2}]", problem: "expected 2 violations, got 1: " },
])("gator's $assertions fails with what was found", async ({ assertions, problem }) => {
  const { code, stdout } = await run({
    "suite.yaml": `apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests: [{name: t, template: policy.yaml, constraint: limits.yaml, cases: [{name: c, object: many.yaml, assertions: ${assertions}}]}]\n`,
    "policy.yaml": POLICY("  validations: [{expression: object.spec.replicas < 5, message: too many}]"),
    "limits.yaml": LIMITS,
    "many.yaml": DEPLOYMENT("many", 9),
  });
  expect(code).toBe(1);
  expect(stdout).toContain(problem);
});

test("a gator case without assertions is an error, as in gator", async () => {
  const files = {
    "suite.yaml":
      "apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests: [{name: t, template: policy.yaml, constraint: limits.yaml, cases: [{name: c, object: many.yaml}]}]\n",
    "policy.yaml": POLICY("  validations: [{expression: 'true'}]"),
    "limits.yaml": LIMITS,
    "many.yaml": DEPLOYMENT("many", 9),
  };
  const { code, stdout } = await run(files);
  expect(stdout).toContain("assertions must be a non-empty list");
  expect(code).toBe(2);
});

const KAPTEST = `version: v1alpha1
policies: [policy.yaml]
resources: [resources.yaml]
vapTestSuites:
- policy: replicas
  tests:
  - {object: {kind: Deployment, name: few}, param: {name: limits}, expect: admit}
  - {object: {group: apps, version: v1, kind: Deployment, name: many}, param: {name: limits}, expect: deny, deniedMessage: too many}
  - {object: {kind: Deployment, name: many}, param: {name: absent}, expect: error}
  - {oldObject: {kind: Deployment, name: many}, param: {name: limits}, expect: skip}
  - object: {kind: Deployment, name: many}
    oldObject: {kind: Deployment, name: few}
    param: {name: limits, namespace: policies}
    userInfo: {name: "system:serviceaccount:ci:deployer", groups: [ops], extra: {team: [a]}}
    expect: skip
`;

test("a kaptest file is run with a note although its policy matches another group", async () => {
  const policy = LIMITED.replace("apiGroups: [apps]", 'apiGroups: [""]').replace(
    "  validations:",
    "  matchConditions:\n  - {name: not-by-ops, expression: \"!('ops' in request.userInfo.groups)\"}\n  - {name: not-deleted, expression: object != null}\n  validations:",
  );
  const { code, stdout } = await run({
    "suite.yaml": KAPTEST,
    "policy.yaml": policy,
    "resources.yaml": [DEPLOYMENT("few", 2), DEPLOYMENT("many", 9), LIMITS].join("---\n"),
  });
  expect(stdout).toContain(
    "note replicas is applied to deployments.apps as the tool does; a cluster would not apply it: none of the resourceRules matches",
  );
  expect(stdout).toContain("1 suite: 5 passed, 0 failed");
  expect(code).toBe(0);
});
