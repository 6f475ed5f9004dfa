/** How many objects are stored, by kind, and how many of them lists have read. */
import type { Counter, Labels, Metrics } from "./metrics.ts";

export interface StoredObjects {
  readonly group: string;
  readonly resource: string;
  readonly count: number;
  /** Of all together, estimated. */
  readonly bytes: number;
}

/** How many objects one list read, compared with its selectors, and returned. */
export interface ListedObjects {
  readonly fetched: number;
  readonly evaluated: number;
  readonly returned: number;
}

export class StorageMetrics {
  /** As of the last count. */
  objects: readonly StoredObjects[] = [];
  readonly #lists: Counter;
  readonly #fetched: Counter;
  readonly #evaluated: Counter;
  readonly #returned: Counter;

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
    const count = (name: string, help: string): Counter => metrics.counter(`apiserver_storage_list_${name}`, help);
    this.#lists = count("total", "Lists that were read from the store, by group and resource.");
    this.#fetched = count("fetched_objects_total", "Objects that lists read, by group and resource.");
    this.#evaluated = count("evaluated_objects_total", "Objects that lists compared with their selectors.");
    this.#returned = count("returned_objects_total", "Objects that lists returned, by group and resource.");
  }

  listed(group: string, resource: string, { fetched, evaluated, returned }: ListedObjects): void {
    const labels = { group, resource };
    this.#lists.add(labels);
    this.#fetched.add(labels, fetched);
    this.#evaluated.add(labels, evaluated);
    this.#returned.add(labels, returned);
  }
}
