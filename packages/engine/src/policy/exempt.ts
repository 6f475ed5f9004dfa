/**
 * What policies never apply to, so that a policy can always be fixed and users are not locked out.
 *
 * Follows apiserver pkg/admission/plugin/policy/generic/plugin.go and kubernetes pkg/kubeapiserver/admission/exclusion.
 */
import type { GroupVersionResource } from "./attributes.ts";

const CONFIGURATION_GROUP = "admissionregistration.k8s.io";

const EXEMPT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    CONFIGURATION_GROUP,
    new Set([
      "validatingadmissionpolicies",
      "validatingadmissionpolicybindings",
      "mutatingadmissionpolicies",
      "mutatingadmissionpolicybindings",
    ]),
  ],
  ["authentication.k8s.io", new Set(["selfsubjectreviews", "tokenreviews"])],
  [
    "authorization.k8s.io",
    new Set([
      "localsubjectaccessreviews",
      "selfsubjectaccessreviews",
      "selfsubjectrulesreviews",
      "subjectaccessreviews",
    ]),
  ],
]);

/** What of a set applies to a resource: all of it, the part from files, or nothing. In any version. */
export function applicablePart<T extends { readonly staticPart: T | undefined }>(
  set: T,
  resource: Pick<GroupVersionResource, "group" | "resource">,
): T | undefined {
  if (!isExempt(resource)) return set;
  return resource.group === CONFIGURATION_GROUP ? set.staticPart : undefined;
}

export function isExempt({ group, resource }: Pick<GroupVersionResource, "group" | "resource">): boolean {
  return EXEMPT.get(group)?.has(resource) === true;
}
