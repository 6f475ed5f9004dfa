/** The arguments are wrong, or an input cannot be read. Becomes exit code 2. */
export class UsageError extends Error {}

/** Something that another tool can do and this one cannot. A test about it is skipped. */
export class UnsupportedError extends UsageError {}
