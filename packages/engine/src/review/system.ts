/** What a pure function cannot know by itself: the time, and random identifiers. */
export interface SystemFields {
  readonly uid: () => string;
  /** RFC 3339, to the second. */
  readonly now: () => string;
  /** Five random letters for generateName. */
  readonly suffix: () => string;
}
