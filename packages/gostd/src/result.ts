/**
 * What Go returns as `(value, error)`: one of the two, never both.
 *
 * Both members are declared on both sides so that `if (result.error !== undefined)` narrows.
 */
export type Result<T> = Success<T> | Failure;

export interface Success<T> {
  readonly value: T;
  readonly error?: undefined;
}

export interface Failure {
  readonly value?: undefined;
  readonly error: string;
}
