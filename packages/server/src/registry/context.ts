/** What surrounds a write: the server's parts, who asks for what, and the seam for policies. */

import type { SystemFields } from "@portcullis/engine/pipeline/prepare";
import type { FieldValidation } from "@portcullis/engine/pipeline/request";
import type { ReinvocationState } from "@portcullis/engine/policy/mutating/reinvocation";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { Authorizer } from "../auth/authorize.ts";
import type { User } from "../auth/user.ts";
import type { ServerMetrics } from "../observe/server-metrics.ts";
import type { Store } from "../storage/store.ts";
import type { FieldManager } from "./field-manager.ts";
import type { Registry } from "./registry.ts";
import type { Endpoint, WriteContext } from "./resource-type.ts";

export interface ServerContext {
  readonly store: Store;
  readonly registry: Registry;
  readonly system: SystemFields;
  readonly admission: readonly AdmissionPlugin[];
  readonly fieldManager: FieldManager;
  readonly authorizer: Authorizer;
  readonly metrics: ServerMetrics;
  /** Hears of defects: whatever is thrown that is not a refusal. */
  readonly onDefect: (error: unknown) => void;
}

export type Annotate = (key: string, value: string, level?: "Request") => void;

/** One write. */
export interface WriteCall {
  readonly server: ServerContext;
  readonly endpoint: Endpoint;
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly user: User;
  /** Who owns the fields that the write sets. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  readonly isDryRun: boolean;
  /** When the request must be answered, in milliseconds since 1970. */
  readonly deadline: number;
  /** CreateOptions and the like, as admission sees them. */
  readonly options: JsonObject;
  readonly warn: (text: string) => void;
  /** Puts something into the request's audit event, from the given audit level on. What is there stays. */
  readonly annotate: Annotate;
}

export function writeContext(call: WriteCall): WriteContext {
  const { namespace, fieldValidation, user, warn, server } = call;
  const { system, metrics } = server;
  const ratcheting = { clock: metrics.clock, observe: (seconds: number) => metrics.ratcheting(seconds) };
  return { namespace, fieldValidation, user, warn, system, ratcheting };
}

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

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
  /** When the request must be answered, in milliseconds since 1970. */
  readonly deadline: number;
  readonly user: User;
  readonly warn: (text: string) => void;
  /** Puts something into the request's audit event, from the given audit level on. What is there stays. */
  readonly annotate: Annotate;
}

/** One write's way through the plugins that change objects: all are asked a second time where one of them wants that. */
export interface Reinvocation {
  isAgain: boolean;
  isWanted: boolean;
  /** What mutating policies noted when they were asked first. */
  policies: ReinvocationState | undefined;
  /** What mutating webhooks noted. */
  webhooks: ReinvocationState | undefined;
}

export interface AdmissionPlugin {
  /** Under which its time is counted; it is not where absent. */
  readonly name?: string;
  /** The object to go on with. Throws a StatusError to refuse. */
  readonly mutate?: (request: AdmissionRequest, reinvocation: Reinvocation) => Promise<JsonObject | undefined>;
  /** Throws a StatusError to refuse. */
  readonly validate?: (request: AdmissionRequest) => Promise<void>;
}
