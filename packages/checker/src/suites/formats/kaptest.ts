/**
 * Test files of kaptest: policies, resources, and for each policy cases that name resources.
 *
 * kaptest has no bindings; each case gets one that denies and names the case's param. It ignores matchConstraints, so a
 * policy that does not match is applied here with a note. It allows every authorizer check; here the roles among the
 * resources decide. Objects of MutatingAdmissionPolicies are compared as they are written, without defaults.
 */
import path from "node:path";
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { UsageError } from "../../input/usage-error.ts";
import { Fields } from "../../policy/fields.ts";
import { gvkOf } from "../../policy/kinds.ts";
import { loadObjects } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import { readExtra } from "../../policy/request-fields.ts";
import { makeUser } from "../../policy/user.ts";
import type { Expectation } from "../expectation.ts";
import { containing } from "../matcher.ts";
import { readCases, type Suite, type SuiteCase } from "../suite.ts";
import { bindingFor, isBinding, isMutatingPolicy, nameOf, onlyPolicy, withoutRules } from "./third-party.ts";

export function isKaptest(json: JsonObject): boolean {
  return json["testSuites"] !== undefined || json["vapTestSuites"] !== undefined || json["mapTestSuites"] !== undefined;
}

export function readKaptest(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("version", "schemaLocations", "skipSchemaValidation");
  const folder = path.dirname(file);
  const load = (name: string): JsonObject[] => loadObjects(fields.texts(name), folder);
  const policies = [...load("validatingAdmissionPolicies"), ...load("policies"), ...load("crds")];
  const resources = load("resources");
  const validating = [...fields.each("vapTestSuites"), ...fields.each("testSuites")].flatMap((suite) => {
    const policy = suite.text("policy") ?? "";
    const objects = onlyPolicy(policy, [...policies, ...resources], file).filter((object) => !isBinding(object));
    return testsOf(suite, (test) => readCase(test, policy, objects, resources));
  });
  const mutating = fields.each("mapTestSuites").flatMap((suite) => {
    const policy = suite.text("policy") ?? "";
    const found = policies.find((object) => isMutatingPolicy(object) && nameOf(object) === policy);
    if (found === undefined)
      throw new UsageError(
        messages.unsupportedFeature(file, `policy ${policy}`, "there is no such MutatingAdmissionPolicy"),
      );
    const objects = [withoutRules(found), ...resources];
    return testsOf(suite, (test) => readMutatingCase(test, policy, objects, resources));
  });
  fields.finish();
  const all = new Map([...validating, ...mutating]);
  const read = (test: Fields): readonly SuiteCase[] => [all.get(test)?.() ?? []].flat();
  return { file, name: path.basename(folder), ...readCases([...all.keys()], read), isThirdParty: true };
}

function testsOf(suite: Fields, read: (test: Fields) => SuiteCase): [Fields, () => SuiteCase][] {
  const tests = suite.each("tests");
  suite.finish();
  return tests.map((test) => [test, () => read(test)]);
}

function readCase(
  fields: Fields,
  policy: string,
  policyObjects: readonly JsonObject[],
  resources: readonly JsonObject[],
): SuiteCase {
  const find = (field: string): JsonObject | undefined => {
    const query = fields.within(field);
    return query && findResource(query, resources);
  };
  const [object, oldObject] = [find("object"), find("oldObject")];
  const param = fields.within("param");
  const user = fields.within("userInfo");
  const read = {
    name: `${policy} ${[oldObject, object].flatMap((each) => (each === undefined ? [] : [nameOf(each)])).join(" -> ")}`,
    path: fields.path,
    subject: {
      type: "request",
      ignoresRules: true,
      objects: [...policyObjects, bindingFor(policy, param && paramRef(param, resources))],
      request: { object, oldObject, user: user && readUser(user) },
    },
    expect: readExpectation(fields),
  } satisfies SuiteCase;
  fields.finish();
  return read;
}

function readMutatingCase(
  fields: Fields,
  policy: string,
  policyObjects: readonly JsonObject[],
  resources: readonly JsonObject[],
): SuiteCase {
  const find = (field: string): JsonObject | undefined => {
    const query = fields.within(field);
    return query && findResource(query, resources);
  };
  const [object, oldObject, expected] = [find("object"), find("oldObject"), find("expectObject")];
  const [param, user] = [fields.within("param"), fields.within("userInfo")];
  const text = fields.text("expect") ?? "";
  const keepsName = fields.flag("disableNameOverwrite") === true;
  fields.finish();
  const binding = bindingFor(policy, param && paramRef(param, resources), "Mutating");
  return {
    name: `${policy} ${[oldObject, object].flatMap((each) => (each === undefined ? [] : [nameOf(each)])).join(" -> ")}`,
    path: fields.path,
    subject: {
      type: "request",
      objects: [...policyObjects, binding],
      request: { object, oldObject, user: user && readUser(user), isRaw: true },
    },
    expect: mutationExpectation(
      text,
      fields.place,
      expected && !keepsName && object ? renamed(expected, object) : expected,
    ),
  };
}

function mutationExpectation(text: string, place: string, expected: JsonObject | undefined): Expectation {
  if (text === "mutate") return { outcome: "allow", storedExactly: expected };
  if (text === "skip") return { outcome: "skip" };
  if (text === "error") return { outcome: "deny" };
  throw new UsageError(messages.unknownExpectation(place, text, ["mutate", "skip", "error"]));
}

/** The expected object is among the resources, under a name of its own. */
function renamed(expected: JsonObject, object: JsonObject): JsonObject {
  return withMeta(expected, { name: nameOf(object) });
}

function readUser(user: Fields): UserInfo {
  const info = makeUser(user.text("name") ?? "user", user.texts("groups"), {
    uid: user.text("uid") ?? "",
    extra: readExtra(user.object("extra")),
  });
  user.finish();
  return info;
}

function findResource(query: Fields, resources: readonly JsonObject[]): JsonObject {
  const [group, version, kind] = ["group", "version", "kind"].map((field) => query.text(field) ?? "");
  const [name, namespace] = ["name", "namespace"].map((field) => query.text(field) ?? "");
  query.finish();
  const found = resources.find((object) => {
    const gvk = gvkOf(object);
    return (
      nameOf(object) === name &&
      gvk.kind === kind &&
      (namespace === "" || metaOf(object)["namespace"] === namespace) &&
      (group === "" || (gvk.group === group && (version === "" || gvk.version === version)))
    );
  });
  if (found === undefined)
    throw new UsageError(messages.unsupportedFeature(query.place, `${kind} ${name}`, "there is none"));
  return found;
}

/** A param without a namespace is the object of that name in any namespace. */
function paramRef(param: Fields, resources: readonly JsonObject[]): Record<string, string> {
  const name = param.text("name") ?? "";
  const found = resources.find((object) => nameOf(object) === name && isPossibleParam(object));
  const namespace = param.text("namespace") ?? (found && namespaceOf(found));
  param.finish();
  const ref = { name, parameterNotFoundAction: "Deny" };
  return namespace === undefined ? ref : { ...ref, namespace };
}

/** Params are of kinds that hold data, not workloads. */
function isPossibleParam(object: JsonObject): boolean {
  const { group } = gvkOf(object);
  return group === "" ? object["data"] !== undefined || object["kind"] === "ConfigMap" : group.includes(".");
}

function namespaceOf(object: JsonObject): string | undefined {
  const { namespace } = metaOf(object);
  if (typeof namespace === "string") return namespace;
  return gvkOf(object).group === "" ? "default" : undefined;
}

function readExpectation(fields: Fields): Expectation {
  const text = fields.text("expect") ?? "";
  const message = fields.text("deniedMessage");
  const outcome = { admit: "allow", deny: "deny", error: "error", skip: "skip" } as const;
  if (!isKey(text, outcome))
    throw new UsageError(messages.unknownExpectation(fields.place, text, Object.keys(outcome)));
  return { outcome: outcome[text], messages: message === undefined ? [] : [containing(message)] };
}

function isKey<T extends object>(text: string, table: T): text is keyof T & string {
  return Object.hasOwn(table, text);
}
