/** Files that Chainsaw and KUTTL tests only compare with objects of a cluster: they are never applied. */
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { baseName, folderOf, join } from "./paths.ts";

const TEST_NAME = /^chainsaw-test\.ya?ml$/;
const OF_KUTTL = /^\d+-(?:assert|errors?)(?:-.*)?\.ya?ml$/;
/** Step templates get the names of files as values. */
const OF_TEMPLATES = /(?:^|[-_.])assert(?:ions?)?(?:[-_.]|\d)/;

export function isChainsawTest(file: string): boolean {
  return TEST_NAME.test(baseName(file));
}

/** Whether KUTTL takes the file for an assertion, or a step template of Chainsaw in a folder with a test. */
export function isNamedLikeAssertion(file: string, { hasTest }: { readonly hasTest: boolean }): boolean {
  return OF_KUTTL.test(baseName(file)) || (hasTest && OF_TEMPLATES.test(baseName(file)));
}

/** The files that a Chainsaw test only compares. A file that it applies as well is an object. */
export function assertionsOf(file: string, text: string): readonly string[] {
  const compared: string[] = [];
  const applied = new Set<string>();
  for (const operation of decodeDocuments(text).flatMap(({ document }) =>
    document.error === undefined && isObject(document.value) ? operationsOf(document.value) : [],
  )) {
    for (const [name, { file: named }] of objectsIn(operation)) {
      if (typeof named !== "string") continue;
      const path = join(folderOf(file), named);
      if (name === "assert" || name === "error") compared.push(path);
      else applied.add(path);
    }
  }
  return compared.filter((path) => !applied.has(path));
}

const PHASES = ["try", "catch", "finally", "cleanup"];

function operationsOf({ apiVersion, spec }: JsonObject): readonly JsonObject[] {
  if (typeof apiVersion !== "string" || !apiVersion.startsWith("chainsaw.kyverno.io/") || !isObject(spec)) return [];
  const steps = listOf(spec["steps"]);
  return steps.flatMap((step) => PHASES.flatMap((phase) => listOf(step[phase])));
}

function objectsIn(operation: JsonObject): readonly [name: string, value: JsonObject][] {
  return Object.entries(operation).flatMap(([name, value]) => (isObject(value) ? [[name, value]] : []));
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
