/** Upstream's messages for refusals. */

import type { User } from "@portcullis/engine/internal/rbac/user";
import { quote } from "@portcullis/gostd/quote";

export const emptyGroup = (): string => "impersonating the empty string group is not allowed";
export const mastersGroup = (): string => "impersonating the system:masters group is not allowed";

/** The user as Go prints a struct. */
export function impersonationWithoutUser({ uid, groups, extra }: User): string {
  const list = (items: readonly string[]): string => `[]string{${items.map(quote).join(", ")}}`;
  const names = [...extra.keys()].sort();
  const map = names.map((name) => `${quote(name)}:${list(extra.get(name) ?? [])}`).join(", ");
  const shownGroups = groups.length === 0 ? "[]string(nil)" : list(groups);
  const shownExtra = extra.size === 0 ? "map[string][]string(nil)" : `map[string][]string{${map}}`;
  const user = `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
  return `requested ${user} without impersonating a user name`;
}

export const administratorsUnknown = (namespace: string): string =>
  `could not retrieve namespace to verify admin access: namespaces ${quote(namespace)} not found`;
export const administratorsNeedLabel = (label: string): string =>
  `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
export const bindingNeedsRight = (verb: string, refusal: string): string =>
  `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission: ${refusal}`;
export const devicesNeedRight = (verbs: readonly string[], refusal: string): string =>
  `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(" ")}]" permission: ${refusal}`;

export const spaceBeforeToken = (): string =>
  "the provided Authorization header contains extra space before the bearer token, and is ignored";
export const invalidToken = (): string => "invalid bearer token";
export const tokenTooShort = (): string => "may not specify a duration less than 10 minutes";
export const tokenTooLong = (): string => "may not specify a duration larger than 2^32 seconds";
export const nameMustMatch = (): string => "must match the service account name if specified";
export const requestUidMismatch = (found: string, own: string): string =>
  `the UID in the token request (${found}) does not match the UID of the service account (${own})`;
export const notBindable = (type: string): string => `cannot bind token to object of type ${type}`;
export const boundUidMismatch = (uid: string): string =>
  `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
export const otherAccount = (name: string): string =>
  `cannot bind token for serviceaccount ${quote(name)} to pod running with different serviceaccount name.`;
