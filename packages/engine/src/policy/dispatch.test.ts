import { describe, expect, test } from "vitest";
import { statusBody } from "../status/error.ts";
import { toPlain } from "../value/copy.ts";
import { withAsyncAuthorizer } from "./authorizer.ts";
import { loadBinding } from "./binding.ts";
import { evaluatePolicies } from "./dispatch.ts";
import { policySetFrom } from "./manifests.ts";
import { admit, attributes, contextOf, plainObject, type TestRequest } from "./policy.testing.ts";
import { readPolicy } from "./policy.ts";
import { PolicySet } from "./policy-set.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] };

function policy(spec: object, name = "p") {
  const matchConstraints = { resourceRules: [RULE] };
  return plainObject({
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints, ...spec },
  });
}

function binding(spec: object = {}, name = "b") {
  const all = { policyName: "p", validationActions: ["Deny"], ...spec };
  return plainObject({ apiVersion: GROUP, kind: "ValidatingAdmissionPolicyBinding", metadata: { name }, spec: all });
}

const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" }, data: { a: "1" } };
const CREATE: TestRequest = { object: OBJECT };
const FALSE = { validations: [{ expression: "false", message: "m" }] };

test("a refusal is upstream's Status", () => {
  const { error } = admit([policy({ validations: [{ expression: "false", reason: "Forbidden" }] }), binding()], CREATE);
  expect(error && toPlain(statusBody(error))).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message:
      "configmaps \"c\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false",
    reason: "Forbidden",
    details: {
      name: "c",
      kind: "configmaps",
      causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false" }],
    },
    code: 403,
  });
});

test.each([
  { name: "policies themselves", group: "admissionregistration.k8s.io", resource: "validatingadmissionpolicies" },
  { name: "bindings", group: "admissionregistration.k8s.io", resource: "validatingadmissionpolicybindings" },
  { name: "mutating policies", group: "admissionregistration.k8s.io", resource: "mutatingadmissionpolicies" },
  { name: "token reviews", group: "authentication.k8s.io", resource: "tokenreviews" },
  { name: "access reviews", group: "authorization.k8s.io", resource: "subjectaccessreviews" },
])("$name are never matched", ({ group, resource }) => {
  const everything = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] };
  const objects = [policy({ matchConstraints: { resourceRules: [everything] }, ...FALSE }), binding()];
  expect(admit(objects, { ...CREATE, resource: { group, version: "v1", resource } }).allowed).toBe(true);
  expect(admit(objects, { ...CREATE, resource: { group: "x", version: "v1", resource } }).allowed).toBe(false);
});

test("only the first refusal by name is returned; all are listed", () => {
  const objects = [
    policy(FALSE, "z"),
    policy(
      {
        validations: [
          { expression: "false", message: "one" },
          { expression: "false", message: "two" },
        ],
      },
      "a",
    ),
    binding({ policyName: "z" }, "bz"),
    binding({ policyName: "a" }, "ba"),
  ];
  const { error, denials } = admit(objects, CREATE);
  expect(error?.message).toContain("ValidatingAdmissionPolicy 'a' with binding 'ba' denied request: one");
  expect(denials.map(({ policy: name, message }) => `${name} ${message}`)).toEqual(["a one", "a two", "z m"]);
});

test("audit keeps all failures; up to 1.36 the first, or all of them on request", () => {
  const objects = [
    policy({
      validations: [
        { expression: "false", message: "<one>" },
        { expression: "false", message: "two" },
      ],
    }),
    binding({ validationActions: ["Audit"] }),
  ];
  const key = "validation.policy.admission.k8s.io/validation_failure";
  const one =
    '{"message":"\\u003cone\\u003e","policy":"p","binding":"b","expressionIndex":0,"validationActions":["Audit"]}';
  const two = '{"message":"two","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit"]}';
  expect(admit(objects, CREATE).auditAnnotations.get(key)).toBe(`[${one},${two}]`);
  expect(admit(objects, CREATE, { version: "1.36" }).auditAnnotations.get(key)).toBe(`[${one}]`);
  expect(admit(objects, CREATE, { version: "1.36", auditAllFailures: true }).auditAnnotations.get(key)).toBe(
    `[${one},${two}]`,
  );
});

test("a namespace that does not exist ends the request whatever the failure policy is", () => {
  const objects = [policy({ failurePolicy: "Ignore", ...FALSE }), binding()];
  const { error } = admit(objects, CREATE, { namespace: () => undefined });
  expect(error).toMatchObject({ code: 404, message: 'namespaces "default" not found' });
});

test("objects are converted once per policy, and a failed conversion is a configuration error", () => {
  const rule = { ...RULE, apiVersions: ["v2"] };
  const objects = [
    policy({ matchConstraints: { resourceRules: [rule] }, ...FALSE }),
    binding({}, "b1"),
    binding({}, "b2"),
  ];
  let conversions = 0;
  const equivalents = (convert: () => string | undefined) => ({
    equivalents: () => ["v1", "v2"].map((version) => ({ group: "", version, resource: "configmaps" })),
    kindFor: () => ({ group: "", version: "v2", kind: "ConfigMap" }),
    convert: (object: ReturnType<typeof plainObject>) => {
      conversions++;
      return convert() ?? object;
    },
  });
  expect(admit(objects, CREATE, { equivalents: equivalents(() => undefined) }).denials).toHaveLength(2);
  expect(conversions).toBe(1);
  expect(admit(objects, CREATE, { equivalents: equivalents(() => "no way") }).error?.message).toContain(
    "failed to configure binding: failed to convert object version: no way",
  );
});

test("conversion to an unknown kind fails", () => {
  const objects = [
    policy({ matchConstraints: { resourceRules: [{ ...RULE, apiVersions: ["v2"] }] }, ...FALSE }),
    binding(),
  ];
  const equivalents = {
    equivalents: () => [{ group: "", version: "v2", resource: "configmaps" }],
    kindFor: () => undefined,
    convert: () => "unused",
  };
  expect(admit(objects, CREATE, { equivalents }).error?.message).toContain(
    "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: unable to convert to /v2, Resource=configmaps: unknown kind",
  );
});

test("a policy that skipped defaulting fails instead of matching nothing", () => {
  const set = new PolicySet([readPolicy(policy(FALSE))], [loadBinding(binding())]);
  expect(evaluatePolicies(set, attributes(CREATE), contextOf([])).error?.message).toContain(
    "failed to configure policy: a nil namespace selector was passed, please ensure selectors are initialized properly",
  );
});

describe("explanations", () => {
  const objects = [
    policy(
      {
        variables: [{ name: "v", expression: "object.data.a" }],
        matchConditions: [{ name: "c", expression: "true" }],
        validations: [{ expression: "variables.v == '2'", messageExpression: "'got ' + string(variables.v)" }],
        auditAnnotations: [{ key: "k", valueExpression: "'v'" }],
      },
      "p",
    ),
    policy({ matchConstraints: { resourceRules: [{ ...RULE, resources: ["pods"] }] }, ...FALSE }, "q"),
    policy(FALSE, "unbound"),
    binding(),
    binding({ policyName: "q" }, "bq"),
  ];

  test("show for every policy whether it matched and why", () => {
    const { traces } = admit(objects, CREATE, { explain: true });
    expect(traces.map(({ policy: name, outcome, reason }) => `${name}: ${outcome}, ${reason}`)).toEqual([
      "p: match, resourceRules[0] matches",
      "q: skip, none of the resourceRules matches",
      "unbound: skip, no binding names the policy",
    ]);
  });

  test("show every condition, variable and expression with its cost", () => {
    const { traces } = admit(objects, CREATE);
    const steps = traces[0]?.bindings[0]?.evaluations[0]?.steps;
    expect(steps?.matchConditions?.results).toMatchObject([{ expression: "true", value: true, cost: 0 }]);
    expect(steps?.validations?.variables).toEqual([{ name: "v", value: "1", cost: 3 }]);
    expect(steps?.validations?.results).toMatchObject([{ value: false, cost: 3, variablesCost: 3 }]);
    expect(steps?.messageExpressions?.results).toMatchObject([{ value: "got 1" }]);
    expect(steps?.auditAnnotations?.results).toMatchObject([{ value: "v" }]);
  });

  test("have the counts of the server", () => {
    expect(admit(objects, CREATE).observations).toEqual([
      { policy: "p", binding: "b", action: "deny", errorType: "invalid_error", elapsed: 0 },
    ]);
  });
});

test("an asynchronous authorizer is called until nothing is pending", async () => {
  const check = (verb: string) => `authorizer.group('').resource('pods').check('${verb}').allowed()`;
  const objects = [
    policy({ validations: [{ expression: `${check("get")} && ${check("list")}`, message: "m" }] }),
    binding(),
  ];
  const asked: string[] = [];
  const run = (denied: string) =>
    withAsyncAuthorizer(
      async ({ verb }) => {
        asked.push(verb);
        return { decision: verb === denied ? "noOpinion" : "allow", reason: "", error: undefined };
      },
      (authorizer) => evaluatePolicies(policySetFrom(objects), attributes(CREATE), contextOf(objects, { authorizer })),
    );
  expect((await run("")).allowed).toBe(true);
  expect((await run("list")).allowed).toBe(false);
  expect(asked).toEqual(["get", "list", "get", "list"]);
});

test("a hostile object costs no more than its budget", () => {
  const data: Record<string, string> = {};
  for (let index = 0; index < 2000; index++) data[`k${index}`] = "x".repeat(100);
  const validations = [{ expression: "object.data.all(a, object.data.all(b, object.data[a] == object.data[b]))" }];
  const { error } = admit([policy({ validations }), binding()], { object: { ...OBJECT, data } });
  expect(error?.message).toContain("operation cancelled: actual cost limit exceeded");
});
