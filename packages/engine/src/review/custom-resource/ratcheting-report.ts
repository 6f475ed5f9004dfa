/** What ratcheting did to an update of a custom resource. Upstream keeps it to itself. */
import type { FieldError } from "../../field/error.ts";
import type { KeptReason } from "./explain.ts";

/** What an update was forgiven, and why the rest was not. */
export interface RatchetingReport {
  readonly forgiven: readonly ForgivenError[];
  readonly kept: readonly KeptError[];
}

export interface ForgivenError {
  readonly error: FieldError;
  /** The path of the value whose equality covers the error; "" is the whole object. */
  readonly unchanged: string;
  /** Whether the client gets a warning: errors of rules become warnings, errors of the schema are dropped. */
  readonly warned: boolean;
}

export interface KeptError {
  readonly error: FieldError;
  readonly reason: KeptReason;
}
