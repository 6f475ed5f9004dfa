/** Whether a user may do what is asked. RBAC is one authorizer; members of `system:masters` may do everything. */
import type { RequestInfo } from "../endpoints/request-info.ts";
import { MASTERS, type User } from "./user.ts";

/** What is asked for. */
export interface Attributes {
  readonly user: User;
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As sent, for authorizers that look at them. */
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface Decision {
  readonly verdict: "allow" | "deny" | "no-opinion";
  /** Appended to the refusal where it is not empty. */
  readonly reason: string;
}

export type Authorizer = (attributes: Attributes) => Promise<Decision>;

export const ALLOWED: Decision = { verdict: "allow", reason: "" };
export const NO_OPINION: Decision = { verdict: "no-opinion", reason: "" };

export function attributesOf(info: RequestInfo, user: User): Attributes {
  const { isResource, path, verb, group, version, resource, subresource, namespace, name, query } = info;
  return {
    ...{ user, verb, isResource, path, group, version, resource, subresource, namespace, name },
    fieldSelector: query.get("fieldSelector")?.[0],
    labelSelector: query.get("labelSelector")?.[0],
  };
}

/** The first authorizer with an opinion decides; reasons of the others are collected for the refusal. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return async (attributes) => {
    const reasons: string[] = [];
    for (const authorizer of authorizers) {
      const decision = await authorizer(attributes);
      if (decision.verdict !== "no-opinion") return decision;
      if (decision.reason !== "") reasons.push(decision.reason);
    }
    return { verdict: "no-opinion", reason: reasons.join("\n") };
  };
}

export const mastersAuthorizer: Authorizer = async ({ user }) => (user.groups.includes(MASTERS) ? ALLOWED : NO_OPINION);
