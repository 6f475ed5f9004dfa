/**
 * Kinds that webhooks are never called for, so that a configuration can always be repaired.
 *
 * Follows apiserver pkg/admission/plugin/webhook/predicates/rules.
 */
import type { GroupVersionKind } from "../policy/attributes.ts";

const GROUP = "admissionregistration.k8s.io";

const KINDS: ReadonlySet<string> = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

export function isExemptKind({ group, kind }: GroupVersionKind): boolean {
  return group === GROUP && KINDS.has(kind);
}
