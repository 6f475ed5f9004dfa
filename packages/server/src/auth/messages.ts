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

export const noTokenKeys = (): string => "invalid signature, no keys found";
export const wrongSignature = (): string => "go-jose/go-jose: error in cryptographic primitive";
export const claimNotDate = (): string => "go-jose/go-jose/jwt: expected number value to unmarshal NumericDate";
export const claimNotAudience = (): string =>
  "go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience";
export const claimNotText = (value: unknown): string => {
  const type = Array.isArray(value) ? "array" : typeof value;
  return `json: cannot unmarshal ${type === "boolean" ? "bool" : type} into Go value of type string`;
};
export const otherAudiences = (named: readonly string[], wanted: readonly string[]): string => {
  const list = (items: readonly string[]): string => `[${items.map(quote).join(" ")}]`;
  return `token audiences ${list(named)} is invalid for the target audiences ${list(wanted)}`;
};
export const missingClaim = (name: string): string => `${name} claim is missing`;
export const wrongSubject = (): string => "sub claim is invalid";
export const tokenInvalidated = (): string => "Token has been invalidated";
export const otherToken = (): string => "Token does not match server's copy";
export const noAccount = (name: string): string => `serviceaccounts ${quote(name)} not found`;
export const accountDeleted = (namespace: string, name: string): string =>
  `ServiceAccount ${namespace}/${name} has been deleted`;
export const accountUidMismatch = (found: string, claimed: string): string =>
  `ServiceAccount UID (${found}) does not match claim (${claimed})`;
export const markedInvalid = (
  { namespace, name, secret }: Readonly<Record<"namespace" | "name" | "secret", string>>,
  label: string,
): string =>
  `the token in secret ${namespace}/${secret} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${label}' label from the secret to temporarily allow use of this token`;
export const automaticToken = (): string =>
  "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.";
