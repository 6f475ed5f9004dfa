import { expect, test } from "vitest";
import { create, resourceOf, update, type Written } from "./kind.testing.ts";
import { podSelector, podTemplate } from "./pod-template.testing.ts";

/** Empty lists and maps are not nil in memory, and are left out of what is stored. */

const workload = { selector: podSelector, template: podTemplate };
const emptySelector = { ...podSelector, matchExpressions: [] };
const policy = { podSelector: {}, policyTypes: ["Ingress"] };
const webhook = {
  name: "a.b.c",
  clientConfig: { url: "https://a.example/x" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
const slice = { driver: "a.b", pool, nodeName: "n", devices: [{ name: "d" }] };

test.each<{ name: string; written: Written; errors: readonly string[] }>([
  {
    name: "an empty selector",
    written: create("apps/v1/StatefulSet", { spec: { ...workload, selector: { matchLabels: {} } } }),
    errors: ["spec.selector: Invalid value: {}: empty selector is invalid for statefulset"],
  },
  {
    name: "a list that becomes empty, which may not change",
    written: update("networking.k8s.io/v1/ServiceCIDR", { spec: { cidrs: ["10.1.0.0/16"] } }, { spec: { cidrs: [] } }),
    errors: ["spec.cidrs: Invalid value: []: field is immutable"],
  },
  {
    name: "a selector that gets an empty list, which may not change",
    written: update("apps/v1/Deployment", { spec: workload }, { spec: { ...workload, selector: emptySelector } }),
    errors: [],
  },
  {
    name: "an empty map of a map that has to have something",
    written: create("v1/PersistentVolume", {
      spec: { capacity: {}, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    }),
    errors: ["spec.capacity: Required value", 'spec.capacity: Unsupported value: {}: supported values: "storage"'],
  },
  {
    name: "an empty list of a field that ephemeral containers do not have",
    written: create("v1/Pod", {
      spec: { containers: [{ name: "a", image: "i" }], ephemeralContainers: [{ name: "e", image: "i", ports: [] }] },
    }),
    errors: [
      "spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container",
      "spec.ephemeralContainers: Forbidden: cannot be set on create",
    ],
  },
  {
    name: "an empty list of counters together with devices",
    written: create("resource.k8s.io/v1/ResourceSlice", { spec: { ...slice, sharedCounters: [] } }),
    errors: [expect.stringContaining("only one of `sharedCounters` or `devices` is allowed")],
  },
])("$name: $errors", ({ written, errors }) => {
  expect(written.errors).toEqual(errors);
});

test.each<{ name: string; written: Written; generation: number }>([
  {
    name: "a deployment",
    written: update("apps/v1/Deployment", { spec: workload }, { spec: { ...workload, selector: emptySelector } }),
    generation: 1,
  },
  {
    name: "a network policy",
    written: update("networking.k8s.io/v1/NetworkPolicy", { spec: policy }, { spec: { ...policy, ingress: [] } }),
    generation: 2,
  },
  {
    name: "a webhook configuration",
    written: update(
      "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",
      { webhooks: [webhook] },
      { webhooks: [{ ...webhook, matchConditions: [] }] },
    ),
    generation: 2,
  },
])("$name that gets an empty list has generation $generation", ({ written, generation }) => {
  expect(written.object).toMatchObject({ metadata: { generation } });
});

test("what is stored has no empty list or map", () => {
  const { object } = create("v1/Pod", {
    metadata: { annotations: {} },
    spec: {
      containers: [{ name: "a", image: "i", args: [], resources: { limits: {} } }],
      nodeSelector: {},
      volumes: [],
    },
  });
  expect(object).toMatchObject({ spec: { nodeSelector: {}, volumes: [], containers: [{ args: [] }] } });
  const stored = resourceOf("v1/Pod").encode(object);
  expect(JSON.stringify(stored)).not.toMatch(/\[\]|annotations|nodeSelector|limits|requests/);
});

test.each([
  { spec: { ...policy, policyTypes: [], egress: [] }, policyTypes: ["Ingress"] },
  { spec: { ...policy, policyTypes: [], egress: [{}] }, policyTypes: ["Ingress", "Egress"] },
])("an empty list gets the default: $policyTypes", ({ spec, policyTypes }) => {
  expect(create("networking.k8s.io/v1/NetworkPolicy", { spec }).object).toMatchObject({ spec: { policyTypes } });
});
