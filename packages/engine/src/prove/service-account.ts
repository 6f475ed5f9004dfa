/** Users of proofs that are service accounts. */
import type { UserInfo } from "../kubecel/library/authz.ts";

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):[^:]+$/;

/** Adds the groups that the server gives to service accounts. */
export function asServiceAccount(user: UserInfo): UserInfo {
  const [, namespace] = SERVICE_ACCOUNT.exec(user.name) ?? [];
  if (namespace === undefined) return user;
  const implied = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return { ...user, groups: [...new Set([...implied, ...user.groups])] };
}
