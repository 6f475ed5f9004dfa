/** Every manifest of KEP-3488 as it was first proposed, put to the test its own text names. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../value/json.ts";
import { admit } from "../policy.testing.ts";
import {
  convert,
  deployment,
  namespaces,
  pod,
  REPLICA_POLICY,
  replicaLimit,
  selects,
  widget,
} from "./draft.testing.ts";

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

  test("two policies share one configuration, and the mistakes of the example are reported", () => {
    const { findings } = convert(BANNED_WORDS);
    expect(findings.map(({ object, message }) => `${object.slice(-19)}: ${message}`)).toEqual([
      "policy1.example.com: `!a in b` means `(!a) in b`; it was read as `!(a in b)`",
      "policy1.example.com: `object.name` was read as `object.metadata.name`",
      "policy1.example.com: the policy reads `config` but names no configuration kind; the only one at hand, BannedWords, was taken",
      "policy2.example.com: `any` is not a macro; it was read as `exists`",
      "policy2.example.com: `any` is not a macro; it was read as `exists`",
      "policy2.example.com: the policy reads `config` but names no configuration kind; the only one at hand, BannedWords, was taken",
      "policy2.example.com: `config.bannedNames` is read, but BannedWords `banned-words.example.com` has no field `bannedNames`",
    ]);
  });

  test("two policies share one list of texts", () => {
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
    const isAllowed = (version: string, fields: object) =>
      admit(objects, widget(version, fields), { equivalents }).allowed;
    expect(isAllowed("v1", { v1fieldname: "xyz" })).toBe(true);
    expect(isAllowed("v1", { v1fieldname: "no" })).toBe(false);
    expect(isAllowed("v2", { v2fieldname: "xyz" })).toBe(true);
    expect(isAllowed("v2", { v2fieldname: "no" })).toBe(false);
    expect(isAllowed("v3", { v2fieldname: "no" })).toBe(false);
    expect(findings.map(({ path }) => path)).toContain("metadata.name");
  });

  test("a status with generations is rewritten", () => {
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

  test("a status that reports errors is dropped, and the errors are found again", () => {
    const { findings } = convert(
      `${REPLICA_POLICY}status:
  conditions:
    type: "Available" # TODO: pick an appropriate type for broken policies
    status: "False"
    reason: Misconfigured
    message: "Validation expressions contain errors. Config custom resource definition not found."
  validationErrors:
    - expression: "object.baz > config.min"
      errors:
        - "illegal ..."
        - "no such field ..."
  configCustomResourceDefinitionErrors:
    - "Config custom resource definition not found"
`,
    );
    expect(findings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      "status: the status is not converted; it is written anew",
      "spec.config: there is no configuration object of kind ReplicaLimit, so nothing binds the policy",
    ]);
  });

  test("reserved labels are forbidden by default and checked where a namespace may use them", () => {
    const { objects } = convert(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: reserved}
spec:
  config: {group: rules.example.com, version: v1, kind: ReservedLabels}
  match: {rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods]}]}
  validations:
  - rule: "!has(object.metadata.labels) || object.metadata.labels.all(k, !k.startsWith('reserved/') || object.metadata.labels[k] in config.values)"
---
apiVersion: rules.example.com/v1
kind: ReservedLabels
metadata: {name: allowed}
spec:
  match: {namespaceSelector: {matchExpressions: [{key: may-use-reserved-labels, operator: Exists}]}}
  values: [gold, silver]
---
apiVersion: rules.example.com/v1
kind: ReservedLabels
metadata: {name: reserved-default}
spec: {defaultConfiguration: true, values: []}
---
apiVersion: v1
kind: Namespace
metadata: {name: default}
---
apiVersion: v1
kind: Namespace
metadata: {name: trusted, labels: {may-use-reserved-labels: ""}}
`);
    const labelled = (namespace: string, tier: string) => {
      const metadata = { name: "p", namespace, labels: { "reserved/tier": tier } };
      return { ...pod("p"), object: { apiVersion: "v1", kind: "Pod", metadata, spec: {} } };
    };
    expect(admit(objects, labelled("trusted", "gold")).allowed).toBe(true);
    expect(admit(objects, labelled("trusted", "lead")).allowed).toBe(false);
    expect(admit(objects, labelled("default", "gold")).allowed).toBe(false);
    expect(admit(objects, pod("p")).allowed).toBe(true);
  });
});
