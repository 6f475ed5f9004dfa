/** A verdict as JSON for programs: the Status, and every step as data. */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { MutationVerdict } from "@portcullis/engine/internal/policy/mutating/dispatch";
import { reportMutation } from "@portcullis/engine/internal/policy/mutating/report";
import { reportVerdict } from "@portcullis/engine/internal/policy/report";

export function requestData(attributes: AdmissionAttributes): object {
  const { operation, resource, subresource, kind, name, namespace, userInfo, dryRun } = attributes;
  const user = { username: userInfo.name, groups: userInfo.groups };
  return { operation, resource, subresource, kind, name, namespace, user, dryRun };
}

export function verdictData(verdict: PolicyVerdict, options: { readonly explain: boolean }): object {
  const { policies, cost, ...report } = reportVerdict(verdict);
  return options.explain ? { ...report, policies, cost } : report;
}

/** What mutating policies did: the object after mutation. */
export function mutationData(verdict: MutationVerdict, options: { readonly explain: boolean }): object {
  const { object, denials, policies } = reportMutation(verdict);
  return options.explain ? { object, denials, policies } : { object, denials };
}
