/** A view with one row for each answer; a click leads to its place in the text. */
import * as vscode from "vscode";
import type { Row } from "./rows.ts";

/** What a text has to show; undefined if it has nothing to do with the view. */
export type AskRows = (uri: vscode.Uri) => Promise<readonly Row[]>;

export class RowView implements vscode.TreeDataProvider<Row> {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #ask: AskRows;
  #uri: vscode.Uri | undefined;

  constructor(ask: AskRows) {
    this.#ask = ask;
  }

  show(uri: vscode.Uri | undefined): void {
    this.#uri = uri;
    this.#changed.fire(undefined);
  }

  async getChildren(parent?: Row): Promise<Row[]> {
    return parent === undefined && this.#uri !== undefined ? [...(await this.#ask(this.#uri))] : [];
  }

  getTreeItem({ label, description, tooltip, icon, range }: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(label);
    const { start, end } = range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    return Object.assign(item, {
      description,
      tooltip,
      iconPath: new vscode.ThemeIcon(icon),
      command: { title: "Show", command: "vscode.open", arguments: [this.#uri, { selection }] },
    });
  }
}
