/** The arguments are wrong, or an input cannot be read. Becomes exit code 2. */
export class UsageError extends Error {}
