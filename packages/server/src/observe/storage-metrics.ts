/** How many objects are stored, by kind. */
import type { Labels, Metrics } from "./metrics.ts";

export interface StoredObjects {
  readonly group: string;
  readonly resource: string;
  readonly count: number;
  /** Of all together, estimated. */
  readonly bytes: number;
}

export class StorageMetrics {
  /** As of the last count. */
  objects: readonly StoredObjects[] = [];

  constructor(metrics: Metrics) {
    const add = (name: string, help: string, value: (of: StoredObjects) => readonly [Labels, number]): void =>
      metrics.computed({ name, help, type: "gauge" }, () => this.objects.map(value));
    add("apiserver_resource_objects", "Objects that are stored, by group and resource.", (of) => [
      { group: of.group, resource: of.resource },
      of.count,
    ]);
    add("apiserver_resource_size_estimate_bytes", "Estimated size of the objects that are stored.", (of) => [
      { group: of.group, resource: of.resource },
      of.bytes,
    ]);
    add("apiserver_storage_objects", "Objects that are stored, by resource.", ({ group, resource, count }) => [
      { resource: group === "" ? resource : `${resource}.${group}` },
      count,
    ]);
  }
}
