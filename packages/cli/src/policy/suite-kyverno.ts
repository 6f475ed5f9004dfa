/**
 * Test files of the Kyverno CLI (`cli.kyverno.io`, `kind: Test`), as far as they are about ValidatingAdmissionPolicies.
 *
 * A result names a policy and resources and says pass, fail or skip; each resource becomes a request to create it. Kyverno
 * looks neither at validationActions nor, with bindings, at matchConstraints; here both count, and `fail` means that some
 * validation failed, whatever becomes of it.
 */
import path from "node:path";
import type { UserInfo } from "@portcullis/engine/kubecel/library/authz";
import { fromPlain } from "@portcullis/engine/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/value/json";
import { UsageError } from "../commands/command.ts";
import { Fields } from "./fields.ts";
import { loadObjects } from "./load.ts";
import * as messages from "./messages.ts";
import { makeUser } from "./request.ts";
import { metaOf } from "./settle.ts";
import type { Expectation, Suite, SuiteCase } from "./suite.ts";
import { nameOf, onlyPolicy } from "./suite-foreign.ts";

export function isKyvernoTest({ apiVersion, kind, results }: JsonObject): boolean {
  return kind === "Test" && (String(apiVersion).startsWith("cli.kyverno.io/") || results !== undefined);
}

const UNREADABLE = ["exceptions", "policyExceptions", "checks", "context", "targetResources", "jsonPayload"];

interface Parts {
  readonly file: string;
  readonly world: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly user: UserInfo | undefined;
}

export function readKyvernoTest(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("apiVersion", "kind", "metadata", "name");
  for (const name of UNREADABLE) {
    if (fields.any(name) !== undefined) {
      throw new UsageError(messages.foreignFeature(file, name, "means nothing for ValidatingAdmissionPolicies"));
    }
  }
  const folder = path.dirname(file);
  const load = (name: string): JsonObject[] => loadObjects(fields.texts(name), folder);
  const resources = load("resources");
  const params = [...load("params"), ...load("paramResources"), ...load("parameterResources")];
  const parts = {
    file,
    world: [...readNamespaces(fields, folder), ...load("policies"), ...params, ...resources],
    resources,
    user: readUserInfo(fields.text("userinfo"), folder),
  };
  const cases = fields.each("results").flatMap((result) => readResult(result, parts));
  fields.finish();
  return { file, name: nameOf(json) || path.basename(folder), cases };
}

function readResult(result: Fields, { file, world, resources, user }: Parts): SuiteCase[] {
  const policy = result.text("policy") ?? "";
  const kind = result.text("kind");
  const namespace = result.text("namespace");
  const names = [...result.texts("resources"), ...result.texts("resource")];
  const expect = expectation(result);
  result.pass("rule", "isValidatingAdmissionPolicy", "isValidatingPolicy", "status");
  for (const name of ["patchedResource", "patchedResources", "generatedResource", "cloneSourceResource"]) {
    if (result.any(name) !== undefined) {
      throw new UsageError(messages.foreignFeature(file, name, "means nothing for ValidatingAdmissionPolicies"));
    }
  }
  result.finish();
  const objects = onlyPolicy(policy, world, file);
  const found = names.map((name) => findResource(name, kind, namespace, resources));
  return found.map((object, index) => {
    if (object === undefined) {
      throw new UsageError(messages.foreignFeature(result.place, `resource ${names[index] ?? ""}`, "there is none"));
    }
    return {
      name: `${policy} ${kind ?? String(object["kind"])} ${names[index] ?? ""}`,
      path: result.path,
      objects,
      request: { object, user },
      expect,
    };
  });
}

function expectation(result: Fields): Expectation {
  const text = result.text("result") ?? "";
  switch (text) {
    case "pass":
      return { applied: true, violations: { min: 0, max: 0 } };
    case "fail":
    case "warn":
      return { applied: true, violations: { min: 1, max: Infinity } };
    case "skip":
      return { applied: false };
    case "error":
      return { outcome: "error" };
    default:
      throw new UsageError(messages.unknownExpectation(result.place, text, ["pass", "fail", "warn", "skip", "error"]));
  }
}

/** `name`, `namespace/name`, or with patterns of neither. */
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

/** Labels of namespaces come from a values file, or stand in the test itself. */
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
  return info && makeUser(info.text("username") ?? "user", info.texts("groups"), { uid: info.text("uid") ?? "" });
}
