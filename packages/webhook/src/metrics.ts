/** Counts and durations in the text format of Prometheus. Checks of policies have upstream's name and labels. */
import { compareStrings } from "@portcullis/gostd/utf8";

export type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
}

// biome-ignore format: a table
const FAMILIES = {
  apiserver_validating_admission_policy_check_total: { type: "counter", help: "Validations that did not hold, by policy, binding, kind of error and what was done about it." },
  apiserver_validating_admission_policy_check_duration_seconds: { type: "histogram", help: "Time of validations that did not hold, by policy, binding, kind of error and what was done about it." },
  portcullis_webhook_reviews_total: { type: "counter", help: "Admission reviews answered, by policy and outcome." },
  portcullis_webhook_review_duration_seconds: { type: "histogram", help: "Time to answer an admission review." },
  portcullis_webhook_access_reviews_total: { type: "counter", help: "SubjectAccessReviews sent to the cluster." },
  portcullis_webhook_lists_total: { type: "counter", help: "Complete lists of watched collections." },
  portcullis_webhook_problems_total: { type: "counter", help: "Failed requests to the cluster." },
  portcullis_webhook_configuration_writes_total: { type: "counter", help: "Writes of the webhook configuration." },
  portcullis_webhook_certificate_issued_timestamp_seconds: { type: "gauge", help: "When the certificate in use was issued." },
  portcullis_webhook_ready: { type: "gauge", help: "1 once policies, bindings and namespaces have been read." },
} as const satisfies Record<string, Family>;

export type MetricName = keyof typeof FAMILIES;

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const OWN_BUCKETS: Partial<Record<MetricName, readonly number[]>> = {
  apiserver_validating_admission_policy_check_duration_seconds: [5e-7, 0.001, 0.01, 0.1, 1],
};

interface Distribution {
  readonly counts: number[];
  sum: number;
  count: number;
}

export class Metrics {
  readonly #series = new Map<MetricName, Map<string, number>>();
  readonly #distributions = new Map<MetricName, Map<string, Distribution>>();

  count(name: MetricName, labels: Labels = {}, by = 1): void {
    const series = made(this.#series, name);
    const key = formatLabels(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  }

  set(name: MetricName, value: number): void {
    made(this.#series, name).set("", value);
  }

  observe(name: MetricName, seconds: number, labels: Labels = {}): void {
    const all = made(this.#distributions, name);
    const key = formatLabels(labels);
    const bounds = boundsOf(name);
    const known = all.get(key) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
    all.set(key, known);
    for (const [index, bound] of bounds.entries())
      if (seconds <= bound) known.counts[index] = (known.counts[index] ?? 0) + 1;
    known.sum += seconds;
    known.count++;
  }

  text(): string {
    return [...this.#series.keys(), ...this.#distributions.keys()]
      .sort(compareStrings)
      .map((name) => this.#family(name))
      .join("");
  }

  #family(name: MetricName): string {
    const { help, type } = FAMILIES[name];
    const values = [...(this.#series.get(name) ?? [])].map(([key, value]) => `${name}${braces(key)} ${value}\n`);
    const spread = [...(this.#distributions.get(name) ?? [])].flatMap(([key, each]) => histogramLines(name, key, each));
    return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...values, ...spread].join("");
  }
}

function made<V>(all: Map<MetricName, Map<string, V>>, name: MetricName): Map<string, V> {
  const series = all.get(name) ?? new Map<string, V>();
  all.set(name, series);
  return series;
}

function boundsOf(name: MetricName): readonly number[] {
  return OWN_BUCKETS[name] ?? BUCKETS;
}

function histogramLines(name: MetricName, key: string, { counts, sum, count }: Distribution): string[] {
  const bucket = (bound: string, value: number): string =>
    `${name}_bucket${braces(key === "" ? `le="${bound}"` : `${key},le="${bound}"`)} ${value}\n`;
  return [
    ...boundsOf(name).map((bound, index) => bucket(String(bound), counts[index] ?? 0)),
    bucket("+Inf", count),
    `${name}_sum${braces(key)} ${sum}\n`,
    `${name}_count${braces(key)} ${count}\n`,
  ];
}

function braces(key: string): string {
  return key === "" ? "" : `{${key}}`;
}

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}="${escapeValue(value)}"`)
    .join(",");
}

function escapeValue(value: string): string {
  return value.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`));
}
