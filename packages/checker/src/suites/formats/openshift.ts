/**
 * Suites of openshift/api: tests of CRDs, with `onCreate` and `onUpdate`.
 *
 * A suite runs once for each generated CRD that its feature gates select, reduced to the tested version. An `onUpdate`
 * test may patch the CRD for the initial object only. Objects are compared as a whole, but for what the server sets.
 * Fields that the tool does not know have no effect, as there.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaText, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf, optionalText } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { UsageError } from "../../input/usage-error.ts";
import { Fields } from "../../policy/fields.ts";
import * as messages from "../../policy/messages.ts";
import { applyPatch, type Expectation } from "../expectation.ts";
import { containing } from "../matcher.ts";
import { readCases, type Suite, type SuiteCase, type WriteAction, type WriteStep } from "../suite.ts";
import { gatesOf } from "./openshift-gates.ts";

export function isOpenshiftSuite({ crdName, tests }: JsonObject, file: string): boolean {
  // The tool looks nowhere else.
  if (path.basename(path.dirname(path.dirname(path.resolve(file)))) !== "tests") return false;
  return typeof crdName === "string" && isObject(tests) && ("onCreate" in tests || "onUpdate" in tests);
}

/** One generated CRD, as installed for the suite. */
interface Variant {
  readonly file: string;
  readonly crd: JsonObject;
  /** The CRD of the file, with all versions: patches apply to it. */
  readonly whole: JsonObject;
  readonly objects: readonly JsonObject[];
}

export function readOpenshiftSuite(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("apiVersion", "kind");
  const name = fields.text("name") ?? path.basename(file);
  const crdName = fields.text("crdName") ?? "";
  const variants = variantsOf(file, crdName, fields.texts("featureGates"), fields.text("version"));
  if (variants.length === 0)
    throw new UsageError(
      messages.unsupportedFeature(file, crdName, "no CRD file has this name and these feature gates"),
    );
  const tests = fields.within("tests");
  const all = [...(tests?.each("onCreate") ?? []), ...(tests?.each("onUpdate") ?? [])];
  const read = (test: Fields): readonly SuiteCase[] => {
    const make = test.path.includes("onCreate") ? readCreate(test) : readUpdate(test);
    return variants.map((variant) => make(variant, variants.length > 1 ? ` [${path.basename(variant.file)}]` : ""));
  };
  return { file, name, ...readCases(all, read), isThirdParty: true };
}

type MakeCase = (variant: Variant, suffix: string) => SuiteCase;

function readCreate(test: Fields): MakeCase {
  const name = test.text("name") ?? test.place;
  const initial = readObject(test, "initial");
  const error = test.text("expectedError");
  const expected = error === undefined ? readObject(test, "expected") : undefined;
  const steps = [step("initial", { type: "create", object: initial }, answer(error, expected))];
  return ({ objects }, suffix) => caseOf(`${name}${suffix}`, test, objects, steps);
}

function readUpdate(test: Fields): MakeCase {
  const name = test.text("name") ?? test.place;
  const patches = test.list("initialCRDPatches");
  const initial = readObject(test, "initial");
  const updated = withMeta(readObject(test, "updated"), { name: undefined });
  const [error, statusError] = [test.text("expectedError"), test.text("expectedStatusError")];
  const isRefused = (error ?? statusError ?? "") !== "";
  const expected = isRefused ? undefined : readObject(test, "expected");
  const created = [
    step("initial", { type: "create", object: initial }, DONE),
    ...(initial["status"] === undefined ? [] : [step("initial status", { type: "status", object: initial }, DONE)]),
  ];
  const hasStatus = updated["status"] !== undefined;
  const updates = [
    step("updated", { type: "update", object: updated }, answer(error, hasStatus ? undefined : expected)),
    ...(hasStatus && (error ?? "") === ""
      ? [step("updated status", { type: "status", object: updated }, answer(statusError, expected))]
      : []),
  ];
  return ({ crd, whole, objects }, suffix) => {
    const patched = patches.length === 0 ? undefined : patchedCrd(whole, patches, test);
    const before = patched === undefined ? [] : [step("patched CRD", { type: "crd", crd: patched }, DONE)];
    const after = patched === undefined ? [] : [step("restored CRD", { type: "crd", crd }, DONE)];
    return caseOf(`${name}${suffix}`, test, objects, [...before, ...created, ...after, ...updates]);
  };
}

const DONE: Expectation = {};

function answer(error: string | undefined, expected: JsonObject | undefined): Expectation {
  if (error !== undefined && error !== "") return { outcome: "deny", messages: [containing(error)] };
  return { outcome: "allow", storedExactly: expected && withMeta(expected, { name: undefined, namespace: undefined }) };
}

function step(name: string, action: WriteAction, expect: Expectation): WriteStep {
  return {
    path: name, action, request: {}, fieldValidation: "Warn",
    expect: expect === DONE ? { outcome: "allow" } : expect,
  };
}

function caseOf(
  name: string,
  { path: place }: Fields,
  objects: readonly JsonObject[],
  steps: readonly WriteStep[],
): SuiteCase {
  return { name, path: place, subject: { type: "writes", objects, steps }, expect: {} };
}

/** Objects are texts, to which the tests add a generated name and a namespace. */
function readObject(test: Fields, name: string): JsonObject {
  const text = test.text(name);
  const decoded = decodeYaml(text ?? "");
  if (decoded.error !== undefined || !isObject(decoded.value))
    throw new UsageError(messages.notOf(`${test.place}: ${name}`, decoded.error ?? "an object in YAML"));
  return withMeta(decoded.value, { generateName: "test-", namespace: "default" });
}

/** The patches are about the CRD in the file, whatever versions the suite installs. */
function patchedCrd(crd: JsonObject, patches: readonly JsonValue[], { place }: Fields): JsonObject {
  const patched = applyPatch(crd, [...patches]);
  if (typeof patched === "string") throw new UsageError(messages.unreadable(`${place}: initialCRDPatches`, patched));
  return patched;
}

const folders = new Map<string, readonly { readonly file: string; readonly crd: JsonObject }[]>();

function crdsOf(folder: string): readonly { readonly file: string; readonly crd: JsonObject }[] {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder).sort() : [];
  const read = names.flatMap((name) => {
    const file = path.join(folder, name);
    const decoded = /\.ya?ml$/.test(name) ? decodeYaml(readFileSync(file, "utf8")) : { error: "not YAML" };
    const isCrd = decoded.error === undefined && isObject(decoded.value) && isObject(decoded.value["spec"]);
    return isCrd && isObject(decoded.value) ? [{ file, crd: decoded.value }] : [];
  });
  folders.set(folder, read);
  return read;
}

/** Suites share the lists, and so what is compiled from them. */
const variants = new Map<string, Variant>();

function variantsOf(file: string, name: string, gates: readonly string[], version: string | undefined): Variant[] {
  const folder = path.join(path.dirname(file), "..", "..", "zz_generated.crd-manifests");
  const named = crdsOf(folder).filter(({ crd }) => metaText(crd, "name") === name);
  return named
    .filter(({ crd }) => gatesOf(crd, gates, file))
    .map((each) => {
      const tested = version ?? onlyVersion(each.crd, file);
      const key = `${each.file} ${tested}`;
      const known = variants.get(key);
      if (known !== undefined) return known;
      const crd = reduced(each.crd, tested);
      const made = { file: each.file, crd, whole: each.crd, objects: [crd] };
      variants.set(key, made);
      return made;
    });
}

function onlyVersion({ spec }: JsonObject, file: string): string {
  const versions = objectsOf(objectOf(spec)["versions"]);
  const [first] = versions;
  if (first === undefined || versions.length > 1)
    throw new UsageError(messages.unsupportedFeature(file, "version", "too many versions, specify one in the suite"));
  return textOf(first["name"]);
}

/** The tested version alone, served and stored. */
function reduced(crd: JsonObject, version: string): JsonObject {
  const spec = objectOf(crd["spec"]);
  const versions = isArray(spec["versions"]) ? spec["versions"] : [];
  const kept = versions
    .filter((each) => isObject(each) && optionalText(each["name"]) === version)
    .map((each) => withMember(withMember(objectOf(each), "storage", true), "served", true));
  return withMember(crd, "spec", withMember(spec, "versions", kept));
}
