/** Validates resources one by one, with kubeconform's status and the API server's messages. */

import { Checker } from "@portcullis/checker/internal/check/checker";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { type Inputs, readFile } from "@portcullis/checker/internal/input/text";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { isObject } from "@portcullis/engine/internal/value/json";
import type { KubeconformFlags } from "./flags.ts";
import type { Result, ValidationError } from "./result.ts";
import { crdFinder, readLocations } from "./schemas.ts";

/** A text and its name. */
export interface NamedText {
  readonly file: string;
  readonly text: string;
}

export interface ValidateOptions {
  readonly flags: KubeconformFlags;
  readonly engine: EngineOptions;
}

/** CRDs among the texts apply to all of them, unlike in kubeconform. */
export async function validateTexts(
  texts: readonly NamedText[],
  { flags, engine }: ValidateOptions,
): Promise<Result[]> {
  const parts = texts.flatMap(({ file, text }) => splitLikeKubeconform(text).map((part) => readPart(file, part)));
  const sources = readLocations(flags.schemaLocations);
  const given = parts.flatMap(({ documents }) => documents.filter(isDefinition));
  const { kubernetesVersion, strict } = flags;
  const findCrd = crdFinder({ templates: sources.templates, kubernetesVersion, strict });
  const crds = [...sources.definitions, ...given].map(({ object }) => object);
  const validate = resourceValidator(new MemoryCluster(crds, { engine, findCrd }), flags);
  const results: Result[] = [];
  for (const part of parts) {
    for (const result of await validate(part)) {
      results.push(result);
      if (flags.exitOnError && (result.status === "invalid" || result.status === "error")) return results;
    }
  }
  return results;
}

interface Part extends Inputs {
  readonly file: string;
}

function readPart(file: string, text: string): Part {
  return { ...readFile(file, text), file };
}

/** A line that starts with `---` after another line ends a resource. */
function splitLikeKubeconform(text: string): string[] {
  const parts = text.split(/\n---[^\n]*(?:\n|$)/).filter((part) => part !== "");
  return parts.length === 0 ? [""] : parts;
}

function resourceValidator(cluster: MemoryCluster, flags: KubeconformFlags) {
  const fieldValidation = flags.strict ? "strict" : "ignore";
  const checker = new Checker(cluster, { fieldValidation, missingSchema: "error" });
  return async ({ file, documents, problems }: Part): Promise<Result[]> => {
    const [problem] = problems;
    if (problem !== undefined) {
      const where = problem.rule === "input/syntax" ? "error converting YAML to JSON: " : "";
      return [failure(file, `error unmarshalling resource: ${where}${problem.message}`)];
    }
    if (documents.length === 0) return [{ ...failure(file, ""), status: "empty" }];
    return Promise.all(documents.map((document) => validateOne(document, checker, flags)));
  };
}

/** kubeconform does not know which kinds and versions Kubernetes has: it finds no schema for the others. */
const WITHOUT_SCHEMA: ReadonlySet<string> = new Set([
  "schema/not-found",
  "api/unknown",
  "api/removed",
  "api/not-served",
]);

function failure(file: string, message: string): Result {
  return { file, kind: "", version: "", namespace: "", name: "", status: "error", message, validationErrors: [] };
}

async function validateOne(document: ManifestDocument, checker: Checker, flags: KubeconformFlags): Promise<Result> {
  const { apiVersion: version, kind, namespace } = document.id;
  const blank = { file: document.file, kind, version, namespace, name: nameOf(document), validationErrors: [] };
  if (kind === "") return { ...blank, status: "error", message: "error while parsing: missing 'kind' key" };
  if (version === "") return { ...blank, status: "error", message: "error while parsing: missing 'apiVersion' key" };
  const isIn = (kinds: ReadonlySet<string>): boolean => kinds.has(kind) || kinds.has(`${version}/${kind}`);
  if (isIn(flags.skip)) return { ...blank, status: "skipped", message: "" };
  if (isIn(flags.reject)) return { ...blank, status: "error", message: `prohibited resource kind ${kind}` };
  const findings = (await checker.check(document)).filter(({ severity }) => severity === "error");
  if (findings.some(({ rule }) => WITHOUT_SCHEMA.has(rule))) {
    const isSkipped = flags.ignoreMissingSchemas;
    return {
      ...blank,
      status: isSkipped ? "skipped" : "error",
      message: isSkipped ? "" : `could not find schema for ${kind}`,
    };
  }
  if (findings.length === 0) return { ...blank, status: "valid", message: "" };
  const validationErrors = findings.map(toValidationError);
  return {
    ...blank,
    status: "invalid",
    message: findings.map(({ message }) => oneLine(message)).join("; "),
    validationErrors,
  };
}

function nameOf({ object, id }: ManifestDocument): string {
  const meta = object["metadata"];
  const generated = isObject(meta) ? meta["generateName"] : undefined;
  return typeof generated === "string" ? `${generated}{{ generateName }}` : id.name;
}

function toValidationError({ path, message }: Finding): ValidationError {
  return { path: toPointer(path), msg: oneLine(message) };
}

/** `spec.ports[0].name` is `/spec/ports/0/name`. */
function toPointer(path: string): string {
  if (path === "" || path === "<nil>") return "";
  return `/${path
    .replaceAll(/\[([^\]]*)\]/g, ".$1")
    .replace(/^\./, "")
    .replaceAll(".", "/")}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\n\s*/g, " ");
}
