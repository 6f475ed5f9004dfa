/** A change of a text that a quick fix makes: plain data, because it may come from a worker. */

export interface TextChange {
  /** Offsets in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Fix {
  readonly title: string;
  /** They do not overlap; offsets are those before any of the changes. */
  readonly changes: readonly TextChange[];
}

/** What a quick fix needs to know of a finding. */
export interface FixableFinding {
  readonly rule: string;
  readonly path: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** Its place in the text. */
  readonly from: number;
  readonly to: number;
}
