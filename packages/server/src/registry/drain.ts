/** Deleting all objects of a kind, or those of one namespace. */
import { StatusError } from "@portcullis/engine/status/error";
import { newObject } from "@portcullis/engine/value/json";
import type { ServerContext, WriteCall } from "./context.ts";
import { deleteObject } from "./delete.ts";
import { metaText } from "./meta.ts";
import { parseStored, prefixOf } from "./object-codec.ts";
import type { ResourceType } from "./resource-type.ts";

/** Whether nothing is left: finalizers may hold some of them. */
export async function drainType(server: ServerContext, type: ResourceType, namespace: string): Promise<boolean> {
  const { entries } = await server.store.list(prefixOf(type, namespace));
  let isEmpty = true;
  for (const entry of entries) {
    const object = parseStored(entry);
    const call = systemCall(server, type, metaText(object, "namespace"));
    if (!(await deleteQuietly(call, metaText(object, "name")))) isEmpty = false;
  }
  return isEmpty;
}

async function deleteQuietly(call: WriteCall, name: string): Promise<boolean> {
  try {
    return (await deleteObject(call, name, {})).isGone;
  } catch (error) {
    if (error instanceof StatusError && error.reason === "NotFound") return true;
    throw error;
  }
}

/** A write in the server's own name, which no admission looks at. */
export function systemCall(server: ServerContext, type: ResourceType, namespace: string): WriteCall {
  return {
    server: { ...server, admission: [] },
    endpoint: { type, subresource: undefined },
    namespace,
    user: { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: new Map() },
    manager: "portcullis",
    fieldValidation: "Ignore",
    isDryRun: false,
    deadline: Number.POSITIVE_INFINITY,
    options: newObject(),
    warn: () => {},
    annotate: () => {},
  };
}
