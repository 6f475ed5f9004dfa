/** The words of RBAC: why something is allowed, and what is wrong with the roles. */
import { quote } from "@portcullis/gostd/quote";
import type { RoleBinding, Subject } from "./objects.ts";

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
