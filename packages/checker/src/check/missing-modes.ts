/** What happens to objects without a schema. In a file of its own: options and help need nothing else. */
export type MissingSchemaMode = "error" | "warn" | "ignore";
export const MISSING_SCHEMA_MODES = ["error", "warn", "ignore"] as const satisfies readonly MissingSchemaMode[];

/** The rule of their findings. */
export const NOT_FOUND = "schema/not-found";
