/** What may change or refuse a write beyond the rules of its kind: the seam for policies, and namespaces' own rule. */
import type { JsonObject } from "@portcullis/engine/value/json";
import type { User } from "../auth/user.ts";
import type { ServerContext, WriteCall } from "./context.ts";
import type { Endpoint } from "./resource-type.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE";

export interface AdmissionRequest {
  readonly server: ServerContext;
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  readonly namespace: string;
  /** "" where it is still to be generated. */
  readonly name: string;
  /** Undefined on delete. */
  readonly object: JsonObject | undefined;
  /** Undefined on create. */
  readonly old: JsonObject | undefined;
  readonly options: JsonObject;
  readonly isDryRun: boolean;
  readonly user: User;
  readonly warn: (text: string) => void;
}

export interface AdmissionPlugin {
  /** The object to go on with. Throws a StatusError to refuse. */
  readonly mutate?: (request: AdmissionRequest) => Promise<JsonObject | undefined>;
  /** Throws a StatusError to refuse. */
  readonly validate?: (request: AdmissionRequest) => Promise<void>;
}

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
