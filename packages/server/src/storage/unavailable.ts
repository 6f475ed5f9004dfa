/**
 * The store cannot respond now: disk full, no connection, no leader. Reads and writes may be retried.
 * @example const mayRetry = (error: unknown) => error instanceof StoreUnavailable && error.definite;
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** False if the write may have succeeded anyway: only a read can show that. */
  readonly definite: boolean;

  constructor(message: string, { definite = true, cause }: { definite?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.definite = definite;
  }
}
