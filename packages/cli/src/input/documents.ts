/** The documents of files, folders and standard input, each with its place and the object it holds. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
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

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** `-` is standard input; folders are read with all that is below them. Throws where a path does not exist. */
export function readInputs(paths: readonly string[], stdin: () => string = readStdin): Inputs {
  const files = paths.flatMap((each) => (each === "-" ? ["-"] : listFiles(each)));
  const read = files.map((file) => readFile(file, file === "-" ? stdin() : readFileSync(file, "utf8")));
  return {
    files: files.length,
    documents: read.flatMap(({ documents }) => documents),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The documents of one text. */
export function readFile(file: string, text: string): Inputs {
  const lines = new LineIndex(text);
  const documents: ManifestDocument[] = [];
  const problems: Finding[] = [];
  for (const { document, offset } of decodeDocuments(text, { duplicates: true, positions: true })) {
    if (document.error !== undefined) {
      const at = lines.locate(offset + (document.offset ?? 0));
      const parts = { rule: "input/syntax", severity: "error", message: document.error } as const;
      problems.push(findingInFile(file, parts, { start: at, end: at }));
    } else if (isObject(document.value)) {
      const shared = { file, text, lines, offset, strictErrors: document.strictErrors };
      documents.push(...unpack(document.value, document.source, shared));
    } else if (document.value !== null) {
      const at = lines.locate(offset);
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

type Shared = Pick<ManifestDocument, "file" | "text" | "lines" | "offset" | "strictErrors">;

/** A `List`, as kubectl prints it, stands for its items. */
function unpack(object: JsonObject, source: SourceNode | undefined, shared: Shared): ManifestDocument[] {
  const { items, kind } = object;
  if (kind !== "List" || !isArray(items)) return [{ ...shared, object, source, id: objectId(object) }];
  const nodes = source?.fields?.get("items")?.items;
  return items.flatMap((item, index) => (isObject(item) ? unpack(item, nodes?.[index], shared) : []));
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

function listFiles(target: string): string[] {
  if (!statSync(target).isDirectory()) return [target];
  const entries = readdirSync(target, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const full = path.join(target, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") || entry.name === "node_modules" ? [] : listFiles(full);
    return EXTENSIONS.has(path.extname(entry.name)) ? [full] : [];
  });
}

function readStdin(): string {
  return readFileSync(0, "utf8");
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
