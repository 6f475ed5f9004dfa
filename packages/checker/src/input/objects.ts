/** Reads the objects of one file and leaves out what is not an object to apply. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { isNamedLikePatch, reasonNotToParse, reasonToSkip } from "../repository/classify.ts";
import { isClientKind } from "../repository/client-kinds.ts";
import { withoutSops } from "../repository/sops.ts";
import type { InputFile, SkipReason } from "../repository/survey.ts";
import { readFile } from "./text.ts";

export interface FileObjects {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly Finding[];
  /** Why documents were left out, once per reason. */
  readonly skipped: readonly SkipReason[];
  /** How many documents have nothing to do with Kubernetes. */
  readonly others: number;
}

/** Documents that a command reads although no API server has their kind. */
export type IsKept = (document: ManifestDocument) => boolean;

export function readObjects({ file, isNamed }: InputFile, text: string, isKept: IsKept = () => false): FileObjects {
  const inputs = readFile(file, text);
  const sorted = isNamed ? sortNamed(inputs.documents) : sortFound(inputs.documents, text, isKept);
  const documents = text.includes("sops") ? sorted.documents.map(decrypted) : sorted.documents;
  if (isNamed) return { ...sorted, documents, problems: [...inputs.problems, ...sorted.problems] };
  if (documents.length > 0 && isNamedLikePatch(file))
    return { documents: [], problems: [], skipped: ["patch"], others: 0 };
  return withProblems({ ...sorted, documents }, inputs.problems, text);
}

/** The problems of a file that was found in a folder are only those of objects. */
function withProblems(objects: FileObjects, problems: readonly Finding[], text: string): FileObjects {
  if (problems.length === 0) return objects;
  const lists = problems.filter(({ rule }) => rule === "input/not-an-object").length;
  const broken = problems.filter(({ rule }) => rule === "input/syntax");
  const reason = broken.length === 0 ? undefined : reasonNotToParse(text, linesOf(broken, text));
  const kept = problems.filter(
    ({ rule }) => rule !== "input/not-an-object" && !(rule === "input/syntax" && reason !== undefined),
  );
  return {
    documents: objects.documents,
    problems: [...kept, ...objects.problems],
    skipped: reason === undefined || reason === "other" ? objects.skipped : [...new Set([...objects.skipped, reason])],
    others: objects.others + lists + (reason === "other" ? broken.length : 0),
  };
}

/** The lines that cannot be parsed. */
function linesOf(broken: readonly Finding[], text: string): readonly string[] {
  const lines = text.split("\n");
  return broken.map(({ range }) => lines[(range?.start.line ?? 0) - 1] ?? "");
}

function sortNamed(documents: readonly ManifestDocument[]): FileObjects {
  const named = (document: ManifestDocument): boolean => document.id.apiVersion !== "" && document.id.kind !== "";
  const isConfiguration = ({ id }: ManifestDocument): boolean => isClientKind(id.apiVersion, id.kind);
  const own = documents.filter((each) => named(each) && !isConfiguration(each));
  return {
    documents: own,
    problems: documents.filter((each) => !named(each)).map(unnamedFinding),
    skipped: documents.some(isConfiguration) ? ["configuration"] : [],
    others: 0,
  };
}

function sortFound(documents: readonly ManifestDocument[], text: string, isKept: IsKept): FileObjects {
  const own: ManifestDocument[] = [];
  const problems: Finding[] = [];
  const skipped = new Set<SkipReason>();
  let others = 0;
  for (const document of documents) {
    const reason = isKept(document) ? undefined : reasonToSkip(document.object, text);
    if (reason === "other") others++;
    else if (reason !== undefined) skipped.add(reason);
    else if (document.id.apiVersion === "" || document.id.kind === "") problems.push(unnamedFinding(document));
    else own.push(document);
  }
  return { documents: own, problems, skipped: [...skipped], others };
}

function unnamedFinding(document: ManifestDocument): Finding {
  const { apiVersion, kind } = document.id;
  const missing = [apiVersion === "" ? "apiVersion not set" : "", kind === "" ? "kind not set" : ""];
  return findingAt(document, {
    rule: "input/not-kubernetes",
    severity: "error",
    message: missing.filter((text) => text !== "").join(", "),
    hint: "every Kubernetes object needs both; in folders, files without them are skipped",
  });
}

function decrypted(document: ManifestDocument): ManifestDocument {
  const object = withoutSops(document.object);
  return object === document.object ? document : new DecryptedDocument(document, object);
}

/** The document with another object; positions are those of the file. */
class DecryptedDocument implements ManifestDocument {
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  readonly object: JsonObject;
  readonly strictErrors: readonly string[];
  readonly id: ManifestDocument["id"];
  readonly #from: ManifestDocument;

  constructor(from: ManifestDocument, object: JsonObject) {
    this.file = from.file;
    this.text = from.text;
    this.offset = from.offset;
    this.object = object;
    this.strictErrors = from.strictErrors;
    this.id = from.id;
    this.#from = from;
  }

  get lines(): ManifestDocument["lines"] {
    return this.#from.lines;
  }

  get source(): ManifestDocument["source"] {
    return this.#from.source;
  }
}
