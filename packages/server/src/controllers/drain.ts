/** Deletes all objects of a kind, or those of one namespace. */

import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { DeleteWrite } from "@portcullis/engine/internal/review/write";
import { StatusError } from "@portcullis/engine/internal/status/error";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { deleteObject } from "../registry/delete.ts";
import { parseStored, prefixOf } from "../registry/object-codec.ts";

/** Whether nothing is left: finalizers may keep some of them. */
export async function drainType(server: ServerContext, type: ResourceKind, namespace: string): Promise<boolean> {
  const { entries } = await server.store.list(prefixOf(type, namespace));
  let isEmpty = true;
  for (const entry of entries) if (!(await deleteQuietly(server, type, parseStored(entry)))) isEmpty = false;
  return isEmpty;
}

async function deleteQuietly(server: ServerContext, type: ResourceKind, object: JsonObject): Promise<boolean> {
  // A write by the server itself, without admission.
  const call = { server: { ...server, admission: [] }, warn: () => {}, annotate: () => {} };
  try {
    return (await deleteObject(systemDelete(type, object), call)).isGone;
  } catch (error) {
    if (error instanceof StatusError && error.reason === "NotFound") return true;
    throw error;
  }
}

function systemDelete(type: ResourceKind, object: JsonObject): Omit<DeleteWrite, "live"> {
  return {
    verb: "delete",
    endpoint: { type, subresource: undefined },
    namespace: metaText(object, "namespace"),
    name: metaText(object, "name"),
    deletion: {},
    user: { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: new Map() },
    manager: "portcullis",
    fieldValidation: "Ignore",
    isDryRun: false,
    deadline: Number.POSITIVE_INFINITY,
    options: newObject(),
  };
}
