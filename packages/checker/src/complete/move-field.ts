/** Moves a field that is one or more levels too deep to the object that has such a field. */
import { locateSteps } from "@portcullis/engine/internal/codec/position";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Fix, FixableFinding, TextChange } from "./fix.ts";
import { valueAt } from "./kind-views.ts";
import { type ObjectPlace, objectPlaceAt, type Steps } from "./object-place.ts";

export function moveField(objects: readonly ManifestDocument[], { from, path, hint = "" }: FixableFinding): Fix[] {
  const [, name = "", outer] = /^`([^`]+)` is a field of (?:the object itself|`([^`]+)`)/.exec(hint) ?? [];
  const place = objectPlaceAt(objects, from);
  if (place === undefined || name === "" || path === "") return [];
  const target = stepsOf(outer ?? "");
  // A field that is there already would be written twice.
  if (valueAt(place.object.object, [...target, name]) !== undefined) return [];
  const changes = changesFor(place, target);
  return changes === undefined ? [] : [{ title: `Move \`${name}\` to ${outer ?? "the object itself"}`, changes }];
}

function stepsOf(path: string): Steps {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? "") : Number(index),
  );
}

/** Whole lines are moved, in block style only: `{a: 1}` has no lines of its own. */
function changesFor({ object, steps }: ObjectPlace, target: Steps): readonly TextChange[] | undefined {
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
  const at = lineStart(text, offset + above);
  return [
    { from: at, to: at, insert: moved.endsWith("\n") ? moved : `${moved}\n` },
    { from: start, to: end, insert: "" },
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
