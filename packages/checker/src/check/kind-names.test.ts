import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import { expect, test } from "vitest";
import { unknownFieldHint } from "./field-names.ts";
import { kindNames } from "./kind-names.ts";

const GATES = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };

function hintFor(version: KubernetesVersion, path: string): string | undefined {
  const cluster = new MemoryCluster([], { engine: { version, gates: GATES } });
  const kind = cluster.kinds.findKind("v1", "Pod");
  const names = kind && kindNames(kind);
  return names && unknownFieldHint(path, names);
}

// biome-ignore format: a table
test.each([
  ["1.34", "spec.volumes[0].emptyDir.mode", "`mode` exists since Kubernetes 1.37"],
  ["1.30", "spec.resources", "`resources` exists since Kubernetes 1.32"],
  ["1.34", "spec.volumes[0].emptyDir.modee", undefined],
  ["1.37", "spec.volumes[0].emptyDir.modee", "did you mean `mode`?"],
  ["1.34", "spec.container", "did you mean `containers`?"],
  ["1.37", "spec.workloadRef", "`workloadRef` exists only in Kubernetes 1.35"],
] as const)("%s %s: %s", (version, path, hint) => {
  expect(hintFor(version, path)).toBe(hint);
});
