/**
 * Go's `(value, error)`: one of the two, never both. Example: `parseDuration("1h").value`.
 *
 * Both members are declared on both sides so that `if (result.error !== undefined)` narrows.
 */
export type Result<T> = Success<T> | Failure;

/** A result without an error. Example: `{ value: 1 }`. */
export interface Success<T> {
  readonly value: T;
  readonly error?: undefined;
}

/** Go's error message. Example: `{ error: "invalid syntax" }`. */
export interface Failure {
  readonly value?: undefined;
  readonly error: string;
}
