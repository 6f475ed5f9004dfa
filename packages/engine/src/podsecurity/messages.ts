/** The messages of Pod Security admission, as in kube-apiserver. The messages of checks are in their files. */
import { quote } from "@portcullis/gostd/quote";

export const badLevel = (): string => "must be one of privileged, baseline, restricted";
export const badVersion = (): string => 'must be "latest" or "v1.x"';
export const emptyUsername = (): string => "username must not be empty";

export const violates = (policy: string, detail: string): string => `violates PodSecurity ${quote(policy)}: ${detail}`;
export const wouldViolate = (policy: string, detail: string): string =>
  `would violate PodSecurity ${quote(policy)}: ${detail}`;
export const unparsedPolicy = (errors: string): string => `Failed to parse policy: ${errors}`;
export const noNamespace = (namespace: string): string => `failed to lookup namespace ${quote(namespace)}`;

export const partlyChecked = (checked: number, total: number): string =>
  `new PodSecurity enforce level only checked against the first ${checked} of ${total} existing pods`;
export const existingPods = (namespace: string, policy: string): string =>
  `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(policy)}`;
export const exemptNamespace = (namespace: string, policy: string): string =>
  `namespace ${quote(namespace)} is exempt from Pod Security, and the policy (${policy}) will be ignored`;

/** `pod` is the first of the pods with the same violations. */
export function podViolations(pod: string, count: number, reasons: string): string {
  if (count === 1) return `${pod}: ${reasons}`;
  return count === 2 ? `${pod} (and 1 other pod): ${reasons}` : `${pod} (and ${count - 1} other pods): ${reasons}`;
}
