/** What a page gets for a text: plain data, because it comes from a worker. */

/** One thing that the API server would say, and where. Example: `finding.message` at `finding.line`. */
export interface EmbeddedFinding {
  /** The rule that raised it, such as `schema/maxLength`. */
  readonly rule: string;
  /** Notes are about what the API server accepts. */
  readonly severity: "error" | "warning" | "note";
  /** The API server's message, unchanged. */
  readonly message: string;
  /** A hint of our own; "" if there is none. */
  readonly hint: string;
  /** The field's path as the API server prints it; "" for the whole object. */
  readonly path: string;
  /** Offsets in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** What can be written at a place of a text. Example: `completions.options[0].label`. */
export interface EmbeddedCompletions {
  /** The start of the text to replace. */
  readonly from: number;
  readonly options: readonly EmbeddedCompletion[];
}

/** One completion. Example: insert `completion.apply`. */
export interface EmbeddedCompletion {
  readonly label: string;
  readonly kind: "field" | "value" | "variable" | "function";
  /** Its type. */
  readonly detail: string;
  /** Its description. */
  readonly about: string;
  /** The text to insert. */
  readonly apply: string;
}
