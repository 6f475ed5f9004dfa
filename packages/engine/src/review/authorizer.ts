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
}

/** The answer of an authorizer. */
export interface Decision {
  readonly verdict: "allow" | "deny" | "no-opinion";
  /** Appended to the refusal where it is not empty. */
  readonly reason: string;
}

/** Decides whether a user may do something; asked for rights beyond the write itself. */
export type Authorizer = (attributes: Attributes) => Promise<Decision>;

export const ALLOWED: Decision = { verdict: "allow", reason: "" };
export const NO_OPINION: Decision = { verdict: "no-opinion", reason: "" };
