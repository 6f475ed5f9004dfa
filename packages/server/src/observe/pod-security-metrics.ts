/** What Pod Security admission counts, under upstream's names. */
import type { PodSecurityObservation } from "@portcullis/engine/internal/podsecurity/evaluate";
import { formatVersion, type LevelVersion } from "@portcullis/engine/internal/podsecurity/level";
import type { Counter, Labels, Metrics } from "./metrics.ts";

/** What a request is labelled by. */
export interface PodSecuritySubject {
  readonly operation: string;
  readonly resource: string;
  readonly subresource: string;
}

/** Upstream shows some counters before anything was counted. */
const ALLOWED: Labels = { decision: "allow", policy_level: "privileged", policy_version: "latest", mode: "enforce" };

export class PodSecurityMetrics {
  readonly #evaluations: Counter;
  readonly #exemptions: Counter;
  readonly #errors: Counter;

  constructor(metrics: Metrics) {
    this.#evaluations = metrics.counter(
      "pod_security_evaluations_total",
      "Evaluations of Pod Security policies, without requests that are ignored or exempt.",
    );
    this.#exemptions = metrics.counter("pod_security_exemptions_total", "Requests that are exempt from Pod Security.");
    for (const request_operation of ["create", "update"]) {
      const pod = { request_operation, resource: "pod", subresource: "" };
      this.#evaluations.add({ ...ALLOWED, ...pod }, 0);
      for (const resource of ["pod", "controller"]) this.#exemptions.add({ ...pod, resource }, 0);
    }
    this.#errors = metrics.counter(
      "pod_security_errors_total",
      "Errors that prevent evaluation. After one that is not fatal, the latest restricted level may be evaluated.",
    );
  }

  /** `serverMinor` identifies versions that this server does not know yet. */
  readonly observe = (observation: PodSecurityObservation, subject: PodSecuritySubject, serverMinor: number): void => {
    const labels: Labels = {
      request_operation: subject.operation.toLowerCase(),
      resource: RESOURCES[subject.resource] ?? "controller",
      subresource: subject.subresource,
    };
    if (observation.type === "exemption") this.#exemptions.add(labels);
    else if (observation.type === "error") this.#errors.add({ fatal: String(observation.isFatal), ...labels });
    else this.#evaluations.add({ ...evaluationLabels(observation, serverMinor), ...labels });
  };
}

type Evaluation = PodSecurityObservation & { readonly type: "evaluation" };

function evaluationLabels({ isAllowed, policy, mode }: Evaluation, serverMinor: number): Labels {
  const decision = isAllowed ? "allow" : "deny";
  return { decision, policy_level: policy.level, policy_version: shownVersion(policy, serverMinor), mode };
}

const RESOURCES: Readonly<Record<string, string>> = { pods: "pod", namespaces: "namespace" };

function shownVersion({ level, version }: LevelVersion, serverMinor: number): string {
  if (version === "latest" || level === "privileged") return "latest";
  return version > serverMinor ? "future" : formatVersion(version);
}
