/** Hover: the field that a key or a value belongs to, and the words of expressions. */
import { celMeaningAt } from "@portcullis/checker/internal/complete/cel-help";
import { celScope } from "@portcullis/checker/internal/complete/cel-scope";
import { describeField, describeFunction } from "@portcullis/checker/internal/complete/describe";
import { viewAt } from "@portcullis/checker/internal/complete/view";
import { locateInScalar } from "@portcullis/engine/internal/codec/scalar-position";
import { type Hover, MarkupKind, type Position, type Range } from "vscode-languageserver";
import { type ObjectPlace, type OpenText, objectPlaceAt, offsetInScalar } from "./open-text.ts";
import { suiteView } from "./suite-view.ts";

export function hover(open: OpenText, position: Position): Hover | undefined {
  const offset = open.document.offsetAt(position);
  const place = objectPlaceAt(open, offset);
  if (place === undefined) return undefined;
  return (place.isKey ? undefined : hoverExpression(open, place, offset)) ?? hoverField(open, place);
}

function hoverField(open: OpenText, { object, steps, node, isKey }: ObjectPlace): Hover | undefined {
  const root = open.kinds.find(object.id) ?? suiteView(object.id);
  const name = steps.findLast((step) => typeof step === "string");
  if (root === undefined || name === undefined) return undefined;
  const view = viewAt(root, steps);
  if (view === undefined) return undefined;
  const parent = viewAt(root, steps.slice(0, -1));
  const isRequired = parent?.fields().find((each) => each.name === steps.at(-1))?.isRequired === true;
  const [start, end] = isKey ? [node.keyStart, node.start] : [node.start, node.end];
  return markdown(
    describeField(String(name), view, isRequired),
    rangeIn(open, object.offset + start, object.offset + end),
  );
}

function hoverExpression(open: OpenText, place: ObjectPlace, offset: number): Hover | undefined {
  const { object, steps, node, value } = place;
  const variables = celScope({ path: steps, object: object.object }, open.kinds);
  if (variables === undefined || typeof value !== "string") return undefined;
  const at = offsetInScalar(place, value, offset);
  const meaning = celMeaningAt(value, at, { version: open.settings.kubeVersion, variables });
  if (meaning === undefined) return undefined;
  const source = object.text.slice(object.offset);
  const start = object.offset + locateInScalar(source, node, value, meaning.from);
  const end = object.offset + locateInScalar(source, node, value, meaning.to - 1) + 1;
  const text =
    meaning.kind === "value" ? describeField(meaning.name, meaning.view) : describeFunction(meaning.overloads);
  return markdown(text, rangeIn(open, start, end));
}

function rangeIn({ document }: OpenText, start: number, end: number): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

function markdown(value: string, range: Range): Hover {
  return { contents: { kind: MarkupKind.Markdown, value }, range };
}
