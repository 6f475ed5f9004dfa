/** Asking all that may change or refuse a write beyond the rules of its kind. */
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionRequest, WriteCall } from "./context.ts";

export type Subject = Pick<AdmissionRequest, "operation" | "name" | "object" | "old">;

export async function mutate(call: WriteCall, subject: Subject): Promise<JsonObject | undefined> {
  let { object } = subject;
  for (const plugin of call.server.admission) {
    if (plugin.mutate !== undefined) object = await plugin.mutate({ ...requestOf(call, subject), object });
  }
  return object;
}

export async function validate(call: WriteCall, subject: Subject): Promise<void> {
  for (const plugin of call.server.admission) await plugin.validate?.(requestOf(call, subject));
}

function requestOf(call: WriteCall, subject: Subject): AdmissionRequest {
  const { server, endpoint, namespace, options, isDryRun, user, warn } = call;
  return { server, endpoint, namespace, options, isDryRun, user, warn, ...subject };
}
