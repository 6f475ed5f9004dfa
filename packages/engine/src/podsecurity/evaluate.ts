/**
 * Checks one pod or pod template under the policy of its namespace: the refusal, warnings and audit annotations.
 *
 * Only pods are refused; templates get warnings. Follows EvaluatePod of k8s.io/pod-security-admission
 * admission/admission.go.
 */
import { formatFieldErrors } from "../field/format.ts";
import { textOf } from "../value/read.ts";
import type { PodLike, Violation } from "./checks/check.ts";
import type { PodSecurityConfiguration } from "./configuration.ts";
import { formatLevelVersion, type LevelVersion, type Mode, type NamespacePolicy } from "./level.ts";
import * as messages from "./messages.ts";
import { evaluatePod, shownDetails } from "./registry.ts";

export interface PodVerdict {
  /** Why the pod is refused. */
  readonly violation: string | undefined;
  readonly warnings: readonly string[];
  /** Without their prefix. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly observations: readonly PodSecurityObservation[];
}

/** What the metrics count. */
export type PodSecurityObservation =
  | { readonly type: "evaluation"; readonly isAllowed: boolean; readonly policy: LevelVersion; readonly mode: Mode }
  | { readonly type: "exemption" }
  | { readonly type: "error"; readonly isFatal: boolean };

export interface EvaluationOptions {
  readonly configuration: PodSecurityConfiguration;
  /** The minor version of the server. */
  readonly serverMinor: number;
  /** Whether it is a pod, not a pod template. */
  readonly isEnforced: boolean;
}

export function applyPodPolicy(
  pod: PodLike,
  { policy, errors }: NamespacePolicy,
  { configuration, serverMinor, isEnforced }: EvaluationOptions,
): PodVerdict {
  if (configuration.exemptions.runtimeClasses.includes(textOf(pod.spec["runtimeClassName"]))) {
    return exempt("runtimeClass");
  }
  const annotations: Record<string, string> = {};
  const observations: PodSecurityObservation[] = [];
  const evaluate = (mode: Mode, isCounted: boolean): readonly Violation[] => {
    const violations = evaluatePod(policy[mode], pod, serverMinor);
    const isAllowed = violations.length === 0;
    if (!isAllowed || isCounted) observations.push({ type: "evaluation", isAllowed, policy: policy[mode], mode });
    return violations;
  };
  if (errors.length > 0) {
    annotations["error"] = messages.unparsedPolicy(formatFieldErrors(errors));
    observations.push({ type: "error", isFatal: false });
  }
  if (isEnforced) annotations["enforce-policy"] = formatLevelVersion(policy.enforce);
  const enforced = isEnforced ? evaluate("enforce", true) : [];
  const audited = evaluate("audit", false);
  if (audited.length > 0) annotations["audit-violations"] = would(policy.audit, audited);
  // A refused pod gets no warnings.
  const warned = enforced.length === 0 ? evaluate("warn", false) : [];
  return {
    violation: enforced.length === 0 ? undefined : violates(policy.enforce, enforced),
    warnings: warned.length === 0 ? [] : [would(policy.warn, warned)],
    auditAnnotations: annotations,
    observations,
  };
}

/** The verdict on an exempt request. */
export function exempt(reason: "namespace" | "user" | "runtimeClass"): PodVerdict {
  return {
    violation: undefined,
    warnings: [],
    auditAnnotations: { exempt: reason },
    observations: [{ type: "exemption" }],
  };
}

function violates(policy: LevelVersion, violations: readonly Violation[]): string {
  return messages.violates(formatLevelVersion(policy), shownDetails(violations));
}

function would(policy: LevelVersion, violations: readonly Violation[]): string {
  return messages.wouldViolate(formatLevelVersion(policy), shownDetails(violations));
}
