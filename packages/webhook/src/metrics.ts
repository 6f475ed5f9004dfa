/** Counts and durations in the text format of Prometheus. Checks of policies have upstream's name and labels. */
import { compareStrings } from "@portcullis/gostd/utf8";

export type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
}

// biome-ignore format: a table
const FAMILIES = {
  apiserver_validating_admission_policy_check_total: { type: "counter", help: "Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken." },
  portcullis_webhook_reviews_total: { type: "counter", help: "Admission reviews answered, by policy and outcome." },
  portcullis_webhook_review_duration_seconds: { type: "histogram", help: "Time to answer an admission review." },
  portcullis_webhook_access_reviews_total: { type: "counter", help: "SubjectAccessReviews sent to the cluster." },
  portcullis_webhook_lists_total: { type: "counter", help: "Complete lists of watched collections." },
  portcullis_webhook_problems_total: { type: "counter", help: "Failures to talk to the cluster." },
  portcullis_webhook_configuration_writes_total: { type: "counter", help: "Writes of the webhook configuration." },
  portcullis_webhook_certificate_issued_timestamp_seconds: { type: "gauge", help: "When the certificate in use was issued." },
  portcullis_webhook_ready: { type: "gauge", help: "1 once policies, bindings and namespaces have been read." },
} as const satisfies Record<string, Family>;

export type MetricName = keyof typeof FAMILIES;

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  readonly #series = new Map<MetricName, Map<string, number>>();

  count(name: MetricName, labels: Labels = {}, by = 1): void {
    const series = this.#of(name);
    const key = formatLabels(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  }

  set(name: MetricName, value: number): void {
    this.#of(name).set("", value);
  }

  observe(name: MetricName, seconds: number): void {
    for (const limit of BUCKETS) this.count(name, { le: String(limit) }, seconds <= limit ? 1 : 0);
    this.count(name, { le: "+Inf" });
    this.count(name, { sum: "" }, seconds);
  }

  text(): string {
    return [...this.#series]
      .sort(([left], [right]) => compareStrings(left, right))
      .flatMap(([name, series]) => this.#lines(name, series))
      .join("");
  }

  #lines(name: MetricName, series: ReadonlyMap<string, number>): string[] {
    const { help, type } = FAMILIES[name];
    const head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    if (type === "histogram") return [head, ...histogramLines(name, series)];
    return [head, ...[...series].map(([labels, value]) => `${name}${labels} ${value}\n`)];
  }

  #of(name: MetricName): Map<string, number> {
    const known = this.#series.get(name);
    if (known !== undefined) return known;
    const made = new Map<string, number>();
    this.#series.set(name, made);
    return made;
  }
}

function histogramLines(name: string, series: ReadonlyMap<string, number>): string[] {
  const sum = series.get(formatLabels({ sum: "" })) ?? 0;
  const count = series.get(formatLabels({ le: "+Inf" })) ?? 0;
  const buckets = [...series].filter(([labels]) => labels.startsWith("{le="));
  return [
    ...buckets.map(([labels, value]) => `${name}_bucket${labels} ${value}\n`),
    `${name}_sum ${sum}\n`,
    `${name}_count ${count}\n`,
  ];
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeValue(value: string): string {
  return value.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`));
}
