/** kubeconform's result for one resource. */

export type Status = "valid" | "invalid" | "error" | "skipped" | "empty";

export interface Result {
  readonly file: string;
  readonly kind: string;
  readonly version: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: Status;
  /** "" if there is no message. */
  readonly message: string;
  readonly validationErrors: readonly ValidationError[];
}

export interface ValidationError {
  /** A JSON pointer. */
  readonly path: string;
  readonly msg: string;
}

export interface Counts {
  readonly valid: number;
  readonly invalid: number;
  readonly errors: number;
  readonly skipped: number;
}

export function countResults(results: readonly Result[]): Counts {
  const count = (status: Status): number => results.filter((each) => each.status === status).length;
  return { valid: count("valid"), invalid: count("invalid"), errors: count("error"), skipped: count("skipped") };
}
