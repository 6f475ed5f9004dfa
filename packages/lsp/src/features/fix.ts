/** A change of the text that a quick fix makes. */
import type { TextEdit } from "vscode-languageserver";

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}
