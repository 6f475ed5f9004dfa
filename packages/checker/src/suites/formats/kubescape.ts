/**
 * Tests of kubescape's library of policies: a `tests.json` beside each `policy.yaml`, with templates and changed fields.
 *
 * The policy is bound with a param, both made from templates of the library.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { deepCopy } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../../input/usage-error.ts";
import { Fields } from "../../policy/fields.ts";
import { loadObjects } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import type { Expectation } from "../expectation.ts";
import { containing } from "../matcher.ts";
import { readCases, type Suite, type SuiteCase } from "../suite.ts";
import { isPolicy, nameOf } from "./third-party.ts";

const WRAPPED = "kubescapeTests";

/** The file is a list; suites are objects. Its lines stay where they are. */
export function wrapKubescape(file: string, text: string): string {
  const isTests = path.basename(file) === "tests.json" && text.trimStart().startsWith("[");
  return isTests ? `{"${WRAPPED}":${text.trimEnd()}}` : text;
}

export function isKubescape(json: JsonObject): boolean {
  return json[WRAPPED] !== undefined;
}

export function readKubescape(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  const folder = path.dirname(file);
  const policies = loadObjects(["policy.yaml"], folder);
  const policy = policies.find(isPolicy);
  if (policy === undefined) throw new UsageError(messages.noPolicyInSuite(file));
  const resources = path.join(folder, "..", "..", "test-resources");
  const configuration = path.join(folder, "..", "..", "configuration", "policy-configuration-definition.yaml");
  const crds = existsSync(configuration) ? loadObjects([configuration]) : [];
  const load = (name: string): JsonObject => {
    const [object] = loadObjects([path.join(resources, name)]);
    if (object === undefined) throw new UsageError(messages.noObjectIn(name));
    return object;
  };
  const library = { load, policy: nameOf(policy), objects: new Map(), shared: [...policies, ...crds] };
  const tests = fields.each(WRAPPED);
  fields.finish();
  const read = (test: Fields): readonly SuiteCase[] => [readCase(test, library)];
  return { file, name: path.basename(folder), ...readCases(tests, read), isThirdParty: true };
}

interface Library {
  readonly load: (template: string) => JsonObject;
  readonly policy: string;
  readonly shared: readonly JsonObject[];
  /** By templates of binding and param. */
  readonly objects: Map<string, readonly JsonObject[]>;
}

function readCase(test: Fields, library: Library): SuiteCase {
  const name = test.text("name") ?? test.place;
  const template = test.text("template") ?? "";
  const changes = test.texts("field_change_list");
  const binding = test.text("binding_template") ?? "policy-binding.yaml";
  const param = test.text("param_template") ?? "default-control-configuration.yaml";
  const expect = expectation(test, library.policy);
  test.finish();
  const object = changeFields(library.load(template), changes, test.place);
  const objects = objectsFor(library, binding, param);
  return { name, path: test.path, subject: { type: "request", objects, request: { object } }, expect };
}

function expectation(test: Fields, policy: string): Expectation {
  const text = test.text("expected") ?? "";
  if (text === "pass") return { outcome: "allow" };
  if (text === "fail") return { outcome: "deny", messages: [containing(policy)] };
  if (text === "warn") return { outcome: "warn", messages: [containing(policy)] };
  throw new UsageError(messages.unknownExpectation(test.place, text, ["pass", "fail", "warn"]));
}

function objectsFor(library: Library, binding: string, param: string): readonly JsonObject[] {
  const key = `${binding} ${param}`;
  const known = library.objects.get(key);
  if (known !== undefined) return known;
  const { load, policy, shared } = library;
  const names = [`spec.policyName=${policy}`, `metadata.name=${policy}-binding`, `spec.paramRef.name=${policy}-params`];
  const made = [
    ...shared,
    changeFields(load(binding), names, binding),
    changeFields(load(param), [`metadata.name=${policy}-params`], param),
  ];
  library.objects.set(key, made);
  return made;
}

/** `spec.containers.[0].image=VALUE`; the value is JSON if it can be, and what is missing on the way is added. */
function changeFields(object: JsonObject, changes: readonly string[], place: string): JsonObject {
  const made = deepCopy(object);
  for (const change of changes) {
    const [, field = "", text = ""] = /^([^=]*)=([\s\S]*)$/.exec(change) ?? [];
    const steps = field.split(".").map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step));
    const decoded = decodeJson(text);
    if (!setField(made, steps, decoded.error === undefined ? decoded.value : text))
      throw new UsageError(messages.notOf(`${place}: ${change}`, "a change of a field that is there"));
  }
  return made;
}

function setField(root: JsonValue, steps: readonly (string | number)[], value: JsonValue): boolean {
  let target: JsonValue = root;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const missing = (): JsonValue => (next === undefined ? value : typeof next === "number" ? [] : newObject());
    if (typeof step === "number" && isArray(target)) {
      while (target.length <= step) target.push(null);
      if (next === undefined || target[step] === null) target[step] = missing();
      target = target[step] ?? null;
    } else if (typeof step === "string" && isObject(target)) {
      if (next === undefined || target[step] === undefined || target[step] === null) target[step] = missing();
      target = target[step] ?? null;
    } else return false;
  }
  return true;
}
