/** Moves a field that is one or more levels too deep to the object that has such a field. */
import { valueAt } from "@portcullis/checker/internal/complete/kind-views";
import { locateSteps } from "@portcullis/engine/internal/codec/position";
import type { Diagnostic, TextEdit } from "vscode-languageserver";
import type { FindingData } from "../diagnostics/convert.ts";
import type { Fix } from "./fix.ts";
import { type ObjectPlace, type OpenText, objectPlaceAt, type Steps } from "./open-text.ts";

export function moveField(open: OpenText, diagnostic: Diagnostic, hint: string): readonly Fix[] {
  const [, name = "", outer] = /^`([^`]+)` is a field of (?:the object itself|`([^`]+)`)/.exec(hint) ?? [];
  const place = objectPlaceAt(open, open.document.offsetAt(diagnostic.range.start));
  if (place === undefined || name === "" || (diagnostic.data as FindingData).path === "") return [];
  const target = stepsOf(outer ?? "");
  // A field that is there already would be written twice.
  if (valueAt(place.object.object, [...target, name]) !== undefined) return [];
  const edits = editsFor(open, place, target);
  return edits === undefined ? [] : [{ title: `Move \`${name}\` to ${outer ?? "the object itself"}`, edits }];
}

function stepsOf(path: string): Steps {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? "") : Number(index),
  );
}

/** Whole lines are moved, in block style only: `{a: 1}` has no lines of its own. */
function editsFor(open: OpenText, { object, steps }: ObjectPlace, target: Steps): readonly TextEdit[] | undefined {
  const { source, text, offset } = object;
  if (source === undefined) return undefined;
  const node = locateSteps(source, steps);
  const parent = locateSteps(source, steps.slice(0, -1));
  const into = locateSteps(source, target);
  // Right above the field that it was in.
  const above = locateSteps(source, steps.slice(0, target.length + 1)).keyStart;
  const indent = columnOf(text, offset + above);
  const start = lineStart(text, offset + node.keyStart);
  const isAlone = /^[ ]*$/.test(text.slice(start, offset + node.keyStart));
  const isFlow = [parent, into].some((each) => text[offset + each.start] === "{");
  if (!isAlone || isFlow || (parent.fields?.size ?? 0) < 2) return undefined;
  const end = lineEnd(text, offset + node.end);
  const shift = columnOf(text, offset + node.keyStart) - indent;
  const moved = text
    .slice(start, end)
    .split("\n")
    .map((line) => line.slice(Math.min(shift, line.search(/\S|$/))))
    .join("\n");
  const at = open.document.positionAt(lineStart(text, offset + above));
  return [
    { range: { start: at, end: at }, newText: moved.endsWith("\n") ? moved : `${moved}\n` },
    { range: { start: open.document.positionAt(start), end: open.document.positionAt(end) }, newText: "" },
  ];
}

function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Behind the line break of the last line; the end of a block value may be behind it already. */
function lineEnd(text: string, at: number): number {
  if (text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}
