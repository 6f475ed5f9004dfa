/**
 * Asking whether somebody may do something: `authorizer.group("").resource("pods").namespace("x").check("get")`.
 *
 * The values have methods only; comparing two of them is an error. Selectors travel as text, since what becomes of
 * one that does not parse is the authorizer's choice. Follows apiserver pkg/cel/library/authz.go.
 */
import {
  BOOL,
  type CelError,
  fn,
  type Library,
  method,
  noSuchOverload,
  OpaqueValue,
  objectType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
import { trimSpace } from "@portcullis/gostd/space";
import { checkDnsLabel, checkDnsSubdomain } from "../../field/names.ts";
import { emptyPath, emptyResource, invalidServiceAccountName, invalidServiceAccountNamespace } from "../messages.ts";
import { onOne, unfit, withText } from "./operands.ts";

export const AUTHORIZER_TYPE: Type = objectType("kubernetes.authorization.Authorizer");
export const PATH_CHECK_TYPE: Type = objectType("kubernetes.authorization.PathCheck");
export const GROUP_CHECK_TYPE: Type = objectType("kubernetes.authorization.GroupCheck");
export const RESOURCE_CHECK_TYPE: Type = objectType("kubernetes.authorization.ResourceCheck");
export const DECISION_TYPE: Type = objectType("kubernetes.authorization.Decision");

export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** A question to an authorizer. Texts that do not apply are empty. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  /** False for questions about a URL path. */
  readonly resourceRequest: boolean;
  readonly path: string;
  readonly apiGroup: string;
  /** `*` for resources: expressions do not name a version. */
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AuthorizationDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  readonly error: string | undefined;
}

export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision;
}

/** Values that have methods but neither fields nor equality. */
abstract class ReceiverValue extends OpaqueValue {
  equalTo(other: Value): CelError {
    return unfit(other);
  }
}

export class AuthorizerValue extends ReceiverValue {
  readonly type = AUTHORIZER_TYPE;
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  constructor(user: UserInfo, authorizer: Authorizer) {
    super();
    this.user = user;
    this.authorizer = authorizer;
  }
}

export class PathCheckValue extends ReceiverValue {
  readonly type = PATH_CHECK_TYPE;
  readonly by: AuthorizerValue;
  readonly path: string;
  constructor(by: AuthorizerValue, path: string) {
    super();
    this.by = by;
    this.path = path;
  }
}

export class GroupCheckValue extends ReceiverValue {
  readonly type = GROUP_CHECK_TYPE;
  readonly by: AuthorizerValue;
  readonly group: string;
  constructor(by: AuthorizerValue, group: string) {
    super();
    this.by = by;
    this.group = group;
  }
}

interface ResourceParts {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export class ResourceCheckValue extends ReceiverValue {
  readonly type = RESOURCE_CHECK_TYPE;
  readonly by: AuthorizerValue;
  readonly parts: ResourceParts;
  constructor(by: AuthorizerValue, parts: ResourceParts) {
    super();
    this.by = by;
    this.parts = parts;
  }
}

export class DecisionValue extends ReceiverValue {
  readonly type = DECISION_TYPE;
  readonly answer: AuthorizationDecision;
  constructor(answer: AuthorizationDecision) {
    super();
    this.answer = answer;
  }
}

/** What `authorizer.requestResource` is bound to: a check for the resource of the request itself. */
export function requestResourceCheck(
  user: UserInfo,
  authorizer: Authorizer,
  request: Pick<ResourceParts, "group" | "resource" | "subresource" | "namespace" | "name">,
): ResourceCheckValue {
  const parts = { ...request, fieldSelector: "", labelSelector: "" };
  return new ResourceCheckValue(new AuthorizerValue(user, authorizer), parts);
}

// biome-ignore format: a table
export const authzLibrary: Library = {
  name: "kubernetes.authz",
  functions: [
    fn("path",           [method("authorizer_path", AUTHORIZER_TYPE, [STRING], PATH_CHECK_TYPE, withText(AuthorizerValue, pathCheck))]),
    fn("group",          [method("authorizer_group", AUTHORIZER_TYPE, [STRING], GROUP_CHECK_TYPE, withText(AuthorizerValue, groupCheck))]),
    fn("serviceAccount", [method("authorizer_serviceaccount", AUTHORIZER_TYPE, [STRING, STRING], AUTHORIZER_TYPE, serviceAccount)]),
    fn("resource",       [method("groupcheck_resource", GROUP_CHECK_TYPE, [STRING], RESOURCE_CHECK_TYPE, withText(GroupCheckValue, resourceCheck))]),
    fn("subresource",    [method("resourcecheck_subresource", RESOURCE_CHECK_TYPE, [STRING], RESOURCE_CHECK_TYPE, narrow("subresource"))]),
    fn("namespace",      [method("resourcecheck_namespace", RESOURCE_CHECK_TYPE, [STRING], RESOURCE_CHECK_TYPE, narrow("namespace"))]),
    fn("name",           [method("resourcecheck_name", RESOURCE_CHECK_TYPE, [STRING], RESOURCE_CHECK_TYPE, narrow("name"))]),
    fn("check", [
      method("pathcheck_check", PATH_CHECK_TYPE, [STRING], DECISION_TYPE, withText(PathCheckValue, checkPath)),
      method("resourcecheck_check", RESOURCE_CHECK_TYPE, [STRING], DECISION_TYPE, withText(ResourceCheckValue, checkResource)),
    ]),
    fn("errored", [method("decision_errored", DECISION_TYPE, [], BOOL, answer(({ error }) => error !== undefined))]),
    fn("error",   [method("decision_error", DECISION_TYPE, [], STRING, answer(({ error }) => error ?? ""))]),
    fn("allowed", [method("decision_allowed", DECISION_TYPE, [], BOOL, answer(({ decision }) => decision === "allow"))]),
    fn("reason",  [method("decision_reason", DECISION_TYPE, [], STRING, answer(({ reason }) => reason))]),
  ],
};

// biome-ignore format: a table
export const authzSelectorsLibrary: Library = {
  name: "kubernetes.authzSelectors",
  functions: [
    fn("fieldSelector", [method("authorizer_fieldselector", RESOURCE_CHECK_TYPE, [STRING], RESOURCE_CHECK_TYPE, narrow("fieldSelector"))]),
    fn("labelSelector", [method("authorizer_labelselector", RESOURCE_CHECK_TYPE, [STRING], RESOURCE_CHECK_TYPE, narrow("labelSelector"))]),
  ],
};

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

/** For what a question leaves out. */
export const NOTHING_ASKED: Omit<AuthorizationAttributes, "user"> = {
  verb: "",
  resourceRequest: false,
  path: "",
  apiGroup: "",
  apiVersion: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  fieldSelector: "",
  labelSelector: "",
};

function answer(read: (decision: AuthorizationDecision) => Value): (value?: Value) => Value {
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
