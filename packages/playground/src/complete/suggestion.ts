/** What the editor offers: plain data, because it comes from the worker. */

export interface Suggestion {
  readonly label: string;
  readonly kind: "field" | "value" | "variable" | "function";
  /** Beside it: its type. */
  readonly detail: string;
  /** Below it, for the one that is chosen. */
  readonly about: string;
  /** What is written instead of the label. */
  readonly apply?: string;
  /** Those that must be there come first. */
  readonly isRequired?: boolean;
}

export interface Suggestions {
  /** Where what they replace starts. */
  readonly from: number;
  readonly options: readonly Suggestion[];
}
