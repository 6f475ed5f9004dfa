/** A write as a client asks for it: what is to be written where, by whom, and with which options. */
import type { FieldValidation } from "../codec/strict.ts";
import type { User } from "../rbac/user.ts";
import type { JsonObject } from "../value/json.ts";
import type { Content } from "./decode.ts";
import type { Endpoint } from "./kind.ts";

interface WriteBase {
  readonly endpoint: Endpoint;
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly user: User;
  /** The field manager: the owner of the fields that the write sets. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  readonly isDryRun: boolean;
  /** When the request must be answered, in milliseconds since 1970. */
  readonly deadline?: number;
  /** CreateOptions and the like, as admission sees them. */
  readonly options: JsonObject;
  /** Whether validating admission is asked about an invalid object too, so that all problems show at once. */
  readonly continuesWhenInvalid?: boolean;
  /** Whether the object is not validated at all: for a caller who asks for nothing but what admission sees. */
  readonly isAssumedValid?: boolean;
  /** Called between steps: a server lets other requests run then. Throws a StatusError when the time is over. */
  readonly pause?: () => Promise<void> | undefined;
  /**
   * Called in work that cannot pause, with the seconds it has taken, and whether the write may begin again. May throw: to
   * begin again elsewhere, or because the time is over.
   */
  readonly overrun?: (seconds: number, isRepeatable: boolean) => void;
}

/** Reads the object that is there. Called once, when the request itself is known to be well-formed. */
export type ReadLive = () => Promise<JsonObject | undefined>;

/** POST. */
export interface CreateWrite extends WriteBase {
  readonly verb: "create";
  /** "" but for subresources such as `serviceaccounts/token`. */
  readonly name: string;
  readonly content: Content;
  /** The object that a subresource belongs to. */
  readonly live?: ReadLive;
  /** Shared by the attempts of one write. */
  readonly attempts?: CreateAttempts;
}

/** What a create keeps when it is tried again with another generated name or address. */
export interface CreateAttempts {
  /** After mutating admission, which is not repeated. */
  admitted: JsonObject | undefined;
}

/** PUT. */
export interface UpdateWrite extends WriteBase {
  readonly verb: "update";
  readonly name: string;
  readonly content: Content;
  readonly live: ReadLive;
}

/** PATCH, server-side apply among them. */
export interface PatchWrite extends WriteBase {
  readonly verb: "patch";
  readonly name: string;
  readonly patch: Uint8Array;
  /** Such as `application/merge-patch+json`. */
  readonly patchType: string;
  /** Whether apply takes fields from other managers. */
  readonly force: boolean;
  readonly live: ReadLive;
}

export interface DeleteOptions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** Whether a whole collection is deleted: admission does not get the names then. */
  readonly isCollection?: boolean;
}

/** A delete of one object. */
export interface DeleteWrite extends WriteBase {
  readonly verb: "delete";
  readonly name: string;
  readonly deletion: DeleteOptions;
  readonly live: ReadLive;
}

/** One write of any kind, the input of `review`. */
export type Write = CreateWrite | UpdateWrite | PatchWrite | DeleteWrite;
