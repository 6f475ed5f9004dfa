/** How many addresses and node ports services have, and how many are left. Follows kubernetes pkg/registry/core/service. */
import type { Counter, Histogram, Labels, Metrics } from "./metrics.ts";

/** What is used of a range of addresses, or of the node ports. */
export interface RangeUsage {
  readonly allocated: number;
  readonly available: number;
}

export interface AddressUsage {
  /** By the CIDR of the range. */
  readonly ranges: ReadonlyMap<string, RangeUsage>;
  readonly ports: RangeUsage;
}

/** Whether a client requested the address or port, or the server chose it. */
export type AllocationScope = "static" | "dynamic";

interface AddressPlace {
  readonly cidr: string;
  readonly scope: AllocationScope;
}

/** As the default buckets of Prometheus. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class AddressMetrics {
  /** Undefined in all but one of several processes of a server. */
  usage: (() => AddressUsage) | undefined;
  readonly #allocations: Counter;
  readonly #errors: Counter;
  readonly #durations: Histogram;
  readonly #portAllocations: Counter;
  readonly #portErrors: Counter;

  constructor(metrics: Metrics) {
    const [ips, ports] = ["kube_apiserver_clusterip_allocator", "kube_apiserver_nodeport_allocator"];
    this.#addUsage(metrics, `${ips}_allocated_ips`, "Service addresses in use, by range.", ({ ranges }) =>
      [...ranges].map(([cidr, { allocated }]) => [{ cidr }, allocated]),
    );
    this.#addUsage(metrics, `${ips}_available_ips`, "Service addresses that are left, by range.", ({ ranges }) =>
      [...ranges].map(([cidr, { available }]) => [{ cidr }, available]),
    );
    this.#addUsage(metrics, `${ports}_allocated_ports`, "Node ports in use.", (usage) => [[{}, usage.ports.allocated]]);
    this.#addUsage(metrics, `${ports}_available_ports`, "Node ports that are left.", (usage) => [
      [{}, usage.ports.available],
    ]);
    this.#allocations = metrics.counter(`${ips}_allocation_total`, "Service addresses that were allocated.");
    this.#errors = metrics.counter(`${ips}_allocation_errors_total`, "Service addresses that were not available.");
    this.#durations = metrics.histogram(
      `${ips}_allocation_duration_seconds`,
      "Time to reserve a service address.",
      SECONDS,
    );
    this.#portAllocations = metrics.counter(`${ports}_allocation_total`, "Node ports that were allocated.");
    this.#portErrors = metrics.counter(`${ports}_allocation_errors_total`, "Node ports that were not available.");
  }

  /** `seconds` is undefined if the address was not available. */
  reservedAddress(place: AddressPlace, seconds: number | undefined): void {
    const { cidr, scope } = place;
    (seconds === undefined ? this.#errors : this.#allocations).add({ cidr, scope });
    if (seconds !== undefined) this.#durations.observe({ cidr }, seconds);
  }

  reservedPort(scope: AllocationScope, isAvailable: boolean): void {
    (isAvailable ? this.#portAllocations : this.#portErrors).add({ scope });
  }

  #addUsage(metrics: Metrics, name: string, help: string, read: (usage: AddressUsage) => [Labels, number][]): void {
    metrics.computed({ name, help, type: "gauge" }, () => (this.usage === undefined ? [] : read(this.usage())));
  }
}
