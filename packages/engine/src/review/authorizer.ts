/** Whether a user may do something: the question and the answer. RBAC is one authorizer. */
import type { User } from "../rbac/user.ts";

/** What the user wants to do. */
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
  /** Requirements that an access review lists one by one: they keep their order. */
  readonly fieldRequirements?: readonly SelectorRequirement[] | undefined;
  readonly labelRequirements?: readonly SelectorRequirement[] | undefined;
}

/** One requirement of a selector, with an operator such as `In`. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** The answer of an authorizer. */
export interface Decision {
  readonly verdict: "allow" | "deny" | "no-opinion";
  /** Appended to the refusal where it is not empty. */
  readonly reason: string;
  /** Why an authorizer could not decide: a request that is not allowed then ends as an internal error. */
  readonly error?: string | undefined;
}

/** Decides whether a user may do something; asked for rights beyond the write itself. */
export type Authorizer = (attributes: Attributes) => Promise<Decision>;

export const ALLOWED: Decision = { verdict: "allow", reason: "" };
export const NO_OPINION: Decision = { verdict: "no-opinion", reason: "" };
