/** The documents of one text, each with its place and the object it holds. */
import { decodeDocuments } from "@portcullis/engine/codec/documents";
import { LineIndex, type SourceNode } from "@portcullis/engine/codec/position";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/value/json";
import { findingInFile } from "../report/build.ts";
import type { Finding, ObjectId } from "../report/finding.ts";
import type { ManifestDocument } from "./manifest.ts";

export interface Inputs {
  readonly files: number;
  readonly documents: readonly ManifestDocument[];
  /** Files and documents that could not be read. */
  readonly problems: readonly Finding[];
}

/** The documents of one text. */
export function readFile(file: string, text: string): Inputs {
  const documents: ManifestDocument[] = [];
  const problems: Finding[] = [];
  const source = new SourceText(file, text);
  for (const [index, { document, offset }] of decodeDocuments(text, { duplicates: true }).entries()) {
    if (document.error !== undefined) {
      const at = source.lines.locate(offset + (document.offset ?? 0));
      const parts = { rule: "input/syntax", severity: "error", message: document.error, hint: hintFor(text) } as const;
      problems.push(findingInFile(file, parts, { start: at, end: at }));
    } else if (isObject(document.value)) {
      const place = { source, index, offset, strictErrors: document.strictErrors, steps: [] };
      documents.push(...unpack(document.value, place));
    } else if (document.value !== null) {
      const at = source.lines.locate(offset);
      problems.push(findingInFile(file, NOT_AN_OBJECT, { start: at, end: at }));
    }
  }
  return { files: 1, documents, problems };
}

const NOT_AN_OBJECT = {
  rule: "input/not-an-object",
  severity: "error",
  message: "the document is not an object",
} as const;

function hintFor(text: string): string | undefined {
  return text.includes("{{")
    ? "this looks like a template: render it first, as in `helm template . | portcullis check -`"
    : undefined;
}

/** Positions are only worked out for files that something is found in. */
class SourceText {
  readonly file: string;
  readonly text: string;
  #lines: LineIndex | undefined;
  #sources: readonly (SourceNode | undefined)[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  get lines(): LineIndex {
    this.#lines ??= new LineIndex(this.text);
    return this.#lines;
  }

  nodeAt(document: number): SourceNode | undefined {
    this.#sources ??= decodeDocuments(this.text, { positions: true }).map(({ document: each }) =>
      each.error === undefined ? each.source : undefined,
    );
    return this.#sources[document];
  }
}

interface Place {
  readonly source: SourceText;
  /** Which document of the file. */
  readonly index: number;
  readonly offset: number;
  readonly strictErrors: readonly string[];
  /** Of items of lists. */
  readonly steps: readonly number[];
}

class PlacedDocument implements ManifestDocument {
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  readonly object: JsonObject;
  readonly strictErrors: readonly string[];
  readonly id: ObjectId;
  readonly #place: Place;

  constructor(object: JsonObject, place: Place) {
    this.file = place.source.file;
    this.text = place.source.text;
    this.offset = place.offset;
    this.object = object;
    this.strictErrors = place.strictErrors;
    this.id = objectId(object);
    this.#place = place;
  }

  get lines(): LineIndex {
    return this.#place.source.lines;
  }

  get source(): SourceNode | undefined {
    const { source, index, steps } = this.#place;
    return steps.reduce<SourceNode | undefined>(
      (node, step) => node?.fields?.get("items")?.items?.[step],
      source.nodeAt(index),
    );
  }
}

/** A `List`, as kubectl prints it, stands for its items. */
function unpack(object: JsonObject, place: Place): ManifestDocument[] {
  const { items, kind } = object;
  if (kind !== "List" || !isArray(items)) return [new PlacedDocument(object, place)];
  return items.flatMap((item, index) =>
    isObject(item) ? unpack(item, { ...place, steps: [...place.steps, index] }) : [],
  );
}

export function objectId(object: JsonObject): ObjectId {
  const meta = isObject(object["metadata"]) ? object["metadata"] : {};
  return {
    apiVersion: text(object["apiVersion"]),
    kind: text(object["kind"]),
    namespace: text(meta["namespace"]),
    name: text(meta["name"]) || text(meta["generateName"]),
  };
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
