/** Parses the documents of one text, each with its position and object. */
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { type DuplicateKey, LineIndex, type SourceNode } from "@portcullis/engine/internal/codec/position";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { findingInFile } from "../report/build.ts";
import type { Finding, ObjectId, Range } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Skipped } from "../repository/survey.ts";

export interface Inputs {
  readonly files: number;
  readonly documents: readonly ManifestDocument[];
  /** Files and documents that could not be read. */
  readonly problems: readonly Finding[];
  /** Charts and kustomizations in folders. */
  readonly skipped?: readonly Skipped[];
}

/**
 * The documents of one text.
 * @example readFile("pod.yaml", "apiVersion: v1\nkind: Pod").documents.length // 1
 */
export function readFile(file: string, text: string): Inputs {
  const documents: ManifestDocument[] = [];
  const problems: Finding[] = [];
  const source = new SourceText(file, text);
  for (const [index, { document, offset }] of decodeDocuments(text, { duplicates: true }).entries()) {
    if (document.error !== undefined) {
      const at = source.lines.locate(offset + (document.offset ?? 0));
      const parts = { rule: "input/syntax", severity: "error", message: document.error, hint: source.hint } as const;
      problems.push(findingInFile(file, parts, { start: at, end: at }));
    } else if (isObject(document.value)) {
      const place = {
        source,
        index,
        offset,
        strictErrors: document.strictErrors,
        duplicates: document.duplicates ?? [],
        steps: [],
      };
      const { objects, bad } = unpack(document.value, place);
      // One by one: a list may have more items than a call can have arguments.
      for (const each of objects) documents.push(each);
      for (const each of bad) problems.push(each);
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
  return HINTS.find(([sign]) => sign.test(text))?.[1];
}

/** The usual cause of a text that is not YAML. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/\{\{/, "this looks like a template; render it first, as in `helm template . | portcullis check -`"],
  [/\0/, "this is a binary file"],
  [/^ *\t/m, "YAML must be indented with spaces, not tabs"],
];

/** Positions are computed only for files with findings. */
class SourceText {
  readonly file: string;
  readonly text: string;
  #lines: LineIndex | undefined;
  #hint: { readonly text: string | undefined } | undefined;
  #sources: readonly (SourceNode | undefined)[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** The same for every error in the text. */
  get hint(): string | undefined {
    this.#hint ??= { text: hintFor(this.text) };
    return this.#hint.text;
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
  /** The index of the document in the file. */
  readonly index: number;
  readonly offset: number;
  readonly strictErrors: readonly string[];
  readonly duplicates: readonly DuplicateKey[];
  /** Set for items of lists. */
  readonly steps: readonly number[];
}

class PlacedDocument implements ManifestDocument {
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  readonly object: JsonObject;
  readonly strictErrors: readonly string[];
  readonly duplicates: readonly DuplicateKey[];
  readonly id: ObjectId;
  readonly #place: Place;

  constructor(object: JsonObject, place: Place) {
    this.file = place.source.file;
    this.text = place.source.text;
    this.offset = place.offset;
    this.object = object;
    this.strictErrors = place.strictErrors;
    this.duplicates = place.duplicates;
    this.id = objectId(object);
    this.#place = place;
  }

  get lines(): LineIndex {
    return this.#place.source.lines;
  }

  get source(): SourceNode | undefined {
    return nodeOf(this.#place);
  }
}

interface Unpacked {
  readonly objects: readonly ManifestDocument[];
  /** Items that are not objects. */
  readonly bad: readonly Finding[];
}

/**
 * A `List`, as kubectl prints it, is replaced by its items. So is a `ConfigMapList`, whose items may omit version and
 * kind.
 */
function unpack(object: JsonObject, place: Place): Unpacked {
  const { items, kind } = object;
  if (typeof kind !== "string" || !kind.endsWith("List") || !isArray(items))
    return { objects: [new PlacedDocument(object, place)], bad: [] };
  const parts = items.map((item, index): Unpacked => {
    const inner = {
      ...place,
      strictErrors: errorsOfItem(place.strictErrors, index),
      duplicates: duplicatesOfItem(place.duplicates, index),
      steps: [...place.steps, index],
    };
    return isObject(item)
      ? unpack(withKindOf(item, object), inner)
      : { objects: [], bad: [findingInFile(place.source.file, ITEM_NOT_AN_OBJECT, rangeOfItem(inner))] };
  });
  return { objects: parts.flatMap(({ objects }) => objects), bad: parts.flatMap(({ bad }) => bad) };
}

const ITEM_NOT_AN_OBJECT = { ...NOT_AN_OBJECT, message: "the item of the list is not an object" } as const;

/** As in kubectl, an item without version and kind has the kind that the list is named after. */
function withKindOf(item: JsonObject, { apiVersion, kind }: JsonObject): JsonObject {
  const isBare = text(item["kind"]) === "" && text(item["apiVersion"]) === "";
  const named = text(kind).slice(0, -"List".length);
  if (!isBare || named === "" || apiVersion === undefined) return item;
  return Object.assign(newObject(), { apiVersion, kind: named }, item);
}

/** JSON errors contain the path from the list on. YAML errors contain a line, and the caller finds its path. */
function errorsOfItem(errors: readonly string[], index: number): string[] {
  const path = /"items\[(\d+)\]\.?/;
  return errors.flatMap((error) => {
    const match = path.exec(error);
    if (match === null) return [error];
    return Number(match[1]) === index ? [error.replace(path, '"')] : [];
  });
}

function duplicatesOfItem(duplicates: readonly DuplicateKey[], index: number): DuplicateKey[] {
  const prefix = `items[${index}].`;
  return duplicates
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, offset }) => ({ path: path.slice(prefix.length), offset }));
}

function rangeOfItem(place: Place): Range {
  const { lines } = place.source;
  const { start = 0, end = 0 } = nodeOf(place) ?? {};
  return { start: lines.locate(place.offset + start), end: lines.locate(place.offset + end) };
}

function nodeOf({ source, index, steps }: Place): SourceNode | undefined {
  return steps.reduce<SourceNode | undefined>(
    (node, step) => node?.fields?.get("items")?.items?.[step],
    source.nodeAt(index),
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
