/**
 * The store cannot respond now: disk full, no connection, no leader. Reads and writes may be retried.
 * @example const mayRetry = (error: unknown) => error instanceof StoreUnavailable && error.definite;
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** False if the write may have succeeded anyway: only a read can show that. */
  readonly definite: boolean;

  /** True if somebody has to do something first, as on a full disk: a retry alone does not help. */
  readonly needsOperator: boolean;

  constructor(
    message: string,
    options: { readonly definite?: boolean; readonly needsOperator?: boolean; readonly cause?: unknown } = {},
  ) {
    const { definite = true, needsOperator = false, cause } = options;
    super(message, { cause });
    this.definite = definite;
    this.needsOperator = needsOperator;
  }
}
