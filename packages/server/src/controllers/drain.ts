/** Deletes all objects of a kind, or those of one namespace. */

import type { User } from "@portcullis/engine/internal/rbac/user";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { parseStored, prefixOf } from "../registry/object-codec.ts";
import { deleteAs } from "../registry/server-writes.ts";

export interface DrainOptions {
  /** "" for all namespaces. */
  readonly namespace: string;
  /** Whose requests these are. */
  readonly user: User;
}

/** Whether nothing is left: finalizers and grace periods may keep some of them. */
export async function drainType(server: ServerContext, type: ResourceKind, options: DrainOptions): Promise<boolean> {
  const { entries } = await server.store.list(prefixOf(type, options.namespace));
  let isEmpty = true;
  for (const entry of entries) {
    if (!(await isDeleted(server, type, parseStored(entry), options))) isEmpty = false;
  }
  return isEmpty;
}

async function isDeleted(server: ServerContext, type: ResourceKind, object: JsonObject, { user }: DrainOptions) {
  const write = { server, user, type, object };
  try {
    const grace = isOverdue(object, server.system.now()) ? { gracePeriodSeconds: 0 } : {};
    return (await deleteAs(write, { propagationPolicy: "Background", ...grace })).isGone;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    // What admission refuses is tried again.
    return error.reason === "NotFound";
  }
}

/** In a cluster the kubelet ends a pod, or the collector of pods whose node is gone. Here nobody else does. */
function isOverdue(object: JsonObject, now: string): boolean {
  const end = metaText(object, "deletionTimestamp");
  return end !== "" && metaOf(object)["deletionGracePeriodSeconds"] !== 0 && end <= now;
}
