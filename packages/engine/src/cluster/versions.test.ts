/** Built-in kinds answer as the version of their server. */
import { expect, test } from "vitest";
import { decodeJson } from "../codec/json.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import type { KubernetesVersion } from "../value/server-version.ts";
import { MemoryCluster } from "./memory-cluster.ts";

const GATES = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };

function toObject(json: object): JsonObject {
  const decoded = decodeJson(JSON.stringify(json));
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("not an object");
  return decoded.value;
}

test("kinds are served in the versions that have them", () => {
  const has = (version: KubernetesVersion, apiVersion: string, kind: string): boolean =>
    new MemoryCluster([], { engine: { version, gates: GATES } }).kinds.findKind(apiVersion, kind) !== undefined;
  expect([has("1.32", "networking.k8s.io/v1", "IPAddress"), has("1.33", "networking.k8s.io/v1", "IPAddress")]).toEqual([
    false,
    true,
  ]);
  expect([
    has("1.31", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema"),
    has("1.32", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema"),
  ]).toEqual([true, false]);
  expect([
    has("1.36", "storagemigration.k8s.io/v1", "StorageVersionMigration"),
    has("1.37", "storagemigration.k8s.io/v1", "StorageVersionMigration"),
  ]).toEqual([false, true]);
});

test("kinds have the fields of their version", () => {
  const shapeOf = (version: KubernetesVersion) => {
    const { kinds } = new MemoryCluster([], { engine: { version, gates: GATES } });
    const pod = kinds.findKind("v1", "Pod");
    const body = toObject({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { hostnameOverride: "x", containers: [] },
    });
    const draft = pod?.strategy.decode({ value: body, text: () => "", strictErrors: [] }, { trackUnknown: true });
    return draft !== undefined && "findings" in draft ? draft.findings : [];
  };
  expect(shapeOf("1.33")).toEqual(['unknown field "spec.hostnameOverride"']);
  expect(shapeOf("1.34")).toEqual([]);
});
