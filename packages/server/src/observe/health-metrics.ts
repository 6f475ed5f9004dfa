/** What health checks found, served apart at `/metrics/slis`. Follows component-base metrics/prometheus/slis. */
import type { Labels, Metrics } from "./metrics.ts";
import { START_TIME } from "./process-metrics.ts";

/** The last result: several processes are well if all of them are. */
export const HEALTHCHECK = "kubernetes_healthcheck";
const HEALTHCHECKS = "kubernetes_healthchecks_total";

export class HealthMetrics {
  readonly #last = new Map<string, readonly [Labels, number]>();
  readonly #count: (labels: Labels) => void;

  constructor(metrics: Metrics) {
    const help = "The last result of a health check: 1 is well.";
    metrics.computed({ name: HEALTHCHECK, help, type: "gauge" }, () => [...this.#last.values()]);
    const counter = metrics.counter(HEALTHCHECKS, "Results of health checks.");
    this.#count = (labels) => counter.add(labels);
  }

  /** `type` is `livez`, `readyz` or `healthz`. */
  checked(name: string, type: string, isWell: boolean): void {
    this.#last.set(`${type}/${name}`, [{ name, type }, isWell ? 1 : 0]);
    this.#count({ name, status: isWell ? "success" : "error", type });
  }
}

const BESIDE = new Set([HEALTHCHECK, HEALTHCHECKS]);

/** The families of `/metrics/slis`. */
export function healthFamilies(text: string): string {
  return familiesOf(text, (name) => BESIDE.has(name) || name === START_TIME);
}

/** The families of `/metrics`. */
export function otherFamilies(text: string): string {
  return familiesOf(text, (name) => !BESIDE.has(name));
}

const FAMILY = /^(?=# HELP )/m;

function familiesOf(text: string, isWanted: (name: string) => boolean): string {
  const families = text.split(FAMILY);
  return families.filter((family) => isWanted(family.split(" ", 3)[2] ?? "")).join("");
}
