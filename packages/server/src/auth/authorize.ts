/** Whether a user may do what is asked. RBAC is one authorizer; members of `system:masters` may do everything. */

import { aggregate } from "@portcullis/engine/internal/field/format";
import type { PolicyRule } from "@portcullis/engine/internal/rbac/objects";
import { MASTERS, type User } from "@portcullis/engine/internal/rbac/user";
import { ALLOWED, type Attributes, type Authorizer, NO_OPINION } from "@portcullis/engine/internal/review/authorizer";
import type { RequestInfo } from "../http/request-info.ts";

export function attributesOf(info: RequestInfo, user: User): Attributes {
  const { isResource, path, verb, group, version, resource, subresource, namespace, name, query } = info;
  return {
    user,
    verb,
    isResource,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector: query.get("fieldSelector")?.[0],
    labelSelector: query.get("labelSelector")?.[0],
  };
}

/** The first authorizer with an opinion decides; reasons and errors of the others are collected for the refusal. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return async (attributes) => {
    const reasons: string[] = [];
    const errors: string[] = [];
    for (const authorizer of authorizers) {
      const decision = await authorizer(attributes);
      if (decision.verdict !== "no-opinion") return decision;
      if (decision.reason !== "") reasons.push(decision.reason);
      if (decision.error !== undefined) errors.push(decision.error);
    }
    const reason = reasons.join("\n");
    return { verdict: "no-opinion", reason, ...(errors.length > 0 && { error: aggregate(errors) }) };
  };
}

export const mastersAuthorizer: Authorizer = async ({ user }) => (user.groups.includes(MASTERS) ? ALLOWED : NO_OPINION);

/** An authorizer that can also list what a user may do, as far as it knows. */
export interface AuthorizerPart {
  readonly authorize: Authorizer;
  rulesFor(user: User, namespace: string): ListedRules;
}

export interface ListedRules {
  readonly rules: readonly PolicyRule[];
  /** Why there may be more. */
  readonly errors: readonly string[];
}
