/** The store's answers and its size, under the names that upstream gives to those of etcd. Follows apiserver pkg/storage/etcd3/metrics. */
import type { StoreOperation } from "../storage/measured-store.ts";
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";
import { REQUEST_SECONDS } from "./request-buckets.ts";

export interface KindPlace {
  readonly group: string;
  readonly resource: string;
}

export class StoreMetrics {
  /** The bytes of the store's file or of etcd's database, as last asked; undefined for a store in memory. */
  size: number | undefined;
  /** Built-in kinds by the prefix of their keys. */
  #builtIn: ReadonlyMap<string, KindPlace> = new Map();
  readonly #durations: Histogram;
  readonly #requests: Counter;
  readonly #errors: Counter;
  /** By operation, then by the prefix of the keys: finding the labels makes no text. */
  readonly #labels = new Map<StoreOperation, Map<string, Labels>>();

  constructor(metrics: Metrics) {
    this.#durations = metrics.histogram(
      "etcd_request_duration_seconds",
      "Time of the store to answer, by operation, group and resource.",
      REQUEST_SECONDS,
    );
    this.#requests = metrics.counter("etcd_requests_total", "Requests to the store, by operation and resource.");
    this.#errors = metrics.counter(
      "etcd_request_errors_total",
      "Requests to the store that failed, by operation and resource.",
    );
    const help = "Size of the storage database file physically allocated in bytes.";
    metrics.computed({ name: "apiserver_storage_size_bytes", help, type: "gauge" }, () =>
      this.size === undefined ? [] : [[{ storage_cluster_id: "etcd-0" }, this.size]],
    );
  }

  /** Called before the first request. */
  know(builtIn: ReadonlyMap<string, KindPlace>): void {
    this.#builtIn = builtIn;
  }

  request(operation: StoreOperation, key: string, seconds: number, isError: boolean): void {
    const labels = this.#labelsOf(operation, key);
    this.#durations.observe(labels, seconds);
    this.#requests.add(labels);
    if (isError) this.#errors.add(labels);
  }

  #labelsOf(operation: StoreOperation, key: string): Labels {
    let known = this.#labels.get(operation);
    if (known === undefined) {
      known = new Map();
      this.#labels.set(operation, known);
    }
    const short = prefixOf(key, 1);
    const labels = known.get(short) ?? known.get(prefixOf(key, 2));
    if (labels !== undefined) return labels;
    const [prefix, { group, resource }] = this.#placeOf(key, short);
    const made = { group, operation, resource };
    known.set(prefix, made);
    return made;
  }

  /** Keys of custom resources begin with their group and resource. */
  #placeOf(key: string, short: string): readonly [prefix: string, place: KindPlace] {
    const long = prefixOf(key, 2);
    for (const prefix of [short, long]) {
      const place = this.#builtIn.get(prefix);
      if (place !== undefined) return [prefix, place];
    }
    const [, , group = "", resource = ""] = long.split("/");
    return [long, { group, resource }];
  }
}

/** So many parts of a key after the root. */
function prefixOf(key: string, parts: number): string {
  let end = ROOT.length - 1;
  for (let i = 0; i < parts && end !== -1; i++) end = key.indexOf("/", end + 1);
  return end === -1 ? key : key.slice(0, end + 1);
}

const ROOT = "/registry/";
