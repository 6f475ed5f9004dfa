/** A completion of the editor: plain data, because it comes from the worker. */

export interface Suggestion {
  readonly label: string;
  readonly kind: "field" | "value" | "variable" | "function";
  /** Beside it: its type. */
  readonly detail: string;
  /** Below it, for the one that is chosen. */
  readonly about: string;
  /** The text to insert instead of the label. */
  readonly apply?: string;
  /** Required ones come first. */
  readonly isRequired?: boolean;
}

export interface Suggestions {
  /** The start of the text to replace. */
  readonly from: number;
  readonly options: readonly Suggestion[];
}
