import { describe, expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policyTest } from "../test.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: sizes}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  matchConditions: [{name: has-size, expression: has(object.data) && 'size' in object.data}]
  variables: [{name: size, expression: int(object.data.size)}]
  validations:
  - {expression: variables.size < 10, messageExpression: "'size ' + string(variables.size) + ' is too large'"}
  - {expression: variables.size > 0, message: size must be positive, reason: Forbidden}
  auditAnnotations: [{key: size, valueExpression: string(variables.size)}]
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: sizes}
spec: {policyName: sizes, validationActions: [Deny]}
`;
const configMap = (name: string, size: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ns}\ndata: {size: "${size}"}\n`;
const FILES = {
  "policy.yaml": POLICY,
  "binding.yaml": BINDING,
  "objects.yaml": [configMap("good", "5"), configMap("bad", "50")].join("---\n"),
  "good.yaml": configMap("good", "5"),
  "bad.yaml": configMap("bad", "50"),
};

const run = (args: readonly string[], files: Readonly<Record<string, string>>) =>
  runCommand(policyTest, args, { ...FILES, ...files });
/** It is reported, the run continues, and the exit code shows it. */
async function expectUnreadable(ran: ReturnType<typeof run>, problem: string): Promise<void> {
  const { code, stdout } = await ran;
  expect(stdout).toContain(problem);
  expect(code).toBe(2);
}

const own = (tests: string): string =>
  `kind: PolicySuite\npolicies: [policy.yaml, binding.yaml]\nbase: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {size: "5"}}\ntests:\n${tests}\n`;

describe("our own suites", () => {
  test.each([
    { name: "allow", test: "{expect: allow}", passed: true },
    { name: "allow where it is denied", test: '{change: {data: {size: "10"}}, expect: allow}', passed: false },
    { name: "deny", test: '{change: {data: {size: "10"}}, expect: deny}', passed: true },
    {
      name: "the exact message",
      test: '{change: {data: {size: "10"}}, expect: deny, message: size 10 is too large}',
      passed: true,
    },
    { name: "another message", test: '{change: {data: {size: "10"}}, expect: deny, message: size 10}', passed: false },
    { name: "a pattern", test: '{change: {data: {size: "10"}}, expect: deny, message: /size \\d+ is/}', passed: true },
    {
      name: "a pattern of the whole text",
      test: '{change: {data: {size: "10"}}, expect: deny, message: "/^ValidatingAdmissionPolicy .sizes. with binding/"}',
      passed: true,
    },
    {
      name: "a reason",
      test: '{change: {data: {size: "0"}}, expect: deny, reason: Forbidden, code: 403}',
      passed: true,
    },
    { name: "another reason", test: '{change: {data: {size: "10"}}, expect: deny, reason: Forbidden}', passed: false },
    { name: "skip", test: "{change: {data: {size: null}}, expect: skip}", passed: true },
    { name: "skip where it is applied", test: "{expect: skip}", passed: false },
    { name: "error", test: "{change: {data: {size: x}}, expect: error}", passed: true },
    {
      name: "an audit annotation",
      test: "{expect: allow, auditAnnotations: {sizes/size: '5', sizes/other: null}}",
      passed: true,
    },
    { name: "another audit annotation", test: "{expect: allow, auditAnnotations: {sizes/size: '6'}}", passed: false },
    { name: "an update", test: '{oldChange: {data: {size: "1"}}, expect: allow}', passed: true },
    { name: "no rule for deletions", test: "{operation: DELETE, expect: skip}", passed: true },
    { name: "an object of a file", test: "{object: objects.yaml#bad, expect: deny}", passed: true },
    { name: "warn where nothing warns", test: "{expect: warn}", passed: false },
  ])("$name", async ({ test: text, passed }) => {
    const { code } = await run(["@/suite.yaml"], { "suite.yaml": own(`- ${text}`) });
    expect(code).toBe(passed ? 0 : 1);
  });

  test("the report names the differences from the expectation", async () => {
    const tests = `- {name: fine, expect: allow}\n- {name: "off", change: {data: {size: "10"}}, expect: allow}`;
    expect(await run(["@/suite.yaml"], { "suite.yaml": own(tests) })).toEqual({
      code: 1,
      stderr: "",
      stdout: `suite.yaml
  ok   fine
  FAIL off
       expected outcome allow, got deny: configmaps "c" is forbidden: ValidatingAdmissionPolicy 'sizes' with binding 'sizes' denied request: size 10 is too large
1 suite: 1 passed, 1 failed
`,
    });
  });

  test("coverage shows which expressions were seen true and false", async () => {
    const tests = `- {name: fine, expect: allow}\n- {name: large, change: {data: {size: "10"}}, expect: deny}`;
    const { stdout } = await run(["@/suite.yaml", "--coverage"], { "suite.yaml": own(tests) });
    expect(stdout.split("\n").slice(3)).toEqual([
      "! sizes matchConditions[0]  2 true, 0 false  has(object.data) && 'size' in object.data",
      "!   1:1  never false  has(object.data)",
      '!   1:21  never false  "size" in object.data',
      "  sizes variables.size  2 evaluated  int(object.data.size)",
      "  sizes validations[0]  1 true, 1 false  variables.size < 10",
      "  sizes validations[0].messageExpression  1 evaluated  'size ' + string(variables.size) + ' is too large'",
      "! sizes validations[1]  2 true, 0 false  variables.size > 0",
      "  sizes auditAnnotations[0]  2 evaluated  string(variables.size)",
      "coverage: 4 of 6 expressions (66 %), 0 of 2 branches (0 %)",
      "1 suite: 2 passed, 0 failed",
      "",
    ]);
  });

  test("JSON output has results and coverage", async () => {
    const { stdout } = await run(["@/suite.yaml", "--coverage", "-o", "json"], {
      "suite.yaml": own("- {name: fine, expect: allow}"),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "PolicyTestReport",
      summary: { suites: 1, passed: 1, failed: 0 },
      suites: [{ results: [{ name: "fine", passed: true, allowed: true }] }],
      coverage: [{ place: "matchConditions[0]", true: 1, false: 0, covered: false }, {}, {}, {}, {}, {}],
    });
  });

  test("--run picks cases", async () => {
    const tests = `- {name: fine, expect: allow}\n- {name: "off", expect: deny}`;
    expect((await run(["@/suite.yaml", "--run", "fine"], { "suite.yaml": own(tests) })).code).toBe(0);
  });

  test.each([
    {
      name: "a suite without tests",
      text: own("").replace("tests:\n", "tests: []"),
      problem: "the suite has no tests",
    },
    {
      name: "a suite without policies",
      text: own("- {expect: allow}").replace("[policy.yaml, binding.yaml]", "[]"),
      problem: "there is no policy to test",
    },
    { name: "an unknown expectation", text: own("- {expect: maybe}"), problem: "unknown expectation `maybe`" },
    { name: "an unknown field", text: own("- {expect: allow, mesage: x}"), problem: "unknown field `mesage`" },
    { name: "a broken pattern", text: own("- {expect: deny, message: /(/}"), problem: "is not a valid pattern" },
    { name: "a file that is not a suite", text: "kind: ConfigMap\n", problem: "not a test suite" },
    { name: "a file that does not exist", text: own("- {object: none.yaml, expect: allow}"), problem: "none.yaml" },
  ])("$name is a usage error", async ({ text, problem }) => {
    await expectUnreadable(run(["@/suite.yaml"], { "suite.yaml": text }), problem);
  });
});

describe("kyverno's tests", () => {
  const test_ = (results: string, more = ""): string =>
    `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [policy.yaml]\nresources: [objects.yaml]\n${more}results:\n${results}\n`;

  test.each([
    {
      name: "pass and fail",
      results:
        "- {policy: sizes, resources: [good], kind: ConfigMap, result: pass, isValidatingAdmissionPolicy: true}\n- {policy: sizes, resource: bad, kind: ConfigMap, result: fail}",
      code: 0,
    },
    {
      name: "a wrong result",
      results: "- {policy: sizes, resources: [good, bad], kind: ConfigMap, result: pass}",
      code: 1,
    },
    {
      name: "a namespace before the name",
      results: "- {policy: sizes, resources: [ns/good], kind: ConfigMap, result: pass}",
      code: 0,
    },
  ])("$name", async ({ results, code }) => {
    expect((await run(["@/t.yaml"], { "t.yaml": test_(results) })).code).toBe(code);
  });

  test("a binding among the policies is used", async () => {
    const selected = BINDING.replace(
      "[Deny]",
      "[Deny], matchResources: {namespaceSelector: {matchLabels: {env: prod}}}",
    );
    const results = "- {policy: sizes, resources: [bad], kind: ConfigMap, result: skip}";
    const files = {
      "t.yaml": test_(results).replace("[policy.yaml]", "[policy.yaml, binding.yaml]"),
      "binding.yaml": selected,
    };
    expect((await run(["@/t.yaml"], files)).code).toBe(0);
    const values = "values: {namespaceSelector: [{name: ns, labels: {env: prod}}]}\n";
    const fail = test_(results.replace("skip", "fail"), values).replace("[policy.yaml]", "[policy.yaml, binding.yaml]");
    expect((await run(["@/t.yaml"], { ...files, "t.yaml": fail })).code).toBe(0);
  });

  test.each([
    {
      name: "policies of kyverno",
      text: test_("- {policy: k, resources: [good], result: pass}"),
      problem: "ClusterPolicy k is not a ValidatingAdmissionPolicy",
    },
    {
      name: "payloads that are not objects",
      text: test_("- {policy: sizes, resources: [good], result: pass}", "jsonPayload: p.json\n"),
      problem: "jsonPayload: does not apply",
    },
    {
      name: "a resource that does not exist",
      text: test_("- {policy: sizes, resources: [none], result: pass}"),
      problem: "resource none: there is none",
    },
  ])("$name are refused", async ({ text, problem }) => {
    const cluster = "---\napiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: k}\n";
    const files = { "t.yaml": text, "policy.yaml": POLICY + cluster };
    await expectUnreadable(run(["@/t.yaml"], files), problem);
  });
});

describe("gator's suites", () => {
  const suite = (cases: string, template = "policy.yaml"): string =>
    `apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests:\n- name: sizes\n  template: ${template}\n  constraint: binding.yaml\n  cases:\n${cases}\n`;

  test.each([
    { name: "no violations", cases: "  - {name: a, object: good.yaml, assertions: [{violations: no}]}", code: 0 },
    {
      name: "some violations with a message",
      cases: "  - {name: a, object: bad.yaml, assertions: [{violations: yes, message: too large$}]}",
      code: 0,
    },
    {
      name: "an exact number of violations",
      cases: "  - {name: a, object: bad.yaml, assertions: [{violations: 1}]}",
      code: 0,
    },
    { name: "another number", cases: "  - {name: a, object: bad.yaml, assertions: [{violations: 2}]}", code: 1 },
    { name: "another message", cases: "  - {name: a, object: bad.yaml, assertions: [{message: small}]}", code: 1 },
  ])("$name", async ({ cases, code }) => {
    expect((await run(["@/s.yaml"], { "s.yaml": suite(cases) })).code).toBe(code);
  });

  test("a ConstraintTemplate is refused", async () => {
    const files = {
      "s.yaml": suite("  - {name: a, object: good.yaml, assertions: [{violations: no}]}", "t.yaml"),
      "t.yaml": "apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nmetadata: {name: t}\n",
    };
    await expectUnreadable(run(["@/s.yaml"], files), "the template has no K8sNativeValidation; Rego is not evaluated");
  });
});

describe("kaptest's files", () => {
  const file = (tests: string): string =>
    `validatingAdmissionPolicies: [policy.yaml]\nresources: [objects.yaml]\ntestSuites:\n- policy: sizes\n  tests:\n${tests}\n`;

  test.each([
    { name: "admit", tests: "  - {object: {kind: ConfigMap, name: good}, expect: admit}", code: 0 },
    {
      name: "deny",
      tests: "  - {object: {kind: ConfigMap, name: bad, namespace: ns}, expect: deny, deniedMessage: too large}",
      code: 0,
    },
    {
      name: "an update",
      tests: "  - {object: {kind: ConfigMap, name: bad}, oldObject: {kind: ConfigMap, name: good}, expect: deny}",
      code: 0,
    },
    { name: "admit where it is denied", tests: "  - {object: {kind: ConfigMap, name: bad}, expect: admit}", code: 1 },
  ])("$name", async ({ tests, code }) => {
    expect((await run(["@/k.yaml"], { "k.yaml": file(tests) })).code).toBe(code);
  });

  test("a param is named by the case", async () => {
    const policy = POLICY.replace("spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n").replace(
      "variables.size < 10",
      "variables.size < int(params.data.size)",
    );
    const tests = "  - {object: {kind: ConfigMap, name: good}, param: {name: bad, namespace: ns}, expect: admit}";
    const files = {
      "policy.yaml": policy,
      "k.yaml": `version: v1alpha1\n${file(tests).replace("validatingAdmissionPolicies", "policies").replace("testSuites", "vapTestSuites")}`,
    };
    expect((await run(["@/k.yaml"], files)).code).toBe(0);
  });

  test("a mutated object is compared with the expected one, as written", async () => {
    const text = `policies: [policy.yaml]
resources: [resources.yaml]
mapTestSuites:
- policy: m
  tests:
  - {object: {kind: ConfigMap, name: plain}, expect: mutate, expectObject: {kind: ConfigMap, name: labelled}}
  - {object: {kind: ConfigMap, name: wrong}, expect: mutate, expectObject: {kind: ConfigMap, name: plain}}
  - {object: {kind: ConfigMap, name: done}, expect: skip}
`;
    const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: m}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  matchConditions: [{name: open, expression: "!has(object.metadata.annotations)"}]
  reinvocationPolicy: Never
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/data/a', value: 'b'}]"}}]
`;
    const config = (name: string, rest: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${rest}\n`;
    const resources = [
      config("plain", "}\ndata: {}"),
      config("labelled", "}\ndata: {a: b}"),
      config("wrong", "}\ndata: {}"),
      config("done", ", annotations: {a: b}}\ndata: {}"),
    ].join("---\n");
    const { code, stdout } = await run(["@/k.yaml"], {
      "k.yaml": text,
      "policy.yaml": policy,
      "resources.yaml": resources,
    });
    expect(stdout).toContain("ok   m plain");
    expect(stdout).toContain("FAIL m wrong");
    expect(stdout).toContain('expected stored.data.a no such field, got "b"');
    expect(stdout).toContain("ok   m done");
    expect(code).toBe(1);
  });
});
