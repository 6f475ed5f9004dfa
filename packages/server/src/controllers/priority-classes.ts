/** The priority classes of system pods, which exist from the start. */
import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { keyOf } from "../registry/object-codec.ts";
import { createStored } from "../registry/stored.ts";

const SYSTEM: readonly (readonly [name: string, value: number, description: string])[] = [
  [
    "system-node-critical",
    2_000_001_000,
    "Used for system critical pods that must not be moved from their current node.",
  ],
  [
    "system-cluster-critical",
    2_000_000_000,
    "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  ],
];

export async function createPriorityClasses(server: ServerContext): Promise<void> {
  const type = server.registry.find("scheduling.k8s.io", "v1", "priorityclasses");
  if (type === undefined) return;
  await Promise.all(
    SYSTEM.map(([name, value, description]) => createClass(server, type, { name, value, description })),
  );
}

async function createClass(
  { store, system }: ServerContext,
  type: ResourceKind,
  { name, value, description }: { readonly name: string; readonly value: number; readonly description: string },
): Promise<void> {
  const metadata = objectOf({ name, uid: system.uid(), generation: 1, creationTimestamp: system.now() });
  const header = { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
  const object = objectOf({ ...header, value, description, preemptionPolicy: "PreemptLowerPriority" });
  await createStored(store, keyOf(type, "", name), type, object);
}
