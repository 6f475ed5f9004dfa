/**
 * Reads CRDs from files, folders, standard input and `git:REF:PATH`. Clusters are read elsewhere.
 *
 * Input that is unreadable, not a CRD, or duplicate ends the command: a comparison that silently leaves something out
 * must not look like success. Links that point nowhere leave nothing out, and are only reported.
 */
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { isDefinition } from "../check/definition.ts";
import { readInputs } from "../input/documents.ts";
import { UsageError } from "../input/usage-error.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";

export interface SourceDefinition {
  readonly name: string;
  /** Decoded, with API defaults. */
  readonly json: JsonObject;
  readonly document: ManifestDocument;
}

export interface SourceSet {
  readonly files: number;
  readonly definitions: ReadonlyMap<string, SourceDefinition>;
  /** Objects of other kinds in the same files. */
  readonly others?: readonly ManifestDocument[];
}

export interface ReadOptions {
  /** Kinds of documents that a source may consist of instead of CRDs. */
  readonly mayBe?: (document: ManifestDocument) => boolean;
  /** Gets what is odd about the input, but does not keep it from being read. */
  readonly note: (text: string) => void;
}

const DEFINITION = "CustomResourceDefinition";
const GROUP = "apiextensions.k8s.io";

export function readDefinitions(
  sources: readonly string[],
  stdin: () => string,
  { mayBe = () => false, note }: ReadOptions,
): SourceSet {
  const inputs = sources.map((source) => readInputs([source], stdin, isKappConfig));
  const definitions = new Map<string, SourceDefinition>();
  const others: ManifestDocument[] = [];
  for (const [index, { documents, problems }] of inputs.entries()) {
    refuseProblems(problems, note);
    const found = documents.filter((document) => document.id.kind === DEFINITION);
    others.push(...documents.filter((document) => document.id.kind !== DEFINITION));
    if (found.length === 0 && !documents.some(mayBe))
      throw new UsageError(notADefinition(sources[index] ?? "", documents));
    for (const document of found) addDefinition(document, definitions);
  }
  return { files: inputs.reduce((sum, { files }) => sum + files, 0), definitions, others };
}

function addDefinition(document: ManifestDocument, definitions: Map<string, SourceDefinition>): void {
  const { name } = document.id;
  if (!isDefinition(document)) {
    throw new UsageError(`${placeOf(document)}: \`${document.id.apiVersion}\` is not supported; only ${GROUP}/v1 is`);
  }
  const decoded = decodeDefinition(document.object);
  if (decoded.error !== undefined) throw new UsageError(`${placeOf(document)}: ${decoded.error}`);
  if (name === "") throw new UsageError(`${placeOf(document)}: the CRD has no name`);
  const before = definitions.get(name);
  if (before !== undefined) {
    throw new UsageError(`${placeOf(document)}: \`${name}\` is defined twice; first at ${placeOf(before.document)}`);
  }
  definitions.set(name, { name, json: decoded.value, document });
}

export function placeOf({ file, lines, offset }: ManifestDocument): string {
  const { line, column } = lines.locate(offset);
  return `${file}:${line}:${column}`;
}

/** Throws for the first error; `note` gets the warnings. */
export function refuseProblems(problems: readonly Finding[], note: (text: string) => void): void {
  for (const problem of problems) {
    if (problem.severity === "error") throw new UsageError(problemText(problem));
    note(`portcullis: ${problemText(problem)}\n`);
  }
}

function problemText({ file, range, message }: Finding): string {
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  return `${place}: ${message}`;
}

function notADefinition(source: string, documents: readonly ManifestDocument[]): string {
  const [first] = documents;
  const other =
    first === undefined ? "it is empty" : `it has ${first.id.kind === "" ? "an object without kind" : first.id.kind}`;
  const place = first === undefined ? source : placeOf(first);
  return `${place}: no ${DEFINITION} found: ${other}`;
}

/** kapp honours its configuration among the files that it deploys. */
function isKappConfig({ id }: ManifestDocument): boolean {
  return id.apiVersion.startsWith("kapp.k14s.io/") && id.kind === "Config";
}
