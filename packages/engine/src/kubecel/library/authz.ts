/**
 * The values of authorization checks, and the authorizer they ask. `authz-library.ts` has their methods.
 *
 * The values have methods only; comparing two of them is an error. Follows apiserver pkg/cel/library/authz.go.
 */
import { type CelError, OpaqueValue, objectType, type Type, type Value } from "@portcullis/cel";
import { unfit } from "./operands.ts";

export const AUTHORIZER_TYPE: Type = objectType("kubernetes.authorization.Authorizer");
export const PATH_CHECK_TYPE: Type = objectType("kubernetes.authorization.PathCheck");
export const GROUP_CHECK_TYPE: Type = objectType("kubernetes.authorization.GroupCheck");
export const RESOURCE_CHECK_TYPE: Type = objectType("kubernetes.authorization.ResourceCheck");
export const DECISION_TYPE: Type = objectType("kubernetes.authorization.Decision");

/** The user that an expression asks about. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The attributes of a request to authorize. Strings that do not apply are empty. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  /** False for requests of a URL path. */
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

/** What `authorizer...check()` evaluates to. */
export interface AuthorizationDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  readonly error: string | undefined;
}

/** Answers the checks that expressions make. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision;
}

/** Values that have methods but neither fields nor equality. */
abstract class ReceiverValue extends OpaqueValue {
  equalTo(other: Value): CelError {
    return unfit(other);
  }
}

/**
 * The value of the variable `authorizer` for one user.
 * @example new AuthorizerValue({ name: "alice", uid: "", groups: [], extra: new Map() }, authorizer)
 */
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

export interface ResourceParts {
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

/** The value of `authorizer.requestResource`: a check of the resource of the request itself. */
export function requestResourceCheck(
  user: UserInfo,
  authorizer: Authorizer,
  request: Pick<ResourceParts, "group" | "resource" | "subresource" | "namespace" | "name">,
): ResourceCheckValue {
  const parts = { ...request, fieldSelector: "", labelSelector: "" };
  return new ResourceCheckValue(new AuthorizerValue(user, authorizer), parts);
}

/** The attributes that a request leaves out. */
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
