/** The machine-readable reasons of a Status, as metav1 names them. */

export type StatusReason =
  | ""
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "StoreReadError"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable";

/** Cause types that are not field errors. */
export const CAUSE_FIELD_MANAGER_CONFLICT = "FieldManagerConflict";
export const CAUSE_RESOURCE_VERSION_TOO_LARGE = "ResourceVersionTooLarge";
