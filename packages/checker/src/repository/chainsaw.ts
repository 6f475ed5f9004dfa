/** What the files of Chainsaw and KUTTL tests are: some are only compared with objects of a cluster, and never applied. */
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

export interface ChainsawTest {
  /** The files that the test only compares, and those that it expects to be refused. */
  readonly compared: readonly string[];
  /** The files that it merges into the objects if they exist. */
  readonly merged: readonly string[];
}

/** A file that the test applies as well as compares is an object. */
export function readChainsawTest(file: string, text: string): ChainsawTest {
  const compared: string[] = [];
  const merged: string[] = [];
  const applied = new Set<string>();
  for (const operation of decodeDocuments(text).flatMap(({ document }) =>
    document.error === undefined && isObject(document.value) ? operationsOf(document.value) : [],
  )) {
    for (const [name, { file: named, expect }] of objectsIn(operation)) {
      if (typeof named !== "string") continue;
      const path = join(folderOf(file), named);
      if (name === "assert" || name === "error" || isRefusal(expect)) compared.push(path);
      else applied.add(path);
      if (MERGING.has(name)) merged.push(path);
    }
  }
  return { compared: compared.filter((path) => !applied.has(path)), merged };
}

const MERGING: ReadonlySet<string> = new Set(["apply", "patch", "update"]);

/** `expect: [{check: {($error != null): true}}]` */
function isRefusal(expect: JsonValue | undefined): boolean {
  return listOf(expect).some(({ check }) => isObject(check) && check["($error != null)"] === true);
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
