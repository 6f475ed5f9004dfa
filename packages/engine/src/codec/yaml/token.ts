/** The tokens of YAML, as the scanner hands them to the parser. */
import type { Mark } from "./cursor.ts";
import type { Directive, TagName } from "./properties.ts";

export type TokenType =
  | "stream-end"
  | "directive"
  | "document-start"
  | "document-end"
  | "block-sequence-start"
  | "block-mapping-start"
  | "block-end"
  | "flow-sequence-start"
  | "flow-sequence-end"
  | "flow-mapping-start"
  | "flow-mapping-end"
  | "block-entry"
  | "flow-entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

export interface Token {
  readonly type: TokenType;
  readonly mark: Mark;
  readonly end: number;
  /** The text of a scalar, the name of an anchor or alias. */
  readonly value: string;
  /** A scalar without quotes, whose type is read off its text. */
  readonly plain: boolean;
  readonly tag?: TagName;
  readonly directive?: Directive;
}
