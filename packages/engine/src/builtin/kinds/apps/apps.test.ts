import { expect, test } from "vitest";
import { create, testKinds, update, updateStatus } from "../kind.testing.ts";
import { podSelector, podTemplate } from "../pod-template.testing.ts";

const spec = { selector: podSelector, template: podTemplate };

testKinds({
  "apps/v1/ControllerRevision": {
    valid: { data: {}, revision: 1 },
    wrong: { data: {}, revision: -1 },
    errors: ["revision: Invalid value: -1: must be greater than or equal to 0"],
  },
  "apps/v1/DaemonSet": {
    valid: { spec },
    wrong: { spec: { ...spec, selector: { matchLabels: { app: "b" } } } },
    errors: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'],
  },
  "apps/v1/Deployment": {
    valid: { spec },
    wrong: { spec: { ...spec, replicas: -1 } },
    errors: ["spec.replicas: Invalid value: -1: must be greater than or equal to 0"],
  },
  "apps/v1/ReplicaSet": {
    valid: { spec },
    wrong: { spec: { template: podTemplate } },
    errors: [
      "spec.selector: Required value",
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
  },
  "apps/v1/StatefulSet": {
    valid: { spec },
    wrong: { spec: { ...spec, podManagementPolicy: "Random" } },
    errors: ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
  },
});

test("a new deployment has defaults, a generation and an empty status", () => {
  expect(create("apps/v1/Deployment", { spec, status: { replicas: 3 } }).object).toMatchObject({
    metadata: { generation: 1 },
    spec: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: { type: "RollingUpdate" } },
    status: {},
  });
});

test.each([
  { name: "its spec", after: { spec: { ...spec, replicas: 2 } }, generation: 2 },
  { name: "an annotation", after: { metadata: { annotations: { a: "b" } }, spec }, generation: 2 },
  { name: "a label", after: { metadata: { labels: { a: "b" } }, spec }, generation: 1 },
])("a deployment that changes $name has generation $generation", ({ after, generation }) => {
  expect(update("apps/v1/Deployment", { spec }, after).object).toMatchObject({ metadata: { generation } });
});

test.each([
  { status: { replicas: -1 }, fields: ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"] },
  { status: { replicas: 1, readyReplicas: 2 }, fields: ["readyReplicas"] },
  { status: { replicas: 2, availableReplicas: 1 }, fields: ["availableReplicas"] },
])("the counts of a deployment's status must be consistent: $fields", ({ status, fields }) => {
  const { errors } = updateStatus("apps/v1/Deployment", { spec }, status);
  expect(errors.map((error) => error.split(":")[0])).toEqual(fields.map((field) => `status.${field}`));
});

test("a daemon set counts the generations of its template in an annotation", () => {
  const changed = { ...spec, template: { ...podTemplate, metadata: { labels: { app: "a", b: "c" } } } };
  const annotations = { "deprecated.daemonset.template.generation": "2" };
  expect(update("apps/v1/DaemonSet", { spec }, { spec: changed }).object).toMatchObject({ metadata: { annotations } });
});

test("a number as a text is an amount, though one of the wrong form", () => {
  const rolling = (rollingUpdate: object): object => ({ spec: { ...spec, updateStrategy: { rollingUpdate } } });
  expect(create("apps/v1/DaemonSet", rolling({ maxUnavailable: "10", maxSurge: 1 })).errors).toEqual([
    expect.stringMatching(/^spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "10": a valid percent/),
    "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero",
  ]);
  expect(create("apps/v1/StatefulSet", rolling({ maxUnavailable: "00%" })).errors).toEqual([
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "00%": cannot be 0',
  ]);
});

test("templates of claims are claims, whatever they say", () => {
  const claim = {
    metadata: { name: "v" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const set = (more: object): object => ({ spec: { ...spec, volumeClaimTemplates: [{ ...claim, ...more }] } });
  expect(update("apps/v1/StatefulSet", set({}), set({ apiVersion: "x", kind: "Y" })).errors).toEqual([]);
});
