/** What surrounds a write: the server's parts, and who asks for what. */
import type { SystemFields } from "@portcullis/engine/pipeline/prepare";
import type { FieldValidation } from "@portcullis/engine/pipeline/request";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { Authorizer } from "../auth/authorize.ts";
import type { User } from "../auth/user.ts";
import type { Store } from "../storage/store.ts";
import type { AdmissionPlugin } from "./admission.ts";
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
}

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
  /** CreateOptions and the like, as admission sees them. */
  readonly options: JsonObject;
  readonly warn: (text: string) => void;
}

export function writeContext(call: WriteCall): WriteContext {
  const { namespace, fieldValidation, user, warn, server } = call;
  return { namespace, fieldValidation, user, warn, system: server.system };
}
