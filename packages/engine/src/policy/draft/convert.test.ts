import { describe, expect, test } from "vitest";
import { admit, yaml } from "../policy.testing.ts";
import { convertDraftPolicy, isDraftPolicy } from "./convert.ts";
import { convert, deployment, namespaces, pod, REPLICA_POLICY, replicaLimit, selects } from "./draft.testing.ts";

describe("the prose of the KEP", () => {
  const head = (spec: string) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  policyType: Singleton
  match: {rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods]}]}
${spec}`;

  test.each([
    {
      scope: "spec.containers[*].image",
      rule: "self.startsWith('ok/')",
      spec: { containers: [{ image: "ok/a" }] },
      allowed: true,
    },
    {
      scope: "spec.containers[*].image",
      rule: "self.startsWith('ok/')",
      spec: { containers: [{ image: "no/a" }] },
      allowed: false,
    },
    { scope: "spec.containers[*].image", rule: "self.startsWith('ok/')", spec: { containers: [{}] }, allowed: true },
    { scope: "spec.containers[*].image", rule: "self.startsWith('ok/')", spec: {}, allowed: true },
    {
      scope: "spec.containers[*].ports[*].port",
      rule: "self > 1",
      spec: { containers: [{ ports: [{ port: 2 }, { port: 1 }] }] },
      allowed: false,
    },
    { scope: "spec.hostNetwork", rule: "self == false", spec: { hostNetwork: true }, allowed: false },
  ])("a rule scoped to $scope on $spec", ({ scope, rule, spec, allowed }) => {
    const { objects } = convert(head(`  validations: [{rule: "${rule}", scope: "${scope}"}]`));
    expect(admit(objects, pod("p", spec)).allowed).toBe(allowed);
  });

  test.each([
    { before: { a: 1 }, after: { a: 1 }, allowed: true },
    { before: { a: 1 }, after: { a: 2 }, allowed: false },
    { before: {}, after: { a: 2 }, allowed: true },
    { before: { a: 1 }, after: {}, allowed: true },
  ])("a scoped transition rule from $before to $after", ({ before, after, allowed }) => {
    const { objects } = convert(head(`  validations: [{rule: "self == oldSelf", scope: "spec.a"}]`));
    const oldObject = pod("p", before).object;
    expect(admit(objects, { ...pod("p", after), oldObject, operation: "UPDATE" }).allowed).toBe(allowed);
  });

  test("a rule scoped to a type is applied wherever the schemas have it", () => {
    const text = head(`  validations: [{rule: "self.image != ''", scope: "io.k8s.api.core.v1.Container"}]`);
    expect(convertDraftPolicy(yaml(text)).findings[0]?.message).toContain("`io.k8s.api.core.v1.Container` is a type");
    const placesOf = () => ["spec.containers[*]", "spec.initContainers[*]"];
    const { objects, findings } = convertDraftPolicy(yaml(text), { placesOf });
    expect(findings).toEqual([]);
    expect(admit(objects, pod("p", { containers: [{ image: "a" }] })).allowed).toBe(true);
    expect(admit(objects, pod("p", { initContainers: [{ image: "" }] })).allowed).toBe(false);
  });

  test("a default configuration applies if no other does", () => {
    const { objects, findings } = convert(
      REPLICA_POLICY +
        replicaLimit("replica-limit-test.example.com", selects("test"), 3) +
        replicaLimit("validate-xyz.example.com-default", "", 1) +
        namespaces,
    );
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);
    expect(admit(objects, deployment(3, "test")).allowed).toBe(true);
    expect(admit(objects, deployment(1, "dev")).allowed).toBe(true);
    expect(admit(objects, deployment(2, "dev")).allowed).toBe(false);
  });

  test.each([
    { name: "labels of objects", match: "{objectSelector: {matchLabels: {x: z}}}", at: { labels: { x: "z" } } },
    {
      name: "several requirements on namespaces",
      match:
        "{namespaceSelector: {matchLabels: {environment: test}, matchExpressions: [{key: gone, operator: DoesNotExist}, {key: environment, operator: NotIn, values: [a]}]}}",
      at: { namespace: "test" },
    },
    {
      name: "rules",
      match:
        "{rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments], resourceNames: [big]}]}",
      at: { name: "big" },
    },
    { name: "everything", match: "{}", at: {} },
  ])("a default configuration steps back where another one matches by $name", ({ match, at }) => {
    const { objects, findings } = convert(
      REPLICA_POLICY +
        replicaLimit("other", `  match: ${match}`, 3) +
        replicaLimit("validate-xyz.example.com-default", "", 1) +
        namespaces,
    );
    expect(findings.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "warning: the default configuration applies where no other does; its validations are in the policy `validate-xyz.example.com.default`",
    ]);
    const request = (replicas: number, metadata: { namespace?: string }) => {
      const named = { name: "d", namespace: "default", ...metadata };
      const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: named, spec: { replicas } };
      return { ...deployment(replicas, named.namespace), object };
    };
    expect(admit(objects, request(3, at)).allowed).toBe(true);
    expect(admit(objects, request(4, at)).error?.message).toContain("binding 'validate-xyz.example.com-other'");
    if (match === "{}") return;
    expect(admit(objects, request(1, { namespace: "dev" })).allowed).toBe(true);
    expect(admit(objects, request(2, { namespace: "dev" })).error?.message).toContain(
      "ValidatingAdmissionPolicy 'validate-xyz.example.com.default'",
    );
  });

  test.each([
    { name: "is in the policy", spec: "  defaultConfig: {maxReplicas: 1}", config: "" },
    { name: "is named by the policy", spec: "  defaultConfig: fallback", config: replicaLimit("fallback", "", 1) },
    { name: "is marked", spec: "", config: replicaLimit("any", "  defaultConfiguration: true", 1) },
  ])("a default configuration that $name", ({ spec, config }) => {
    const policy = REPLICA_POLICY.replace("  match:\n", `${spec}\n  match:\n`);
    const { objects } = convert(policy + replicaLimit("test", selects("test"), 3) + config + namespaces);
    expect(admit(objects, deployment(3, "test")).allowed).toBe(true);
    expect(admit(objects, deployment(2, "dev")).allowed).toBe(false);
    expect(admit(objects, deployment(1, "dev")).allowed).toBe(true);
  });

  test("each severity of a validation has a policy with a binding of its own", () => {
    const { objects, findings } = convert(
      head(`  validations:
  - {rule: "false", message: denied}
  - {rule: "false", message: warned, severity: Warning}
  - {rule: "false", message: audited, severity: Audit, failurePolicy: Ignore}
  - {rule: "true", severity: Error}`),
    );
    const bindings = objects.filter(({ kind }) => kind === "ValidatingAdmissionPolicyBinding");
    expect(bindings.map(({ spec }) => spec)).toMatchObject([
      { policyName: "p", validationActions: ["Deny"] },
      { policyName: "p.warn", validationActions: ["Warn"] },
      { policyName: "p.ignore.audit", validationActions: ["Audit"] },
    ]);
    expect(findings.map(({ message }) => message)).toEqual([
      "validations with action Warn are in the policy `p.warn`",
      "validations with failure policy Ignore and action Audit are in the policy `p.ignore.audit`",
    ]);
    const verdict = admit(objects, pod("x"));
    expect(verdict.error?.message).toContain("denied request: denied");
    expect(verdict.warnings.join()).toContain("warned");
    expect(JSON.stringify([...verdict.auditAnnotations])).toContain("audited");
  });

  test("the severity of a policy applies to validations without one, that of a configuration to all", () => {
    const soft = REPLICA_POLICY.replace("  match:\n", "  severity: Warning\n  match:\n");
    expect(admit(convert(soft + replicaLimit("a", "", 3)).objects, deployment(4)).allowed).toBe(true);
    const hard = convert(soft + replicaLimit("a", "  severity: Error", 3));
    expect(admit(hard.objects, deployment(4)).allowed).toBe(false);
  });

  test("an unknown severity is reported and denies", () => {
    const { objects, findings } = convertDraftPolicy(yaml(head(`  validations: [{rule: "false", severity: Loud}]`)));
    expect(findings.map(({ level, path }) => [level, path])).toEqual([["error", "spec.validations[0].severity"]]);
    expect(admit(objects, pod("x")).allowed).toBe(false);
  });

  test("a namespaced configuration applies to its own namespace", () => {
    const { objects } = convert(
      REPLICA_POLICY +
        replicaLimit("mine", "", 3).replace('name: "mine"', 'name: "mine"\n  namespace: "test"') +
        namespaces.replaceAll("labels: {environment: test}", "labels: {kubernetes.io/metadata.name: test}"),
    );
    expect(admit(objects, deployment(4, "test")).allowed).toBe(false);
    expect(admit(objects, deployment(4, "dev")).allowed).toBe(true);
  });

  test("users and permissions become match conditions", () => {
    const text = head("  validations: [{rule: 'false'}]").replace(
      "match: {rules",
      "match: {userInfo: {groups: [devs]}, permissions: [{verb: hold, group: '', resource: pods}], rules",
    );
    const { objects } = convert(text);
    const alice = { name: "alice", uid: "", groups: ["devs"], extra: new Map() };
    expect(admit(objects, { ...pod("p"), userInfo: alice }).allowed).toBe(true);
    const allowAll = { authorize: () => ({ decision: "allow", reason: "", error: undefined }) as const };
    expect(admit(objects, { ...pod("p"), userInfo: alice }, { authorizer: allowAll }).allowed).toBe(false);
    expect(admit(objects, pod("p"), { authorizer: allowAll }).allowed).toBe(true);
  });

  test.each([
    { code: 403, reason: "Forbidden", lossy: false },
    { code: 413, reason: "RequestEntityTooLarge", lossy: false },
    { code: 422, reason: "Invalid", lossy: false },
    { code: 409, reason: "Invalid", lossy: true },
    { code: 401, reason: "Forbidden", lossy: true },
  ])("code $code becomes $reason", ({ code, reason, lossy }) => {
    const { objects, findings } = convert(head(`  validations: [{rule: "false", code: ${code}}]`));
    expect(admit(objects, pod("p")).error?.reason).toBe(reason);
    expect(findings.length > 0).toBe(lossy);
  });

  test("an exclude rule after an overlapping rule has no effect, as in an ordered list", () => {
    const { objects } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  policyType: Singleton
  match:
    matchPolicy: Exact
    rules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
    - {apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods], effect: Skip}
    - {apiGroups: [""], apiVersions: ["*"], operations: ["*"], resources: [pods]}
  validations: [{rule: "false"}]
`);
    expect(admit(objects, pod("p")).allowed).toBe(false);
    expect(admit(objects, { ...pod("p"), oldObject: pod("p").object, operation: "UPDATE" }).allowed).toBe(true);
  });

  test("a configuration may request warnings only", () => {
    const { objects } = convert(REPLICA_POLICY + replicaLimit("soft", "  severity: Warning", 3));
    const verdict = admit(objects, deployment(4));
    expect(verdict.allowed).toBe(true);
    expect(verdict.warnings).toHaveLength(1);
  });
});

test.each([
  { name: "unknown parts of the spec", spec: "{policyType: Singleton, levels: 3}", path: "spec.levels" },
  { name: "unknown parts of the match", spec: "{match: {urls: [/x]}}", path: "spec.match.urls" },
  {
    name: "unknown parts of a validation",
    spec: "{match: {}, validations: [{rule: 'true', weight: 1}]}",
    path: "spec.validations[0].weight",
  },
  {
    name: "expressions that do not parse",
    spec: "{match: {}, validations: [{rule: 'a +'}]}",
    path: "spec.validations[0].rule",
  },
  {
    name: "configuration that is nowhere",
    spec: "{match: {}, validations: [{rule: 'config.a == 1'}]}",
    path: "spec.config",
  },
  {
    name: "a default that does not exist",
    spec: "{config: {kind: A, version: v1}, defaultConfig: x}",
    path: "spec.defaultConfig",
  },
])("names $name", ({ spec, path }) => {
  const { findings } = convertDraftPolicy(
    yaml(
      `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: ${spec}}`,
    ),
  );
  expect(findings.filter(({ level }) => level === "error").map((finding) => finding.path)).toContain(path);
});

test.each([
  { text: "'config' == config.x", converted: "variables.config.x" },
  { text: "object.config == 1", converted: "object.config == 1" },
  { text: "[1].exists(config, config == 1)", converted: "[1].exists(config, config == 1)" },
])("only the variable is replaced in $text", ({ text, converted }) => {
  const { objects } = convertDraftPolicy(
    yaml(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  config: {apiVersion: a.b/v1, kind: C}
  match: {rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods]}]}
  validations: [{rule: "${text}"}]
`),
  );
  expect(JSON.stringify(objects[0])).toContain(converted);
});

test("a field that schemas would make a boolean is compared with true", () => {
  const text = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  policyType: Singleton
  match: {rules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  validations: [{rule: "object.spec.paused", messageExpression: "object.name"}]
`;
  expect(convert(text).objects[0]?.["spec"]).toMatchObject({
    validations: [{ expression: "(object.spec.paused) == true", messageExpression: "string(object.metadata.name)" }],
  });
});

test("a malformed match of a configuration is named, and its binding never matches too little", () => {
  const { findings } = convertDraftPolicy(
    yaml(
      REPLICA_POLICY +
        replicaLimit("a", "  match: {namespaceSelector: {matchExpressions: [{key: a, operator: Is}]}}", 3),
    ),
  );
  expect(findings).toEqual([
    {
      level: "error",
      object: "ValidatingAdmissionPolicy/validate-xyz.example.com",
      path: "spec.match",
      message:
        'the match criteria are malformed: spec.matchResources.namespaceSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    },
  ]);
});

test("a v1 policy is unchanged", () => {
  const [policy] = yaml(
    "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: {validations: [{expression: 'true'}]}}",
  );
  expect(policy && isDraftPolicy(policy)).toBe(false);
  expect(convertDraftPolicy(policy === undefined ? [] : [policy]).objects).toEqual([policy]);
});
