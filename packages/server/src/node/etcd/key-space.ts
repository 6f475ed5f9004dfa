/** Where in etcd a store keeps its keys, so that it can share a cluster with others. */
import type { KeyRange } from "./protocol.ts";

export class KeySpace {
  /** Everything under the prefix. */
  readonly range: Required<KeyRange>;
  /** A key of the store's own within the range: the bare prefix with its slash. Nothing is kept there. */
  readonly marker: string;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix.replace(/\/+$/, "");
    this.marker = `${this.#prefix}/`;
    // "0" follows "/".
    this.range = { key: this.marker, end: `${this.#prefix}0` };
  }

  toEtcd(key: string): string {
    return this.#prefix + key;
  }

  /** Undefined for the marker. */
  fromEtcd(key: string): string | undefined {
    return key === this.marker ? undefined : key.slice(this.#prefix.length);
  }
}
