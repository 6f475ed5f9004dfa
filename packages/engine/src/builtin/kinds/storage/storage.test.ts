import { expect, test } from "vitest";
import { create, testKinds, update } from "../kind.testing.ts";

const attachment = { attacher: "a", nodeName: "n" };

testKinds({
  "storage.k8s.io/v1/CSIDriver": {
    valid: { spec: {} },
    wrong: { spec: { fsGroupPolicy: "Never" } },
    errors: [
      'spec.fsGroupPolicy: Unsupported value: "Never": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    ],
  },
  "storage.k8s.io/v1/CSINode": {
    valid: { spec: { drivers: [{ name: "d", nodeID: "n" }] } },
    wrong: { spec: { drivers: [{ name: "d", nodeID: "" }] } },
    errors: ["spec.drivers[0].nodeID: Required value"],
  },
  "storage.k8s.io/v1/CSIStorageCapacity": {
    valid: { storageClassName: "s", capacity: "1Gi" },
    wrong: { storageClassName: "s", capacity: "-1" },
    errors: ['capacity: Invalid value: "-1": must be greater than or equal to 0'],
  },
  "storage.k8s.io/v1/StorageClass": {
    valid: { provisioner: "example.com/p" },
    wrong: {},
    errors: ["provisioner: Required value"],
  },
  "storage.k8s.io/v1/VolumeAttachment": {
    valid: { spec: { ...attachment, source: { persistentVolumeName: "p" } } },
    wrong: { spec: attachment },
    errors: ["spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName"],
  },
  "storage.k8s.io/v1/VolumeAttributesClass": {
    valid: { driverName: "d", parameters: { a: "b" } },
    wrong: { driverName: "d" },
    errors: ["parameters: Required value: must contain at least one key/value pair"],
  },
});

test("the generation of a driver starts with its first change", () => {
  expect(create("storage.k8s.io/v1/CSIDriver", { spec: {} }).object["metadata"]).not.toHaveProperty("generation");
  const { object } = update("storage.k8s.io/v1/CSIDriver", { spec: {} }, { spec: { requiresRepublish: true } });
  expect(object).toMatchObject({ metadata: { generation: 1 } });
});

test("equal topologies are reported for each pair, up to two thousand", () => {
  const term = { matchLabelExpressions: [{ key: "k", values: ["a", "b"] }] };
  const other = { matchLabelExpressions: [{ key: "k", values: ["b", "a"] }] };
  const errorsOf = (allowedTopologies: readonly object[]) =>
    create("storage.k8s.io/v1/StorageClass", { provisioner: "example.com/p", allowedTopologies }).errors;
  expect(errorsOf([term, other, term])).toEqual([
    'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
    'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""',
    'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""',
  ]);
  expect(errorsOf(Array.from({ length: 5_000 }, () => term))).toHaveLength(2_000);
});
