import { expect, test } from "vitest";
import { namespacesFrom, paramsFrom, policySetFrom } from "./manifests.ts";
import { nameOf } from "./params.ts";
import { yaml } from "./policy.testing.ts";

const objects = yaml(`
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: other}}
---
{apiVersion: example.com/v1, kind: Limit, metadata: {name: l}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: empties.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: Empty, plural: empties}, versions: [{name: v1}]}
---
{apiVersion: v1, kind: Namespace, metadata: {name: prod, labels: {env: prod}}}
---
{apiVersion: admissionregistration.k8s.io/v1beta1, kind: ValidatingAdmissionPolicy, metadata: {name: p}}
---
{apiVersion: admissionregistration.k8s.io/v1alpha1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: p}}
---
{apiVersion: other.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: q}}
`);
const params = paramsFrom(objects);

test.each([
  { kind: { group: "", version: "v1", kind: "ConfigMap" }, namespaced: true },
  { kind: { group: "example.com", version: "v1", kind: "Limit" }, namespaced: false },
  { kind: { group: "example.com", version: "v1", kind: "Empty" }, namespaced: true },
  { kind: { group: "example.com", version: "v2", kind: "Empty" }, namespaced: undefined },
  { kind: { group: "", version: "v1", kind: "Secret" }, namespaced: undefined },
])("$kind.kind of $kind.version is namespaced: $namespaced", ({ kind, namespaced }) => {
  expect(params.find(kind)?.namespaced).toBe(namespaced);
});

test("the caller may add kinds", () => {
  const more = paramsFrom(objects, { isNamespaced: ({ kind }) => (kind === "Secret" ? true : undefined) });
  expect(more.find({ group: "", version: "v1", kind: "Secret" })?.list("default")).toEqual([]);
});

test("an object without a namespace is in the default namespace", () => {
  const configMaps = params.find({ group: "", version: "v1", kind: "ConfigMap" });
  expect(configMaps?.list("default").map(nameOf)).toEqual(["a"]);
  expect(configMaps?.get("other", "b")).toBeDefined();
  expect(configMaps?.get("default", "b")).toBeUndefined();
});

test("namespaces have what the server sets in all of them", () => {
  const find = namespacesFrom(objects);
  expect(find("prod")["metadata"]).toMatchObject({ labels: { env: "prod" }, resourceVersion: "1" });
  expect(find("prod")["status"]).toEqual({ phase: "Active" });
  expect(find("dev")).toMatchObject({
    metadata: { name: "dev", labels: { "kubernetes.io/metadata.name": "dev" }, resourceVersion: "1" },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
  const ending = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "old", deletionTimestamp: "2030-01-01T00:00:00Z" },
  };
  expect(namespacesFrom([ending])("old")["status"]).toEqual({ phase: "Terminating" });
});

test("policies and bindings are read in any version", () => {
  const { hooks } = policySetFrom(objects);
  expect(hooks.map(({ policy, bindings }) => [policy.name, bindings.length])).toEqual([["p", 1]]);
});
