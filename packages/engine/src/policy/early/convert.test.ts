import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../value/json.ts";
import { decodeBinding, decodePolicy } from "../decode.ts";
import { admit, type TestRequest, yaml } from "../policy.testing.ts";
import { validatePolicy } from "../validate.ts";
import { validateBinding } from "../validate-binding.ts";
import { convertEarlyPolicy, isEarlyPolicy } from "./convert.ts";

const deploymentKind = { group: "apps", version: "v1", kind: "Deployment" };
const deployments = { group: "apps", version: "v1", resource: "deployments" };

function deployment(replicas: number, namespace = "default"): TestRequest {
  const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace }, spec: { replicas } };
  return { resource: deployments, kind: deploymentKind, object };
}

function pod(name: string, spec: object = {}): TestRequest {
  const object = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec };
  const resource = { group: "", version: "v1", resource: "pods" };
  return { resource, kind: { group: "", version: "v1", kind: "Pod" }, object };
}

function widget(version: string, fields: object): TestRequest {
  const object = {
    apiVersion: `example.com/${version}`,
    kind: "My",
    metadata: { name: "w", namespace: "default" },
    ...fields,
  };
  const resource = { group: "example.com", version, resource: "myCRD" };
  return { resource, kind: { group: "example.com", version, kind: "My" }, object };
}

/** Converts and demands that everything made is accepted by the API server. */
function convert(text: string) {
  const converted = convertEarlyPolicy(yaml(text));
  for (const object of converted.objects) expect(problemsOf(object)).toEqual([]);
  return converted;
}

function problemsOf(object: JsonObject): unknown[] {
  if (object["kind"] === "ValidatingAdmissionPolicy") {
    const { value, unknown, error } = decodePolicy(object);
    return [...unknown, ...(error === undefined ? [] : [error]), ...validatePolicy(value)];
  }
  if (object["kind"] !== "ValidatingAdmissionPolicyBinding") return [];
  const { value, unknown, error } = decodeBinding(object);
  return [...unknown, ...(error === undefined ? [] : [error]), ...validateBinding(value)];
}

const namespaces = ["test", "prod", "dev"]
  .map((env) => `---\napiVersion: v1\nkind: Namespace\nmetadata: {name: ${env}, labels: {environment: ${env}}}\n`)
  .join("");

const REPLICA_POLICY = `
apiVersion: admissionregistration.k8s.io/v1alpha1
kind: ValidatingAdmissionPolicy
metadata:
  name: "validate-xyz.example.com"
spec:
  config:
    group: rules.example.com
    kind: ReplicaLimit
    version: v1
  match:
    rules:
    - apiGroups:   ["apps"]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["deployments"]
      scope:       "*"
  validations:
    - expression: "object.spec.replicas <= config.maxReplicas"
`;

const replicaLimit = (name: string, match: string, max: number) => `
---
apiVersion: rules.example.com/v1
kind: ReplicaLimit
metadata:
  name: "${name}"
spec:
${match}
  maxReplicas: ${max}
`;

const selects = (environment: string) => `
  match:
    namespaceSelectors:
    - key: environment,
      operator: In,
      values: ["${environment}"]`;

describe("the examples of the KEP as first proposed", () => {
  test("a policy with two configurations limits each environment", () => {
    const { objects, findings } = convert(
      REPLICA_POLICY +
        replicaLimit("replica-limit-test.example.com", selects("test"), 3) +
        replicaLimit("replica-limit-prod.example.com", selects("prod"), 100) +
        namespaces,
    );
    expect(admit(objects, deployment(3, "test")).allowed).toBe(true);
    expect(admit(objects, deployment(4, "test")).error?.message).toBe(
      `deployments.apps "d" is forbidden: ValidatingAdmissionPolicy 'validate-xyz.example.com' with binding 'validate-xyz.example.com-replica-limit-test.example.com' denied request: failed expression: object.spec.replicas <= variables.config.maxReplicas`,
    );
    expect(admit(objects, deployment(100, "prod")).allowed).toBe(true);
    expect(admit(objects, deployment(101, "prod")).allowed).toBe(false);
    expect(admit(objects, deployment(1000, "dev")).allowed).toBe(true);
    expect(findings.map(({ level, message }) => [level, message])).toEqual([
      ["warning", "the comma at the end of `environment,` was taken for a slip"],
      ["warning", "the comma at the end of `In,` was taken for a slip"],
      ["warning", "the comma at the end of `environment,` was taken for a slip"],
      ["warning", "the comma at the end of `In,` was taken for a slip"],
    ]);
  });

  test.each(["policyType: Singleton", "singletonPolicy: true"])(
    "a policy with `%s` needs no configuration",
    (field) => {
      const { objects, findings } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "validate-xyz.example.com"
spec:
  ${field}
  match:
    rules:
    - apiGroups:   ["apps"]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["deployments"]
      scope:       "*"
  validations:
  - expression: "object.spec.replicas < 100"
`);
      expect(findings).toEqual([]);
      expect(admit(objects, deployment(99)).allowed).toBe(true);
      expect(admit(objects, deployment(100)).error?.message).toContain(
        "ValidatingAdmissionPolicy 'validate-xyz.example.com' with binding 'validate-xyz.example.com' denied request",
      );
    },
  );

  test("a policy for one kind has access to all of the object", () => {
    const { objects, findings } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "validate-xyz.example.com"
spec:
  match:
    expression:
    - apiGroups:   ["apps"]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["deployments"]
      scope:       "*"
  validations:
    # replicas is accessible because this resource matches only v1 deployments
  - expression: "object.spec.replicas < 100"
`);
    expect(findings.map(({ path }) => path)).toEqual(["spec.match.expression", "spec"]);
    expect(admit(objects, deployment(100)).allowed).toBe(false);
    expect(admit(objects, deployment(99)).allowed).toBe(true);
  });

  test("a policy for several kinds has access to metadata only", () => {
    const { objects, findings } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "validate-xyz.example.com"
spec:
  match:
   rules:
    - apiGroups:   ["*"]
      apiVersions: ["*"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["*"]
      scope:       "*"
  validations:
    # minReadySeconds is not accessible because this resource matches multiple types
  - expression: "object.spec.minReadySeconds > 60" # ERROR! Not such field "minReadySeconds".
    # metadata is always accessible
  - expression: "object.name.startsWith('xyz')"
`);
    expect(findings.filter(({ level }) => level === "error")).toEqual([
      {
        level: "error",
        object: "ValidatingAdmissionPolicy/validate-xyz.example.com",
        path: "spec.validations[0].expression",
        message: "the policy matches several kinds, so only metadata is accessible: undefined field 'spec'",
      },
    ]);
    expect(admit(objects, pod("xyz-1")).allowed).toBe(true);
    expect(admit(objects, pod("abc")).error?.message).toContain(
      'failed expression: object.metadata.name.startsWith("xyz")',
    );
  });

  test("a validation may ignore its own failures", () => {
    const { objects } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  config: {group: rules.example.com, version: v1, kind: Limit}
  match: {rules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  validations:
    - rule: "object.spec.xyz == configuration.x"
      failurePolicy: Ignore # The default is "Fail"
    - rule: "object.spec.abc == configuration.x"
---
apiVersion: rules.example.com/v1
kind: Limit
metadata: {name: l}
spec: {x: 1}
`);
    const policies = objects.filter(({ kind }) => kind === "ValidatingAdmissionPolicy");
    expect(policies.map(({ metadata, spec }) => [metadata, spec])).toMatchObject([
      [{ name: "p", annotations: { "policy.portcullis.dev/validation-indexes": "1" } }, { failurePolicy: "Fail" }],
      [
        { name: "p.ignore", annotations: { "policy.portcullis.dev/validation-indexes": "0" } },
        { failurePolicy: "Ignore" },
      ],
    ]);
    const of = (spec: object) => ({
      ...deployment(1),
      object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace: "default" }, spec },
    });
    expect(admit(objects, of({ abc: 1 })).allowed).toBe(true);
    expect(admit(objects, of({ abc: 1, xyz: 1 })).allowed).toBe(true);
    expect(admit(objects, of({ abc: 1, xyz: 2 })).allowed).toBe(false);
    expect(admit(objects, of({ xyz: 1 })).allowed).toBe(false);
  });

  const BANNED_WORDS = `
apiVersion: rules.example.com/v1
kind: BannedWords
metadata:
  name: "banned-words.example.com"
spec:
  bannedWords:
  - glitter
  - rainbow
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "policy1.example.com"
spec:
  match:
    rules:
    - apiGroups:   ["*"]
      apiVersions: ["*"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["pods"]
      scope:       "*"
  validations:
  - rule: "!object.name in config.bannedWords"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "policy2.example.com"
spec:
  match:
    rules:
    - apiGroups:   [""]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["pods"]
      scope:       "*"
  validations:
  - rule: "!object.spec.containers.any(c, c.name in config.bannedNames)"
  - rule: "!object.spec.initContainers.any(c, c.name in config.bannedNames)"
`;

  test("two policies share one configuration, and the slips of the example are named", () => {
    const { findings } = convert(BANNED_WORDS);
    expect(findings.map(({ object, message }) => `${object.slice(-19)}: ${message}`)).toEqual([
      "policy1.example.com: `!a in b` means `(!a) in b`; it was read as `!(a in b)`",
      "policy1.example.com: `object.name` was read as `object.metadata.name`",
      "policy1.example.com: the policy reads `config` but names no configuration kind; the only one at hand, BannedWords, was taken",
      "policy2.example.com: `any` is no macro; it was read as `exists`",
      "policy2.example.com: `any` is no macro; it was read as `exists`",
      "policy2.example.com: the policy reads `config` but names no configuration kind; the only one at hand, BannedWords, was taken",
      "policy2.example.com: `config.bannedNames` is read, but BannedWords `banned-words.example.com` has no field `bannedNames`",
    ]);
  });

  test("two policies share one list of words", () => {
    const { objects } = convert(BANNED_WORDS.replaceAll("bannedNames", "bannedWords"));
    const named = (...names: string[]) => ({ containers: names.map((name) => ({ name })), initContainers: [] });
    expect(admit(objects, pod("fine", named("app"))).allowed).toBe(true);
    expect(admit(objects, pod("glitter", named("app"))).error?.message).toContain("'policy1.example.com'");
    expect(admit(objects, pod("fine", named("app", "rainbow"))).error?.message).toContain("'policy2.example.com'");
  });

  test("one policy for v1 and another for every later version of a kind", () => {
    const { objects, findings } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "policy1.example.com"
spec:
  match:
    rules:
    - apiGroups:   ["example.com"]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["myCRD"]
    matchPolicy: Exact
  validations:
  - rule: "object.v1fieldname == 'xyz'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: "policy1.example.com"
spec:
  match:
    rules:
    - apiGroups:   ["example.com"]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["myCRD"]
      exclude: true # TODO: how to support excludes?
    - apiGroups:   ["example.com"]
      apiVersions: ["*"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["myCRD"]
    # matchPolicy: Equivalent is the default
  validations:
  - rule: "object.v2fieldname == 'xyz'"
`);
    const versions = ["v1", "v2", "v3"];
    const equivalents = {
      equivalents: (resource: { group: string; resource: string }) =>
        versions.map((version) => ({ ...resource, version })),
      kindFor: ({ version }: { version: string }) => ({ group: "example.com", version, kind: "My" }),
      convert: (object: JsonObject) => object,
    };
    const ask = (version: string, fields: object) => admit(objects, widget(version, fields), { equivalents }).allowed;
    expect(ask("v1", { v1fieldname: "xyz" })).toBe(true);
    expect(ask("v1", { v1fieldname: "no" })).toBe(false);
    expect(ask("v2", { v2fieldname: "xyz" })).toBe(true);
    expect(ask("v2", { v2fieldname: "no" })).toBe(false);
    expect(ask("v3", { v2fieldname: "no" })).toBe(false);
    expect(findings.map(({ path }) => path)).toContain("metadata.name");
  });

  test("a status with generations is written anew", () => {
    const { findings } = convert(
      `
apiVersion: "admissionregisteration/v1alpha1"
kind: "ValidatingAdmissionPolicy"
metadata:
  name: "myPolicy".example
  generation: 2
`
        .replace('"myPolicy".example', "my-policy")
        .concat(`
spec:
  config:
    apiVersion: "example.com/v1"
    kind: "fooLimits"
  match: {rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods]}]}
  validations:
  - expression: "object.baz > config.min"
status:
  config:
    generation: 5
  matchedCustomResource:
    apiVersion: "example.com/v1"
    kind: "foo"
    generation: 100
`),
    );
    expect(findings.map(({ path }) => path)).toEqual(["status", "spec.config"]);
  });
});

describe("what the KEP says in words", () => {
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
    expect(convertEarlyPolicy(yaml(text)).findings[0]?.message).toContain("`io.k8s.api.core.v1.Container` is a type");
    const placesOf = () => ["spec.containers[*]", "spec.initContainers[*]"];
    const { objects, findings } = convertEarlyPolicy(yaml(text), { placesOf });
    expect(findings).toEqual([]);
    expect(admit(objects, pod("p", { containers: [{ image: "a" }] })).allowed).toBe(true);
    expect(admit(objects, pod("p", { initContainers: [{ image: "" }] })).allowed).toBe(false);
  });

  test("a default configuration applies where no other does", () => {
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

  test("a default beside a configuration that is more than a selector cannot be converted", () => {
    const { findings } = convert(
      REPLICA_POLICY +
        replicaLimit("a", "  match: {objectSelector: {matchLabels: {x: z}}}", 3) +
        replicaLimit("validate-xyz.example.com-default", "", 1),
    );
    expect(findings.map(({ level, object }) => [level, object])).toEqual([
      ["error", "ReplicaLimit/validate-xyz.example.com-default"],
    ]);
  });

  test("a namespaced configuration is about its own namespace", () => {
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

  test("an exclude rule below an overlapping rule does nothing, as in an ordered list", () => {
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

  test("a configuration may ask for warnings only", () => {
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
  const { findings } = convertEarlyPolicy(
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
  const { objects } = convertEarlyPolicy(
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
  const { findings } = convertEarlyPolicy(
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

test("a policy of v1 is left alone", () => {
  const [policy] = yaml(
    "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: {validations: [{expression: 'true'}]}}",
  );
  expect(policy && isEarlyPolicy(policy)).toBe(false);
  expect(convertEarlyPolicy(policy === undefined ? [] : [policy]).objects).toEqual([policy]);
});
