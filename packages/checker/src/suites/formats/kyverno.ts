/**
 * Test files of the Kyverno CLI (`cli.kyverno.io`, `kind: Test`), for ValidatingAdmissionPolicies and Kyverno's own
 * ValidatingPolicies and MutatingPolicies.
 *
 * A result names a policy and resources and expects pass, fail or skip; each resource becomes a CREATE request. Kyverno
 * ignores validationActions and, with bindings, matchConstraints. Here both count, and `fail` means that some
 * validation failed, whatever the action.
 */
import path from "node:path";
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { UnsupportedError, UsageError } from "../../input/usage-error.ts";
import { Fields } from "../../policy/fields.ts";
import { gvkOf } from "../../policy/kinds.ts";
import { convertLanguages, isOtherLanguage } from "../../policy/languages/conversion.ts";
import { ruleName } from "../../policy/languages/kyverno-rules.ts";
import { loadObjects } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import type { RequestParts } from "../../policy/request.ts";
import { readExtra } from "../../policy/request-fields.ts";
import { makeUser } from "../../policy/user.ts";
import type { Expectation } from "../expectation.ts";
import { readCases, type Suite, type SuiteCase } from "../suite.ts";
import { convertedPolicies, isMutatingPolicy, nameOf, onlyPolicy, withOperations } from "./third-party.ts";

export function isKyvernoTest({ apiVersion, kind, results }: JsonObject): boolean {
  return kind === "Test" && (String(apiVersion).startsWith("cli.kyverno.io/") || results !== undefined);
}

const UNREADABLE = [...["checks", "context", "targetResources"], ...["jsonPayload", "httpPayloads", "envoyPayloads"]];
/** What a result may contain for policies of other kinds. */
const OTHER_KINDS = [
  ...["isMutatingAdmissionPolicy", "isDeletingPolicy", "isImageValidatingPolicy", "isGeneratingPolicy"],
];

interface Parts {
  readonly file: string;
  readonly folder: string;
  readonly isConverted: (policy: string) => boolean;
  readonly policyObjects: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly user: UserInfo | undefined;
}

export function readKyvernoTest(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("apiVersion", "kind", "metadata", "name");
  for (const name of UNREADABLE) {
    if (fields.any(name) !== undefined) {
      throw new UnsupportedError(
        messages.unsupportedFeature(file, name, "does not apply to ValidatingAdmissionPolicies"),
      );
    }
  }
  const folder = path.dirname(file);
  const load = (name: string): JsonObject[] => loadObjects(fields.texts(name), folder);
  const resources = load("resources");
  const params = [...load("params"), ...load("paramResources"), ...load("parameterResources")];
  const exceptions = [...load("exceptions"), ...load("policyExceptions")];
  const given = load("policies");
  const names = new Set(given.filter(isOtherLanguage).map(nameOf));
  const { objects: policies } = convertLanguages([...given, ...exceptions]);
  const parts = {
    file,
    folder,
    isConverted: (name: string) => names.has(name),
    policyObjects: [
      ...readNamespaces(fields, folder),
      ...policies.map(withOperations),
      ...params,
      ...load("clusterResources"),
      ...resources,
    ],
    resources,
    user: readUserInfo(fields.text("userinfo"), folder),
  };
  const results = fields.each("results");
  fields.finish();
  const read = (result: Fields): SuiteCase[] => readResult(result, parts);
  return {
    file,
    name: nameOf(json) || path.basename(folder),
    ...readCases(results, read),
    isThirdParty: true,
  };
}

function readResult(result: Fields, parts: Parts): SuiteCase[] {
  const { file, policyObjects, resources, user } = parts;
  const policy = result.text("policy") ?? "";
  const kind = result.text("kind");
  const namespace = result.text("namespace");
  const names = [...result.texts("resources"), ...result.texts("resource")];
  const specs = result.each("resourceSpecs");
  const patched = [...result.texts("patchedResources"), ...result.texts("patchedResource")];
  const text = result.text("result") ?? "";
  // The tool does not look at the case of its own fields.
  const rule = result.text("rule");
  result.pass("isValidatingAdmissionPolicy", "isValidatingPolicy", "isMutatingPolicy", "isMUtatingPolicy");
  result.pass("failOnMissingResources", "status");
  for (const name of OTHER_KINDS) {
    if (result.flag(name) === true)
      throw new UnsupportedError(messages.unsupportedPolicy(result.place, `${policy} (${name})`));
  }
  for (const name of ["generatedResource", "cloneSourceResource"]) {
    if (result.any(name) !== undefined)
      throw new UnsupportedError(messages.unsupportedFeature(file, name, "nothing is generated here"));
  }
  result.finish();
  const converted = parts.isConverted(policy) ? convertedRule(policy, rule, policyObjects) : undefined;
  if (converted === undefined && parts.isConverted(policy)) {
    const what = rule === undefined ? policy : `${policy}, rule ${rule},`;
    throw new UnsupportedError(messages.unsupportedPolicy(result.place, what));
  }
  const isMutating = converted?.some(isMutatingPolicy) === true;
  const objects = converted ?? onlyPolicy(policy, policyObjects, file);
  const named = names.map((name) => found(findResource(name, kind, namespace, resources), name, result));
  const specified = specs.map((spec) => findSpecified(spec, resources));
  const isAll = names.length + specs.length === 0;
  const all = isAll ? resources.filter((object) => kind === undefined || object["kind"] === kind) : named;
  const expected = isMutating ? loadObjects(patched, parts.folder) : [];
  return [...all.map((object) => ({ object })), ...specified].map((request) => ({
    name: `${policy} ${String(request.object["kind"])} ${nameOf(request.object)}`,
    path: result.path,
    subject: {
      type: "request",
      objects,
      // Objects are not defaulted by the tool.
      request: { ...request, user, ...(converted !== undefined && { isRaw: true }) },
      isConverted: converted !== undefined,
    },
    expect: isMutating ? mutation(text, request.object, expected, result) : expectation(text, result),
  }));
}

/** Only a ClusterPolicy is split into its rules; the one that is named may be generated. Undefined if it is not in CEL. */
function convertedRule(
  policy: string,
  rule: string | undefined,
  objects: readonly JsonObject[],
): readonly JsonObject[] | undefined {
  const whole = convertedPolicies(policy, objects);
  if (rule === undefined || whole?.some((each) => nameOf(each) === policy)) return whole;
  return convertedPolicies(ruleName(policy, rule.replace(/^autogen-(cronjob-)?/, "")), objects);
}

/** The patched object of the same name, or the only one. */
function mutation(text: string, object: JsonObject, expected: readonly JsonObject[], result: Fields): Expectation {
  const named = expected.find((each) => nameOf(each) === nameOf(object) && each["kind"] === object["kind"]);
  const [only] = expected.length === 1 ? expected : [];
  const own = (named ?? only) && withMeta(named ?? only ?? {}, { name: undefined, namespace: undefined });
  if (text === "pass") return { outcome: "allow", stored: own };
  if (text === "skip") return { outcome: "skip" };
  if (text === "fail" || text === "error") return { outcome: "deny" };
  throw new UsageError(messages.unknownExpectation(result.place, text, ["pass", "fail", "skip", "error"]));
}

function found(object: JsonObject | undefined, name: string, { place }: Fields): JsonObject {
  if (object === undefined)
    throw new UsageError(messages.unsupportedFeature(place, `resource ${name}`, "there is none"));
  return object;
}

/** Matches every field of a `resourceSpecs` entry. */
function findSpecified(
  spec: Fields,
  resources: readonly JsonObject[],
): Pick<RequestParts, "subresource"> & { readonly object: JsonObject } {
  const name = spec.text("name") ?? "";
  const [group, version, subresource] = [spec.text("group"), spec.text("version"), spec.text("subresource")];
  const isVersion = (object: JsonObject): boolean => {
    const gvk = gvkOf(object);
    return (group ?? gvk.group) === gvk.group && (version ?? gvk.version) === gvk.version;
  };
  const object = findResource(name, spec.text("kind"), spec.text("namespace"), resources.filter(isVersion));
  spec.finish();
  return { object: found(object, name, spec), subresource };
}

function expectation(text: string, result: Fields): Expectation {
  switch (text) {
    case "pass":
      return { applied: true, violations: [{ min: 0, max: 0 }] };
    case "fail":
    case "warn":
      return { applied: true, violations: [{ min: 1, max: Infinity }] };
    case "skip":
      return { applied: false };
    case "error":
      return { outcome: "error" };
    default:
      throw new UsageError(messages.unknownExpectation(result.place, text, ["pass", "fail", "warn", "skip", "error"]));
  }
}

/** `name`, `namespace/name`, or patterns of either. */
function findResource(
  text: string,
  kind: string | undefined,
  namespace: string | undefined,
  resources: readonly JsonObject[],
): JsonObject | undefined {
  const [name = "", place] = text.split("/").reverse();
  const wanted = place ?? namespace;
  return resources.find(
    (object) =>
      nameOf(object) === name &&
      (kind === undefined || object["kind"] === kind) &&
      (wanted === undefined || (metaOf(object)["namespace"] ?? "default") === wanted),
  );
}

/** Namespace labels come from a values file or from the test itself. */
function readNamespaces(fields: Fields, folder: string): JsonObject[] {
  const file = fields.text("variables");
  const [values] = file === undefined ? [] : loadObjects([file], folder);
  const spec = values !== undefined && isObject(values["spec"]) ? values["spec"] : values;
  const given = [fields.object("values"), spec].flatMap((each) => (each === undefined ? [] : [each]));
  return given.flatMap((each) =>
    new Fields(each, `${fields.place}: values`).each("namespaceSelector").map((entry) => {
      const made = fromPlain({ apiVersion: "v1", kind: "Namespace" });
      if (!isObject(made)) throw new Error("not an object");
      made["metadata"] = { name: entry.text("name") ?? "", labels: entry.object("labels") ?? {} };
      return made;
    }),
  );
}

function readUserInfo(file: string | undefined, folder: string): UserInfo | undefined {
  if (file === undefined) return undefined;
  const [object] = loadObjects([file], folder);
  const info = object && new Fields(object, file).within("userInfo");
  return (
    info &&
    makeUser(info.text("username") ?? "user", info.texts("groups"), {
      uid: info.text("uid") ?? "",
      extra: readExtra(info.object("extra")),
    })
  );
}
