/** What authorizers decide, and the webhooks among them, under upstream's names. */
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";

/** As upstream's default buckets of Prometheus. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CONDITION_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

export type WebhookResult = "success" | "canceled" | "timeout" | "error";

interface ConditionsOutcome {
  readonly seconds: number;
  readonly isExcluded: boolean;
  readonly isFailed: boolean;
}

const VERDICTS = { allow: "allowed", deny: "denied" } as const;

export class AuthorizationMetrics {
  readonly #decisions: Counter;
  readonly #evaluations: Counter;
  readonly #durations: Histogram;
  readonly #failOpen: Counter;
  readonly #exclusions: Counter;
  readonly #conditionErrors: Counter;
  readonly #conditionTimes: Histogram;
  readonly #reloads: Counter;
  readonly #reloadTimes = new Map<string, readonly [Labels, number]>();
  #configuration: Labels | undefined;

  constructor(metrics: Metrics) {
    const name = (rest: string): string => `apiserver_authorization_${rest}`;
    this.#decisions = metrics.counter(name("decisions_total"), "Decisions that allow or deny, by authorizer.");
    this.#evaluations = metrics.counter(name("webhook_evaluations_total"), "Calls of webhooks, by name and result.");
    this.#durations = metrics.histogram(
      name("webhook_duration_seconds"),
      "Time of calls, by name and result.",
      SECONDS,
    );
    this.#failOpen = metrics.counter(
      name("webhook_evaluations_fail_open_total"),
      "Failed calls of webhooks that were ignored, by name and result.",
    );
    this.#exclusions = metrics.counter(
      name("match_condition_exclusions_total"),
      "Webhooks that were not called because of a match condition.",
    );
    this.#conditionErrors = metrics.counter(
      name("match_condition_evaluation_errors_total"),
      "Match conditions of webhooks that failed.",
    );
    this.#conditionTimes = metrics.histogram(
      name("match_condition_evaluation_seconds"),
      "Time of the match conditions of a webhook.",
      CONDITION_SECONDS,
    );
    this.#reloads = metrics.counter(
      name("config_controller_automatic_reloads_total"),
      "Changes of the configuration file that were applied or refused.",
    );
    metrics.computed(
      {
        name: name("config_controller_automatic_reload_last_timestamp_seconds"),
        help: "Time of the last change of the configuration file, by its result.",
        type: "gauge",
      },
      () => [...this.#reloadTimes.values()],
    );
    metrics.computed(
      {
        name: name("config_controller_last_config_info"),
        help: "The hash of the configuration that is in force; always 1.",
        type: "gauge",
      },
      () => (this.#configuration === undefined ? [] : [[this.#configuration, 1]]),
    );
  }

  decided(type: string, name: string, verdict: "allow" | "deny"): void {
    this.#decisions.add({ decision: VERDICTS[verdict], name, type });
  }

  called(name: string, result: WebhookResult, seconds: number): void {
    this.#evaluations.add({ name, result });
    this.#durations.observe({ name, result }, seconds);
  }

  failedOpen(name: string, result: WebhookResult): void {
    this.#failOpen.add({ name, result });
  }

  conditions(name: string, outcome: ConditionsOutcome): void {
    const labels = { name, type: "Webhook" };
    this.#conditionTimes.observe(labels, outcome.seconds);
    if (outcome.isExcluded) this.#exclusions.add(labels);
    if (outcome.isFailed) this.#conditionErrors.add(labels);
  }

  /** `seconds` since 1970. */
  reloaded(server: string, isApplied: boolean, seconds: number): void {
    const labels = { apiserver_id_hash: server, status: isApplied ? "success" : "failure" };
    this.#reloads.add(labels);
    this.#reloadTimes.set(labels.status, [labels, seconds]);
  }

  configuration(server: string, hash: string): void {
    this.#configuration = { apiserver_id_hash: server, hash };
  }
}
