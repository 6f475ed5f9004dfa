/** The store cannot answer now: disk full, no connection, no leader. Reads and writes may be tried again. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** False where the write may have happened all the same: only a read can tell. */
  readonly definite: boolean;

  constructor(message: string, { definite = true, cause }: { definite?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.definite = definite;
  }
}
