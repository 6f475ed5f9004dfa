/**
 * Authorization checks: `authorizer.group("").resource("pods").namespace("x").check("get").allowed()`.
 *
 * Selectors are passed on as strings: the authorizer decides what to do with one that does not parse.
 * Follows apiserver pkg/cel/library/authz.go.
 */
import {
  addRanges,
  BOOL,
  fixedRange,
  multiplyByCostFactor,
  noSuchOverload,
  STRING,
  type Value,
} from "@portcullis/cel/internal";
import { trimSpace } from "@portcullis/gostd/space";
import { checkDnsLabel, checkDnsSubdomain } from "../../field/names.ts";
import { emptyPath, emptyResource, invalidServiceAccountName, invalidServiceAccountNamespace } from "../messages.ts";
import {
  AUTHORIZER_TYPE,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  AuthorizerValue,
  DECISION_TYPE,
  DecisionValue,
  GROUP_CHECK_TYPE,
  GroupCheckValue,
  NOTHING_ASKED,
  PATH_CHECK_TYPE,
  PathCheckValue,
  RESOURCE_CHECK_TYPE,
  ResourceCheckValue,
  type ResourceParts,
  type UserInfo,
} from "./authz.ts";
import {
  actualSize,
  estimatedSize,
  estimatedTraversal,
  type FunctionCost,
  fixedCost,
  LIST_CREATE_COST,
  STRUCT_CREATE_COST,
  traversal,
  UNIT_COST,
} from "./cost.ts";
import { defineLibrary, unitEquality } from "./define.ts";
import { onOne, withText } from "./operands.ts";

/** An expression can afford two checks. */
const CHECK_COST = fixedCost(350_000);

/** The shortest requirement that can be repeated has two characters: `k,`. */
const REQUIREMENTS_PER_CHARACTER = 0.5;
const COST_PER_REQUIREMENT = LIST_CREATE_COST + STRUCT_CREATE_COST;

/** Parsing a selector into a list of requirements. */
const SELECTOR_COST: FunctionCost = {
  estimate: (hints, _target, [selector]) => {
    if (selector === undefined) return undefined;
    const size = estimatedSize(hints, selector);
    const requirements = multiplyByCostFactor(size, REQUIREMENTS_PER_CHARACTER);
    const base = addRanges(fixedRange(LIST_CREATE_COST), estimatedTraversal(size));
    return { cost: addRanges(base, multiplyByCostFactor(requirements, COST_PER_REQUIREMENT)) };
  },
  actual: ([, selector]) => {
    const size = actualSize(selector);
    return LIST_CREATE_COST + traversal(size) + Math.ceil(size * REQUIREMENTS_PER_CHARACTER) * COST_PER_REQUIREMENT;
  },
};

// biome-ignore format: a table
export const authzLibrary = defineLibrary({
  name: "kubernetes.authz",
  equality: [AUTHORIZER_TYPE, PATH_CHECK_TYPE, GROUP_CHECK_TYPE, RESOURCE_CHECK_TYPE, DECISION_TYPE].map(unitEquality),
  functions: [
    {
      name: "path", id: "authorizer_path", on: AUTHORIZER_TYPE, params: [STRING], result: PATH_CHECK_TYPE, cost: UNIT_COST,
      call: withText(AuthorizerValue, pathCheck),
      doc: "starts a check of a URL path that is not a resource",
      example: "authorizer.path('/healthz').check('get').allowed()",
    },
    {
      name: "group", id: "authorizer_group", on: AUTHORIZER_TYPE, params: [STRING], result: GROUP_CHECK_TYPE, cost: UNIT_COST,
      call: withText(AuthorizerValue, groupCheck),
      doc: "starts a check of a resource in an API group; '' is the core group",
      example: "authorizer.group('apps').resource('deployments').check('create').allowed()",
    },
    {
      name: "serviceAccount", id: "authorizer_serviceaccount", on: AUTHORIZER_TYPE, params: [STRING, STRING], result: AUTHORIZER_TYPE, cost: UNIT_COST,
      call: serviceAccount,
      doc: "returns an authorizer for the service account with this namespace and name",
      example: "authorizer.serviceAccount('default', 'builder').group('').resource('pods').check('get').allowed()",
    },
    {
      name: "resource", id: "groupcheck_resource", on: GROUP_CHECK_TYPE, params: [STRING], result: RESOURCE_CHECK_TYPE, cost: UNIT_COST,
      call: withText(GroupCheckValue, resourceCheck),
      doc: "sets the resource to check, by its plural name",
      example: "authorizer.group('').resource('pods').check('list').allowed()",
    },
    {
      name: "subresource", id: "resourcecheck_subresource", on: RESOURCE_CHECK_TYPE, params: [STRING], result: RESOURCE_CHECK_TYPE, cost: UNIT_COST,
      call: narrow("subresource"),
      doc: "limits the check to a subresource",
      example: "authorizer.group('').resource('pods').subresource('status').check('update').allowed()",
    },
    {
      name: "namespace", id: "resourcecheck_namespace", on: RESOURCE_CHECK_TYPE, params: [STRING], result: RESOURCE_CHECK_TYPE, cost: UNIT_COST,
      call: narrow("namespace"),
      doc: "limits the check to a namespace; without it, all namespaces are checked",
      example: "authorizer.group('').resource('pods').namespace('default').check('get').allowed()",
    },
    {
      name: "name", id: "resourcecheck_name", on: RESOURCE_CHECK_TYPE, params: [STRING], result: RESOURCE_CHECK_TYPE, cost: UNIT_COST,
      call: narrow("name"),
      doc: "limits the check to the object with this name",
      example: "authorizer.group('').resource('pods').namespace('default').name('web').check('get').allowed()",
    },
    {
      name: "check", id: "pathcheck_check", on: PATH_CHECK_TYPE, params: [STRING], result: DECISION_TYPE, cost: CHECK_COST,
      call: withText(PathCheckValue, checkPath),
      doc: "asks the authorizer whether the HTTP verb is allowed on the path",
      example: "authorizer.path('/healthz').check('get').allowed()",
    },
    {
      name: "check", id: "resourcecheck_check", on: RESOURCE_CHECK_TYPE, params: [STRING], result: DECISION_TYPE, cost: CHECK_COST,
      call: withText(ResourceCheckValue, checkResource),
      doc: "asks the authorizer whether the verb is allowed on the resource",
      example: "authorizer.group('').resource('pods').check('delete').allowed()",
    },
    {
      name: "errored", id: "decision_errored", on: DECISION_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: decided(({ error }) => error !== undefined),
      doc: "returns true if the authorizer failed",
      example: "!authorizer.group('').resource('pods').check('get').errored()",
    },
    {
      name: "error", id: "decision_error", on: DECISION_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: decided(({ error }) => error ?? ""),
      doc: "returns the authorizer's error; empty if it did not fail",
      example: "authorizer.group('').resource('pods').check('get').error() == ''",
    },
    {
      name: "allowed", id: "decision_allowed", on: DECISION_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: decided(({ decision }) => decision === "allow"),
      doc: "returns true if the request is allowed",
      example: "authorizer.group('').resource('pods').check('get').allowed()",
    },
    {
      name: "reason", id: "decision_reason", on: DECISION_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: decided(({ reason }) => reason),
      doc: "returns the reason of the decision; may be empty",
      example: "authorizer.group('').resource('pods').check('get').reason().size() >= 0",
    },
  ],
});

// biome-ignore format: a table
export const authzSelectorsLibrary = defineLibrary({
  name: "kubernetes.authzSelectors",
  functions: [
    {
      name: "fieldSelector", id: "authorizer_fieldselector", on: RESOURCE_CHECK_TYPE, params: [STRING], result: RESOURCE_CHECK_TYPE, cost: SELECTOR_COST,
      call: narrow("fieldSelector"),
      doc: "limits the check to objects that match a field selector; the authorizer decides what a malformed one means",
      example: "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=n1').check('list').allowed()",
    },
    {
      name: "labelSelector", id: "authorizer_labelselector", on: RESOURCE_CHECK_TYPE, params: [STRING], result: RESOURCE_CHECK_TYPE, cost: SELECTOR_COST,
      call: narrow("labelSelector"),
      doc: "limits the check to objects that match a label selector; the authorizer decides what a malformed one means",
      example: "authorizer.group('').resource('pods').labelSelector('app=web').check('list').allowed()",
    },
  ],
});

function pathCheck(by: AuthorizerValue, path: string): Value {
  return trimSpace(path) === "" ? emptyPath() : new PathCheckValue(by, path);
}

function groupCheck(by: AuthorizerValue, group: string): Value {
  return new GroupCheckValue(by, group);
}

function serviceAccount(by: Value = null, namespace: Value = null, name: Value = null): Value {
  if (!(by instanceof AuthorizerValue) || typeof namespace !== "string" || typeof name !== "string") {
    return noSuchOverload();
  }
  if (checkDnsSubdomain(name).length > 0) return invalidServiceAccountName();
  if (checkDnsLabel(namespace).length > 0) return invalidServiceAccountNamespace();
  return new AuthorizerValue(serviceAccountUser(namespace, name), by.authorizer);
}

function resourceCheck(by: GroupCheckValue, resource: string): Value {
  if (trimSpace(resource) === "") return emptyResource();
  const rest = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };
  return new ResourceCheckValue(by.by, { group: by.group, resource, ...rest });
}

function narrow(part: keyof ResourceParts): (check?: Value, text?: Value) => Value {
  return withText(ResourceCheckValue, ({ by, parts }, text) => new ResourceCheckValue(by, { ...parts, [part]: text }));
}

function checkPath(check: PathCheckValue, verb: string): Value {
  return ask(check.by, { ...NOTHING_ASKED, path: check.path, verb });
}

function checkResource(check: ResourceCheckValue, verb: string): Value {
  const { group, ...parts } = check.parts;
  return ask(check.by, { ...NOTHING_ASKED, ...parts, verb, resourceRequest: true, apiGroup: group, apiVersion: "*" });
}

function ask(by: AuthorizerValue, question: Omit<AuthorizationAttributes, "user">): DecisionValue {
  return new DecisionValue(by.authorizer.authorize({ ...question, user: by.user }));
}

function decided(read: (decision: AuthorizationDecision) => Value): (value?: Value) => Value {
  return onOne(DecisionValue, (value) => read(value.answer));
}

function serviceAccountUser(namespace: string, name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid: "",
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    extra: new Map(),
  };
}
