/** Which deprecated APIs were requested, under upstream's name. Follows apiserver pkg/endpoints/metrics/metrics.go. */
import type { Labels, Metrics } from "./metrics.ts";
import { DEPRECATED_APIS } from "./process-metrics.ts";

export class DeprecatedApis {
  readonly #requested = new Map<string, Labels>();

  constructor(metrics: Metrics) {
    const help = "Deprecated APIs that were requested, by the release that removes them; always 1.";
    metrics.computed({ name: DEPRECATED_APIS, help, type: "gauge" }, () =>
      [...this.#requested.values()].map((labels) => [labels, 1]),
    );
  }

  /** A version was requested that upstream calls deprecated; `warning` names the release that removes it. */
  requested({ group = "", resource = "", subresource = "", version = "" }: Labels, warning: string): void {
    const removed = /unavailable in v(\d+\.\d+)/.exec(warning)?.[1] ?? "";
    const labels = { group, removed_release: removed, resource, subresource, version };
    this.#requested.set(Object.values(labels).join("/"), labels);
  }
}
