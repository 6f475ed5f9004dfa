/**
 * What policies never apply to, so that a policy can always be fixed and users are not locked out.
 *
 * Follows apiserver pkg/admission/plugin/policy/generic/plugin.go and kubernetes pkg/kubeapiserver/admission/exclusion.
 */
import type { GroupVersionResource } from "./attributes.ts";

const EXEMPT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "admissionregistration.k8s.io",
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

/** In any version, subresources included. */
export function isExempt({ group, resource }: Pick<GroupVersionResource, "group" | "resource">): boolean {
  return EXEMPT.get(group)?.has(resource) === true;
}
