/** Hover: the field that a key or a value belongs to, and the words of expressions. */
import { hoverAt } from "@portcullis/checker/internal/complete/hover";
import { type Hover, MarkupKind, type Position } from "vscode-languageserver";
import type { OpenText } from "./open-text.ts";
import { suiteView } from "./suite-view.ts";

export function hover({ document, objects, kinds, settings }: OpenText, position: Position): Hover | undefined {
  const found = hoverAt(objects(), document.offsetAt(position), {
    kinds,
    version: settings.kubeVersion,
    otherKind: suiteView,
  });
  if (found === undefined) return undefined;
  const range = { start: document.positionAt(found.from), end: document.positionAt(found.to) };
  return { contents: { kind: MarkupKind.Markdown, value: found.text }, range };
}
