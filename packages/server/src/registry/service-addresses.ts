/**
 * Free addresses and node ports for services.
 *
 * What is taken is learned from the stored services and addresses, so that several servers on one store agree as far as they have
 * heard of one another. Ranges are those that kube-apiserver has where it is told nothing. Addresses are IPv4.
 */
import { isArray, isInteger, isObject, type JsonObject } from "@portcullis/engine/value/json";
import { textOf } from "@portcullis/engine/value/metadata";
import type { Entry, Store, StoreEvent } from "../storage/store.ts";
import { parseStored } from "./object-codec.ts";

const SERVICES = "/registry/services/specs/";
const ADDRESSES = "/registry/ipaddresses/";
const DEFAULT_RANGE = "10.0.0.0/24";
/** Larger ranges are used up to here. */
const MAX_HOSTS = 2 ** 16;
const FIRST_PORT = 30000;
const LAST_PORT = 32767;

export class ServiceAddresses {
  /** The first address of the range: the Service that leads to the server itself has it. */
  readonly own: string;
  /** All of them, such as `10.0.0.0/24`. */
  readonly range: string;
  readonly #network: number;
  readonly #lastHost: number;
  readonly #taken = new Map<string, readonly string[]>();
  #nextHost = FIRST_HOST;
  #nextPort = FIRST_PORT;

  /** Such as `10.0.0.0/24`. Throws an Error where it is no range of IPv4 addresses. */
  constructor(range = DEFAULT_RANGE) {
    const { network, size } = parseRange(range);
    this.#network = network;
    this.#lastHost = Math.min(size, MAX_HOSTS) - 2;
    this.own = formatAddress(network + 1);
    this.range = `${formatAddress(network)}/${32 - Math.log2(size)}`;
  }

  async start(store: Store): Promise<void> {
    for (const prefix of [SERVICES, ADDRESSES]) {
      const { entries, revision } = await store.list(prefix);
      for (const entry of entries) this.#take(entry);
      await store.watch(prefix, revision, { event: (event) => this.#hear(event), failed: () => {} });
    }
  }

  /** "" where all are taken. */
  nextClusterIp(): string {
    const taken = new Set([...this.#taken.values()].flat());
    for (let tries = FIRST_HOST; tries <= this.#lastHost; tries++) {
      const address = formatAddress(this.#network + this.#nextHost);
      this.#nextHost = this.#nextHost === this.#lastHost ? FIRST_HOST : this.#nextHost + 1;
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
    else this.#take(entry);
  }

  /** Who makes an object of an address has it, whatever for. */
  #take(entry: Entry): void {
    const isAddress = entry.key.startsWith(ADDRESSES);
    this.#taken.set(entry.key, isAddress ? [entry.key.slice(ADDRESSES.length)] : addressesOf(parseStored(entry)));
  }
}

const FIRST_HOST = 2;

function parseRange(range: string): { readonly network: number; readonly size: number } {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(range);
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = match?.slice(1).map(Number) ?? [];
  if (match === null || Math.max(a, b, c, d) > 255 || bits < 8 || bits > 29) {
    throw new Error(`\`${range}\` is not a range of IPv4 addresses for services, such as \`${DEFAULT_RANGE}\``);
  }
  const size = 2 ** (32 - bits);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  return { network: address - (address % size), size };
}

function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

/** Addresses and node ports as text: they cannot be mistaken for one another. */
function addressesOf(service: JsonObject): string[] {
  const spec = isObject(service["spec"]) ? service["spec"] : {};
  const addresses = isArray(spec["clusterIPs"]) ? spec["clusterIPs"].map(textOf) : [];
  const ports = isArray(spec["ports"]) ? spec["ports"].filter(isObject) : [];
  const nodePorts = [...ports.map((port) => port["nodePort"]), spec["healthCheckNodePort"]];
  return [...addresses, ...nodePorts.filter((port) => isInteger(port)).map(String)];
}
