/** The roles and bindings of a new server. Those that are there already are left as they are. */
import { bootstrapClusterRoleBindings, bootstrapClusterRoles } from "@portcullis/engine/internal/rbac/bootstrap";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { keyOf } from "../registry/object-codec.ts";
import { createStored } from "../registry/stored.ts";
import { RBAC_GROUP } from "./rbac.ts";

export async function createBootstrapRoles(server: ServerContext): Promise<void> {
  await Promise.all([
    createAll(server, "clusterroles", bootstrapClusterRoles()),
    createAll(server, "clusterrolebindings", bootstrapClusterRoleBindings()),
  ]);
}

async function createAll(server: ServerContext, plural: string, objects: readonly JsonObject[]): Promise<void> {
  const { registry, store, system } = server;
  const type = registry.find(RBAC_GROUP, "v1", plural);
  if (type === undefined) return;
  const create = (object: JsonObject): Promise<void> => {
    const stamped = withMeta(object, { uid: system.uid(), creationTimestamp: system.now() });
    return createStored(store, keyOf(type, "", metaText(object, "name")), type, stamped);
  };
  // Together they wait for the disk once.
  await Promise.all(objects.map(create));
}
