/** Who makes a request. */
import { checkDnsLabel, checkDnsSubdomain } from "../field/names.ts";

/** Who makes a request, as authentication found it. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

export const MASTERS = "system:masters";
export const AUTHENTICATED = "system:authenticated";
export const UNAUTHENTICATED = "system:unauthenticated";

export const ANONYMOUS: User = {
  name: "system:anonymous",
  uid: "",
  groups: [UNAUTHENTICATED],
  extra: new Map(),
};

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

export function serviceAccountUser({ namespace, name }: ServiceAccountName): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Undefined if it is no service account's. */
export function splitServiceAccount(user: string): ServiceAccountName | undefined {
  const match = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(user);
  const [namespace = "", name = ""] = match?.slice(1) ?? [];
  const isValid = checkDnsLabel(namespace).length === 0 && checkDnsSubdomain(name).length === 0;
  return match !== null && isValid ? { namespace, name } : undefined;
}
