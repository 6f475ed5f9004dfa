/** A text of the editor, and what has been read from it. */
import { jsonPlaceAt } from "@portcullis/checker/internal/complete/json-place";
import type { KindViews } from "@portcullis/checker/internal/complete/kind-views";
import { type ManifestPlace, placeAt } from "@portcullis/checker/internal/complete/yaml-place";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { ClusterContext } from "../workspace/cluster-context.ts";
import type { Folder } from "../workspace/folder.ts";
import type { Settings } from "../workspace/settings.ts";

/** What requests about a text need. */
export interface OpenText {
  readonly uri: string;
  /** Relative to the folder. */
  readonly file: string;
  readonly folder: Folder;
  readonly context: ClusterContext;
  readonly kinds: KindViews;
  readonly settings: Settings;
  readonly document: TextDocument;
  /** The objects of the text, as far as it can be read. */
  readonly objects: () => readonly ManifestDocument[];
  /** The objects that could be read last, for what cannot be read now. */
  readonly lastObjects: () => readonly ManifestDocument[];
}

/** Larger texts are not parsed for every request. */
export const MAX_TEXT = 5_000_000;

/** The objects of a text, read once for each version of it. */
export function objectReader(file: string, document: TextDocument): Pick<OpenText, "objects" | "lastObjects"> {
  let version = Number.NaN;
  let objects: readonly ManifestDocument[] = [];
  let last: readonly ManifestDocument[] = [];
  const read = (): readonly ManifestDocument[] => {
    if (document.version === version) return objects;
    const text = document.getText();
    version = document.version;
    const found = text.length > MAX_TEXT ? { documents: [], problems: [] } : readFile(file, text);
    objects = found.documents;
    const isWhole = found.problems.length === 0;
    if (isWhole || last.length === 0) last = objects;
    return objects;
  };
  return {
    objects: read,
    lastObjects: () => {
      read();
      return last;
    },
  };
}

/** The place of the cursor in a text that need not be readable. */
export function writtenPlaceAt(open: OpenText, offset: number): ManifestPlace | undefined {
  const text = open.document.getText();
  if (text.length > MAX_TEXT) return undefined;
  return isJson(open) ? jsonPlaceAt(text, offset) : placeAt(text, offset);
}

function isJson({ file, document }: OpenText): boolean {
  return file.endsWith(".json") || /^\s*[{[]/.test(document.getText().slice(0, 200));
}

/** The object around the cursor, or the one that was there when the text could be read. */
export function objectAround(open: OpenText, offset: number): JsonObject | undefined {
  const current = nearest(open.objects(), offset);
  return (current ?? nearest(open.lastObjects(), offset))?.object;
}

function nearest(objects: readonly ManifestDocument[], offset: number): ManifestDocument | undefined {
  const before = objects.filter((each) => each.offset + (each.source?.start ?? 0) <= offset);
  const last = before.at(-1);
  const end = last === undefined ? 0 : last.offset + (last.source?.end ?? 0);
  // Between two objects the text belongs to neither, unless nothing but white space is between.
  return last?.text.slice(end, offset).includes("\n---") ? undefined : last;
}
