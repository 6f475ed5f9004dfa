/** The messages of RBAC: why something is allowed, and what is wrong with the roles. */
import { quote } from "@portcullis/gostd/quote";
import type { PolicyRule, RoleBinding, Subject } from "./objects.ts";

export const allowedBy = (source: string): string => `RBAC: allowed by ${source}`;
export const resolutionErrors = (errors: string): string => `RBAC: ${errors}`;
export const unsupportedRoleKind = (kind: string): string => `unsupported role reference kind: ${quote(kind)}`;
/** Upstream's listers speak of the resource in the singular. */
export const roleNotFound = (resource: "role" | "clusterrole", name: string): string =>
  `${resource}.rbac.authorization.k8s.io ${quote(name)} not found`;

/** A namespace stands behind the name. */
export function describeBinding(binding: RoleBinding, subject: Subject): string {
  const { namespace, name, roleRef } = binding;
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const shown = namespace === "" ? name : `${name}/${namespace}`;
  return `${kind} ${quote(shown)} of ${roleRef.kind} ${quote(roleRef.name)} to ${describeSubject(subject, namespace)}`;
}

function describeSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return kind === "ServiceAccount"
    ? `${kind} ${quote(`${name}/${namespace || bindingNamespace}`)}`
    : `${kind} ${quote(name)}`;
}

const quoteList = (items: readonly string[]): string => `[${items.map(quote).join(" ")}]`;

/** Parts that are empty are left out. */
export function describeRule(rule: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ];
  const shown = parts.filter(([, items]) => items.length > 0).map(([name, items]) => `${name}:${quoteList(items)}`);
  return `{${shown.join(", ")}}`;
}

export function grantsTooMuch(user: string, groups: readonly string[], missing: readonly string[]): string {
  const who = `user ${quote(user)} (groups=${quoteList(groups)})`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join("\n")}`;
}

export const aggregationNeedsAll = (): string => "must have cluster-admin privileges to use the aggregationRule";

/** Ours: upstream lists all, whatever it takes. */
export const tooManyRules = (): string => "there are too many rules to list them all";
