/** Completion: fields, values, kinds, and variables, fields and functions in expressions. */
import { celScope } from "@portcullis/checker/internal/complete/cel-scope";
import { completeManifest, headerOf } from "@portcullis/checker/internal/complete/manifest";
import type { Suggestion } from "@portcullis/checker/internal/complete/suggestion";
import { schemaView } from "@portcullis/checker/internal/complete/view";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { type CompletionItem, CompletionItemKind, MarkupKind, type Position } from "vscode-languageserver";
import { type OpenText, objectAround, writtenPlaceAt } from "./open-text.ts";
import { suiteView } from "./suite-view.ts";

const KINDS: Readonly<Record<Suggestion["kind"], CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
};

export function complete(open: OpenText, position: Position): readonly CompletionItem[] {
  const offset = open.document.offsetAt(position);
  const place = writtenPlaceAt(open, offset);
  if (place === undefined) return [];
  const object = objectAround(open, offset);
  const header = headerOf(place.document);
  const found = completeManifest(place, offset, {
    kinds: open.kinds,
    version: open.settings.kubeVersion,
    view: open.kinds.find(header) ?? suiteView(header) ?? ANY_OBJECT,
    variables: celScope({ path: place.path, object }, open.kinds),
  });
  const range = { start: open.document.positionAt(found?.from ?? offset), end: position };
  return (found?.options ?? []).map((option, index) => ({
    label: option.label,
    kind: KINDS[option.kind],
    detail: option.detail,
    documentation: { kind: MarkupKind.Markdown, value: option.about },
    // Required fields first, then the order of the schema.
    sortText: `${option.isRequired === true ? 0 : 1}${String(index).padStart(4, "0")}`,
    // Keys of JSON are written in quotes, and so is what has been typed.
    filterText: place.isJson === true ? JSON.stringify(option.label) : option.label,
    textEdit: { range, newText: option.apply ?? option.label },
  }));
}

const ANY_OBJECT = schemaView(parseSchema(null), true);
