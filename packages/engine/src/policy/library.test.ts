import { expect, test } from "vitest";
import { rbacAuthorizer, rbacSource } from "../rbac/authorizer.ts";
import { evaluate, type PolicyEvaluatorOptions, type PolicyRequest, policyEvaluator } from "./library.ts";
import { plainObject } from "./policy.testing.ts";

const policy = (spec: object): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "p" },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps", "namespaces"] },
      ],
    },
    ...spec,
  },
});

const binding = (spec: object = {}): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "b" },
  spec: { policyName: "p", validationActions: ["Deny"], ...spec },
});

const MAPS = { group: "", version: "v1", resource: "configmaps" };
const map = (data: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "m", namespace: "shop" },
  data,
});

function evaluateWith(
  spec: object,
  request: Partial<PolicyRequest> = {},
  options: Partial<PolicyEvaluatorOptions> = {},
) {
  return evaluate({
    policies: [policy(spec)],
    bindings: [binding()],
    ...options,
    request: { resource: MAPS, object: map(), ...request },
  });
}

test("a refusal is the Status that a client would get, with every step that led to it", () => {
  const report = evaluateWith({
    matchConditions: [{ name: "always", expression: "true" }],
    variables: [{ name: "size", expression: "size(object.data)" }],
    validations: [{ expression: "variables.size > 0", messageExpression: "'needs data: ' + object.metadata.name" }],
    auditAnnotations: [{ key: "size", valueExpression: "string(variables.size)" }],
  });
  expect(report).toMatchObject({
    allowed: false,
    status: {
      kind: "Status",
      code: 422,
      reason: "Invalid",
      message: `configmaps "m" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: needs data: m`,
    },
    auditAnnotations: { "p/size": "0" },
    denials: [{ policy: "p", binding: "b", message: "needs data: m", reason: "Invalid" }],
  });
  const [evaluation] = report.policies[0]?.bindings[0]?.evaluations ?? [];
  expect(evaluation?.matchConditions?.expressions).toEqual([
    { expression: "true", value: "true", error: undefined, cost: 0, variablesCost: 0 },
  ]);
  expect(evaluation?.validations).toEqual({
    remaining: 9_999_994,
    failure: undefined,
    variables: [{ name: "size", value: "0", cost: 3 }],
    expressions: [{ expression: "variables.size > 0", value: "false", error: undefined, cost: 3, variablesCost: 3 }],
  });
  expect(report.cost).toBeGreaterThan(4);
  expect(JSON.parse(JSON.stringify(report)).policies[0].reason).toBe("resourceRules[0] matches");
});

test("a policy that is not applied has a reason", () => {
  const { allowed, policies } = evaluateWith(
    { validations: [{ expression: "false" }] },
    { resource: { group: "", version: "v1", resource: "secrets" } },
  );
  expect([allowed, policies]).toEqual([
    true,
    [{ policy: "p", outcome: "skip", reason: "none of the resourceRules matches", bindings: [] }],
  ]);
});

test.each([
  { given: { object: map() }, operation: "CREATE", options: "CreateOptions" },
  { given: { object: map(), oldObject: map() }, operation: "UPDATE", options: "UpdateOptions" },
  { given: { object: undefined, oldObject: map() }, operation: "DELETE", options: "DeleteOptions" },
] as const)("what is not said of a request follows from its objects: $operation", ({ given, operation, options }) => {
  const facts = [
    `request.operation == '${operation}'`,
    `request.options.kind == '${options}'`,
    "request.name == 'm' && request.namespace == 'shop' && request.kind.kind == 'ConfigMap'",
    "request.userInfo.username == 'system:anonymous'",
  ];
  expect(evaluateWith({ validations: facts.map((expression) => ({ expression })) }, given).denials).toEqual([]);
});

test("a namespace object belongs to its own namespace", () => {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } };
  const request = { resource: { group: "", version: "v1", resource: "namespaces" }, object };
  expect(evaluateWith({ validations: [{ expression: "request.namespace == 'n'" }] }, request).allowed).toBe(true);
});

test("params, namespaces and roles are given as manifests", () => {
  const spec = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [
      { expression: "params.data.max == '3'" },
      { expression: "namespaceObject.metadata.labels.tier == 'gold'" },
      { expression: "authorizer.group('').resource('secrets').check('get').allowed()" },
    ],
  };
  const role = {
    kind: "ClusterRole",
    metadata: { name: "r" },
    rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
  };
  const bound = {
    kind: "ClusterRoleBinding",
    metadata: { name: "r" },
    roleRef: { kind: "ClusterRole", name: "r" },
    subjects: [{ kind: "User", name: "ann" }],
  };
  const rbac = [role, bound].map((object) => plainObject({ apiVersion: "rbac.authorization.k8s.io/v1", ...object }));
  const options = {
    bindings: [binding({ paramRef: { name: "limits", parameterNotFoundAction: "Deny" } })],
    params: [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "limits", namespace: "shop" }, data: { max: "3" } },
    ],
    namespaces: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { tier: "gold" } } }],
    authorizer: rbacAuthorizer(rbacSource(rbac)),
  };
  expect(evaluateWith(spec, { user: { name: "ann" } }, options).denials).toEqual([]);
  expect(evaluateWith(spec, { user: { name: "bob" } }, options).allowed).toBe(false);
  expect(evaluateWith(spec, { user: { name: "ann" } }, { ...options, params: [] }).denials[0]?.message).toContain(
    "no params found",
  );
});

test("an evaluator handles many requests and never changes its inputs", () => {
  const policies = [policy({ validations: [{ expression: "object.data.all(k, k != 'bad')" }] })];
  const before = structuredClone(policies);
  const ask = policyEvaluator({ policies, bindings: [binding()] });
  const verdicts = [{ a: "1" }, { bad: "1" }, {}].map((data) => ask({ resource: MAPS, object: map(data) }).allowed);
  expect(verdicts).toEqual([true, false, true]);
  expect(policies).toEqual(before);
});

test("functions that an older server does not have fail when used", () => {
  const spec = { validations: [{ expression: "isSemver('1.0.0')" }] };
  expect(evaluateWith(spec).allowed).toBe(true);
  const { denials } = evaluateWith(spec, {}, { version: "1.30" });
  expect(denials[0]?.message).toContain("undeclared reference to 'isSemver'");
});

test("audit failures are recorded once, or all of them", () => {
  const spec = {
    validations: [
      { expression: "false", message: "one" },
      { expression: "false", message: "two" },
    ],
  };
  const bindings = [binding({ validationActions: ["Audit"] })];
  const recorded = (auditAllFailures: boolean) =>
    Object.values(evaluateWith(spec, {}, { bindings, auditAllFailures }).auditAnnotations)[0];
  expect(recorded(false)).not.toContain("two");
  expect(recorded(true)).toContain("two");
});

test("an invalid manifest throws", () => {
  expect(() => evaluate({ policies: [[]], bindings: [], request: { resource: MAPS } })).toThrow(
    "a manifest is an object",
  );
});
