/**
 * Free addresses and node ports for services.
 *
 * What is taken is learned from the stored services, so that several servers on one store agree as far as they have
 * heard of one another. Ranges are those that kube-apiserver has where it is told nothing.
 */
import { isArray, isInteger, isObject, type JsonObject } from "@portcullis/engine/value/json";
import type { Store, StoreEvent } from "../storage/store.ts";
import { textOf } from "./meta.ts";
import { parseStored } from "./object-codec.ts";

const SERVICES = "/registry/services/specs/";
const NETWORK = "10.0.0.";
const FIRST_HOST = 2;
const LAST_HOST = 254;
const FIRST_PORT = 30000;
const LAST_PORT = 32767;

export class ServiceAddresses {
  readonly #taken = new Map<string, readonly string[]>();
  #nextHost = FIRST_HOST;
  #nextPort = FIRST_PORT;

  async start(store: Store): Promise<void> {
    const { entries, revision } = await store.list(SERVICES);
    for (const entry of entries) this.#taken.set(entry.key, addressesOf(parseStored(entry)));
    await store.watch(SERVICES, revision, { event: (event) => this.#hear(event), failed: () => {} });
  }

  /** "" where all are taken. */
  nextClusterIp(): string {
    const taken = new Set([...this.#taken.values()].flat());
    for (let tries = FIRST_HOST; tries <= LAST_HOST; tries++) {
      const address = `${NETWORK}${this.#nextHost}`;
      this.#nextHost = this.#nextHost === LAST_HOST ? FIRST_HOST : this.#nextHost + 1;
      if (!taken.has(address)) return address;
    }
    return "";
  }

  /** 0 where all are taken. */
  nextNodePort(): number {
    const taken = new Set([...this.#taken.values()].flat());
    for (let tries = FIRST_PORT; tries <= LAST_PORT; tries++) {
      const port = this.#nextPort;
      this.#nextPort = port === LAST_PORT ? FIRST_PORT : port + 1;
      if (!taken.has(String(port))) return port;
    }
    return 0;
  }

  #hear({ key, entry }: StoreEvent): void {
    if (entry === undefined) this.#taken.delete(key);
    else this.#taken.set(key, addressesOf(parseStored(entry)));
  }
}

/** Addresses and node ports as text: they cannot be mistaken for one another. */
function addressesOf(service: JsonObject): string[] {
  const spec = isObject(service["spec"]) ? service["spec"] : {};
  const addresses = isArray(spec["clusterIPs"]) ? spec["clusterIPs"].map(textOf) : [];
  const ports = isArray(spec["ports"]) ? spec["ports"].filter(isObject) : [];
  const nodePorts = [...ports.map((port) => port["nodePort"]), spec["healthCheckNodePort"]];
  return [...addresses, ...nodePorts.filter((port) => isInteger(port)).map(String)];
}
