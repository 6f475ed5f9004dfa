/** Which requests belong to which priority level. Follows pkg/apis/flowcontrol/validation. */
import { type FieldError, forbidden, GoJson, invalid, notSupported, required } from "../../../field/error.ts";
import { checkDnsLabel, checkDnsSubdomain } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { fromPlain } from "../../../value/copy.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, isSet, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { eachOf, eachTextOf, subdomain } from "../checks.ts";
import * as shared from "../messages.ts";
import * as messages from "./messages.ts";
import { validateFlowStatus } from "./status.ts";

const SPEC = newPath("spec");
const MAX_PRECEDENCE = 10_000;

export function validateFlowSchema(schema: JsonObject): FieldError[] {
  const spec = objectOf(schema, "spec") ?? {};
  const name = textOf(metaOf(schema), "name");
  return [
    ...validatePrecedence(numberOf(spec, "matchingPrecedence"), name),
    ...validateDistinguisher(objectOf(spec, "distinguisherMethod")),
    ...validateLevel(textOf(objectOf(spec, "priorityLevelConfiguration"), "name")),
    ...eachOf(spec, "rules", SPEC, validateRules),
    ...validateFixed(spec, name),
    ...validateFlowStatus(schema),
  ];
}

function validatePrecedence(precedence: number, name: string): FieldError[] {
  const path = SPEC.child("matchingPrecedence");
  if (precedence <= 0) return [invalid(path, precedence, messages.positivePrecedence())];
  if (precedence > MAX_PRECEDENCE) return [invalid(path, precedence, messages.notAbove(MAX_PRECEDENCE))];
  return precedence === 1 && name !== "exempt" ? [invalid(path, precedence, messages.firstPrecedence())] : [];
}

const METHODS = ["ByNamespace", "ByUser"];

/** Upstream shows the whole method, not its type. */
function validateDistinguisher(method: JsonObject | undefined): FieldError[] {
  if (method === undefined || METHODS.includes(textOf(method, "type"))) return [];
  const shown = internalJson("flowcontrol.FlowDistinguisherMethod", method);
  return [notSupported(SPEC.child("distinguisherMethod", "type"), shown, METHODS)];
}

function validateLevel(name: string): FieldError[] {
  const path = SPEC.child("priorityLevelConfiguration", "name");
  return name === "" ? [required(path, messages.needLevel())] : subdomain(name, path);
}

function validateRules(rule: JsonObject, path: FieldPath): FieldError[] {
  const isEmpty = ["resourceRules", "nonResourceRules"].every((key) => objectsOf(rule, key).length === 0);
  const hasSubjects = objectsOf(rule, "subjects").length > 0;
  return [
    ...(hasSubjects
      ? eachOf(rule, "subjects", path, validateSubject)
      : [required(path.child("subjects"), messages.needSubjects())]),
    ...(isEmpty ? [required(path, messages.needRules())] : []),
    ...eachOf(rule, "resourceRules", path, validateResourceRule),
    ...eachOf(rule, "nonResourceRules", path, validateUrlRule),
  ];
}

/** The member that names each kind of subject, in the order in which others are forbidden. */
const SUBJECTS: Readonly<Record<string, string>> = {
  ServiceAccount: "serviceAccount",
  User: "user",
  Group: "group",
};

function validateSubject(subject: JsonObject, path: FieldPath): FieldError[] {
  const kind = textOf(subject, "kind");
  const member = SUBJECTS[kind];
  if (member === undefined)
    return [notSupported(path.child("kind"), new GoJson(canonicalJson(kind)), ["Group", "ServiceAccount", "User"])];
  const named = objectOf(subject, member);
  const at = path.child(member);
  return [
    ...(named === undefined
      ? [required(at, messages.subjectNeeded(member, kind))]
      : validateNamed(named, at, kind === "ServiceAccount")),
    ...Object.entries(SUBJECTS).flatMap(([other, key]) =>
      key !== member && has(subject, key) ? [forbidden(path.child(key), messages.otherSubject(key, other))] : [],
    ),
  ];
}

function validateNamed(named: JsonObject, path: FieldPath, isAccount: boolean): FieldError[] {
  const [name, namespace] = [textOf(named, "name"), textOf(named, "namespace")];
  const errors = name === "" ? [required(path.child("name"))] : [];
  if (!isAccount) return errors;
  if (name !== "" && name !== "*")
    errors.push(...checkDnsSubdomain(name).map((problem) => invalid(path.child("name"), name, problem)));
  const at = path.child("namespace");
  if (namespace === "") return [...errors, required(at, messages.needNamespace())];
  return [...errors, ...checkDnsLabel(namespace).map((problem) => invalid(at, namespace, problem))];
}

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

function validateVerbs(rule: JsonObject, path: FieldPath): FieldError[] {
  const verbs = textsOf(rule, "verbs");
  const at = path.child("verbs");
  if (verbs.length === 0) return [required(at, shared.verbsNeeded())];
  if (verbs.includes("*")) return starAlone(verbs, at, "verbs");
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [notSupported(at, verbs, VERBS)];
}

function starAlone(values: readonly string[], path: FieldPath, others: string): FieldError[] {
  return values.length > 1 && values.includes("*") ? [invalid(path, [...values], messages.starAlone(others))] : [];
}

function validateResourceRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const [groups, resources] = [textsOf(rule, "apiGroups"), textsOf(rule, "resources")];
  return [
    ...validateVerbs(rule, path),
    ...(groups.length === 0
      ? [required(path.child("apiGroups"), shared.groupsNeeded())]
      : starAlone(groups, path.child("apiGroups"), "api groups")),
    ...(resources.length === 0
      ? [required(path.child("resources"), shared.resourcesNeeded())]
      : starAlone(resources, path.child("resources"), "resources")),
    ...validateNamespaces(rule, path),
  ];
}

function validateNamespaces(rule: JsonObject, path: FieldPath): FieldError[] {
  const namespaces = textsOf(rule, "namespaces");
  const at = path.child("namespaces");
  if (namespaces.length === 0 && !isSet(rule, "clusterScope")) return [required(at, messages.needNamespaces())];
  if (namespaces.includes("*")) return starAlone(namespaces, at, "namespaces");
  return eachTextOf(rule, "namespaces", path, (name, place) =>
    checkDnsLabel(name).map((problem) => invalid(place, name, messages.badNamespace(problem))),
  );
}

function validateUrlRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const urls = textsOf(rule, "nonResourceURLs");
  const at = path.child("nonResourceURLs");
  const errors = validateVerbs(rule, path);
  if (urls.length === 0) return [...errors, required(at, messages.needUrls())];
  if (urls.includes("*")) return [...errors, ...starAlone(urls, at, "non-resource URLs")];
  return [
    ...errors,
    ...eachTextOf(rule, "nonResourceURLs", path, (url, place) => {
      const problem = urlProblem(url);
      return problem === undefined ? [] : [invalid(place, url, problem)];
    }),
  ];
}

function urlProblem(url: string): string | undefined {
  if (url === "") return shared.mustNotBeEmpty();
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return messages.leadingSlash();
  if (url.includes(" ")) return messages.whiteSpace();
  if (url.includes("//")) return messages.doubleSlash();
  const stars = url.split("*").length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith("/*")) ? messages.wildcardAtEnd() : undefined;
}

const EVERYTHING = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

const groups = (...names: string[]): unknown[] => names.map((name) => ({ kind: "Group", group: { name } }));

/** The schemas that no server is without; they are never other than this. */
const FIXED: Readonly<Record<string, unknown>> = {
  exempt: {
    priorityLevelConfiguration: { name: "exempt" },
    matchingPrecedence: 1,
    rules: [{ subjects: groups("system:masters"), ...EVERYTHING }],
  },
  "catch-all": {
    priorityLevelConfiguration: { name: "catch-all" },
    matchingPrecedence: MAX_PRECEDENCE,
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: groups("system:unauthenticated", "system:authenticated"), ...EVERYTHING }],
  },
};

function validateFixed(spec: JsonObject, name: string): FieldError[] {
  const wanted = FIXED[name];
  if (wanted === undefined || semanticEqual(spec, fromPlain(wanted))) return [];
  return [invalid(SPEC, internalJson("flowcontrol.FlowSchemaSpec", spec), messages.fixedSpec(name))];
}
