import { expect, test } from "vitest";
import { NO_EQUIVALENTS } from "./attributes.ts";
import { policySetFrom } from "./manifests.ts";
import { attributes, plainObject } from "./policy.testing.ts";

const GROUP = "admissionregistration.k8s.io/v1";

function policyFor(name: string, rule: object) {
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"], ...rule }];
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression: "true" }] };
  return plainObject({ apiVersion: GROUP, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec });
}

function bindingFor(policyName: string) {
  const spec = { policyName, validationActions: ["Deny"] };
  return plainObject({
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName },
    spec,
  });
}

const rules = {
  pods: {},
  deployments: { apiGroups: ["apps"], resources: ["deployments"] },
  "any-group": { apiGroups: ["*"] },
  "any-resource": { resources: ["*"] },
  everything: { apiGroups: ["*"], resources: ["*/*"] },
  status: { resources: ["pods/status"] },
};

const set = policySetFrom(Object.entries(rules).flatMap(([name, rule]) => [policyFor(name, rule), bindingFor(name)]));

test.each([
  { group: "", resource: "pods", found: ["any-group", "any-resource", "everything", "pods", "status"] },
  { group: "apps", resource: "deployments", found: ["deployments", "everything"] },
  { group: "apps", resource: "pods", found: ["any-group", "everything"] },
  { group: "", resource: "secrets", found: ["any-resource", "everything"] },
  { group: "x", resource: "y", found: ["everything"] },
])("a request for $resource in group '$group' is for $found", ({ group, resource, found }) => {
  const asked = attributes({ resource: { group, version: "v1", resource } });
  expect(set.candidates(asked, NO_EQUIVALENTS).map(({ policy }) => policy.name)).toEqual(found);
});

test("a policy is found by an equivalent resource", () => {
  const asked = attributes({ resource: { group: "extensions", version: "v1", resource: "deployments" } });
  const equivalents = {
    ...NO_EQUIVALENTS,
    equivalents: () => [asked.resource, { group: "apps", version: "v1", resource: "deployments" }],
  };
  expect(set.candidates(asked, equivalents).map(({ policy }) => policy.name)).toEqual(["deployments", "everything"]);
});

test("policies without bindings and bindings without policies are distinguished", () => {
  const { hooks, unbound, dangling } = policySetFrom([
    policyFor("a", {}),
    policyFor("b", {}),
    bindingFor("b"),
    bindingFor("c"),
  ]);
  expect(hooks.map(({ policy }) => policy.name)).toEqual(["b"]);
  expect(unbound.map(({ name }) => name)).toEqual(["a"]);
  expect(dangling.map(({ name }) => name)).toEqual(["c"]);
});

test("a thousand policies that do not match cost almost nothing", () => {
  const many = Array.from({ length: 1000 }, (_, index) => `p${index}`);
  const large = policySetFrom(
    many.flatMap((name) => [policyFor(name, { apiGroups: [`${name}.io`] }), bindingFor(name)]),
  );
  const asked = attributes({ resource: { group: "p7.io", version: "v1", resource: "pods" } });
  expect(large.candidates(asked, NO_EQUIVALENTS)).toHaveLength(1);
});
