/**
 * What admission policies count, under upstream's names.
 *
 * Validations that hold are not counted, nor are conditions that all do: `allow` stands for an error that failurePolicy
 * let pass. Configuration errors are not counted either.
 */

import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { ConditionsObservation } from "@portcullis/engine/internal/policy/enforce";
import type { MutationVerdict } from "@portcullis/engine/internal/policy/mutating/dispatch";
import type { AdmissionDecision } from "@portcullis/engine/internal/review/cluster-view";
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";

const CHECK_SECONDS = [5e-7, 0.001, 0.01, 0.1, 1];
const CONDITIONS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

export class PolicyMetrics {
  readonly #checks: Counter;
  readonly #durations: Histogram;
  readonly #mutations: Counter;
  readonly #mutationDurations: Histogram;
  readonly #conditionErrors: Counter;
  readonly #conditionDurations: Histogram;

  constructor(metrics: Metrics) {
    this.#checks = metrics.counter(
      "apiserver_validating_admission_policy_check_total",
      "Validations that did not hold, by policy, binding, kind of error and what was done about it.",
    );
    this.#durations = metrics.histogram(
      "apiserver_validating_admission_policy_check_duration_seconds",
      "Time of validations that did not hold, by policy, binding, kind of error and what was done about it.",
      CHECK_SECONDS,
    );
    this.#mutations = metrics.counter(
      "apiserver_mutating_admission_policy_check_total",
      "Mutations, by policy, binding and kind of error.",
    );
    this.#mutationDurations = metrics.histogram(
      "apiserver_mutating_admission_policy_check_duration_seconds",
      "Time of mutations, by policy, binding and kind of error.",
      CHECK_SECONDS,
    );
    this.#conditionErrors = metrics.counter(
      "apiserver_admission_match_condition_evaluation_errors_total",
      "Match conditions that could not be evaluated, by policy and operation.",
    );
    this.#conditionDurations = metrics.histogram(
      "apiserver_admission_match_condition_evaluation_seconds",
      "Time of match conditions of which one was false or failed, by policy and operation.",
      CONDITIONS_SECONDS,
    );
  }

  decision(decision: AdmissionDecision): void {
    const { operation } = decision.request;
    if (decision.plugin === "ValidatingAdmissionPolicy") this.#verdict(decision.verdict, operation);
    if (decision.plugin === "MutatingAdmissionPolicy") this.#mutation(decision.verdict, operation);
  }

  #verdict({ observations, conditions }: PolicyVerdict, operation: string): void {
    for (const { policy, binding, errorType, action, elapsed } of observations) {
      const labels = { policy, policy_binding: binding, error_type: errorType, enforcement_action: action };
      this.#checks.add(labels);
      this.#durations.observe(labels, elapsed);
    }
    this.#observeConditions(conditions, operation);
  }

  /** Mutations are counted whether or not they succeed. */
  #mutation({ observations, conditions }: MutationVerdict, operation: string): void {
    for (const { policy, binding, errorType, elapsed } of observations) {
      const labels = { policy, policy_binding: binding, error_type: errorType };
      this.#mutations.add(labels);
      this.#mutationDurations.observe(labels, elapsed);
    }
    this.#observeConditions(conditions, operation);
  }

  /** Those of mutating policies are said to validate, too. */
  #observeConditions(conditions: readonly ConditionsObservation[], operation: string): void {
    for (const { policy, errors, elapsed } of conditions) {
      this.conditionsOf({ name: policy, kind: "policy", type: "validate", operation }, errors, elapsed);
    }
  }

  /** Match conditions of which one was false or failed. */
  conditionsOf(labels: Labels, errors: number, seconds: number): void {
    if (errors > 0) this.#conditionErrors.add(labels, errors);
    this.#conditionDurations.observe(labels, seconds);
  }
}
