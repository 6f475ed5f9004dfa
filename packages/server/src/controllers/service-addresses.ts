/**
 * Free addresses and node ports for services.
 *
 * Used addresses are read from the stored services and addresses; an allocation is reserved before it is used (see
 * `IpAddresses`), so that several servers on one store never allocate the same address. Ranges are kube-apiserver's
 * defaults. Addresses are IPv4.
 */

import type { ReserveClaims } from "@portcullis/engine/internal/review/kind";
import * as messages from "@portcullis/engine/internal/review/messages";
import { isArray, isInteger, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { parseStored } from "../registry/object-codec.ts";
import type { Followers } from "../storage/followers.ts";
import type { Entry } from "../storage/store.ts";
import type { Claim } from "./service-claims.ts";

const SERVICES = "/registry/services/specs/";
const ADDRESSES = "/registry/ipaddresses/";
const DEFAULT_RANGE = "10.0.0.0/24";
/** The maximum number of addresses used from a larger range. */
const MAX_HOSTS = 2 ** 16;
const DEFAULT_PORTS: PortRange = { first: 30000, last: 32767 };

/** A range of node ports, including the last one. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export class ServiceAddresses {
  /** The first address of the range, used by the Service of the server itself. */
  readonly own: string;
  /** The whole range, such as `10.0.0.0/24`. */
  readonly range: string;
  readonly #network: number;
  readonly #size: number;
  readonly #lastHost: number;
  readonly #taken = new Map<string, readonly string[]>();
  /** How often each address or port is used. */
  readonly #counts = new Map<string, number>();
  /** Reserves what a service requests before the service is stored; set by the controller responsible for it. */
  reserve: ReserveClaims | undefined;
  #nextHost = FIRST_HOST;
  readonly #ports: PortRange;
  #nextPort: number;

  /** `range` is a CIDR such as `10.0.0.0/24`. Throws an Error if it is not an IPv4 range. */
  constructor(range = DEFAULT_RANGE, ports: PortRange = DEFAULT_PORTS) {
    this.#ports = ports;
    this.#nextPort = ports.first;
    const { network, size } = parseRange(range);
    this.#network = network;
    this.#size = size;
    this.#lastHost = Math.min(size, MAX_HOSTS) - 2;
    this.own = formatAddress(network + 1);
    this.range = `${formatAddress(network)}/${32 - Math.log2(size)}`;
  }

  async start(followers: Followers): Promise<void> {
    const see = (key: string, entry: Entry | undefined): void => this.#see(key, entry);
    await followers.follow({ name: "allocated services", prefix: SERVICES, see });
    await followers.follow({ name: "allocated addresses", prefix: ADDRESSES, see });
  }

  /** "" if all are used. */
  nextClusterIp(): string {
    for (let tries = FIRST_HOST; tries <= this.#lastHost; tries++) {
      const address = formatAddress(this.#network + this.#nextHost);
      this.#nextHost = this.#nextHost === this.#lastHost ? FIRST_HOST : this.#nextHost + 1;
      if (!this.#counts.has(address)) return address;
    }
    return "";
  }

  /** 0 if all are used. */
  nextNodePort(): number {
    const { first, last } = this.#ports;
    for (let tries = first; tries <= last; tries++) {
      const port = this.#nextPort;
      this.#nextPort = port === last ? first : port + 1;
      if (!this.#counts.has(String(port))) return port;
    }
    return 0;
  }

  #see(key: string, entry: Entry | undefined): void {
    for (const name of this.#taken.get(key) ?? []) this.#count(name, -1);
    this.#taken.delete(key);
    if (entry !== undefined) this.#take(entry);
  }

  /** Why it cannot be allocated; undefined if it can. */
  problemOf({ kind, name }: Claim): string | undefined {
    if (kind === "address") return this.#isInRange(name) ? undefined : messages.addressOutOfRange();
    const port = Number(name);
    const { first, last } = this.#ports;
    const isInRange = port >= first && port <= last;
    return isInRange ? undefined : messages.portOutOfRange(`${first}-${last}`);
  }

  #isInRange(address: string): boolean {
    const parts = address.split(".").map(Number);
    if (parts.length !== 4 || address.includes(":")) return true;
    const value = parts.reduce((sum, part) => sum * 256 + part, 0);
    return value >= this.#network && value < this.#network + this.#size;
  }

  #count(name: string, by: number): void {
    const count = (this.#counts.get(name) ?? 0) + by;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }

  /** An address is used by a service that has it, and by an IPAddress object whatever its purpose. */
  #take(entry: Entry): void {
    const isAddress = entry.key.startsWith(ADDRESSES);
    const names = isAddress ? [entry.key.slice(ADDRESSES.length)] : addressesOf(parseStored(entry));
    this.#taken.set(entry.key, names);
    for (const name of names) this.#count(name, 1);
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

/** Addresses and node ports as strings, which cannot be confused with each other. */
function addressesOf(service: JsonObject): string[] {
  const spec = isObject(service["spec"]) ? service["spec"] : {};
  const addresses = isArray(spec["clusterIPs"]) ? spec["clusterIPs"].map(textOf) : [];
  const ports = isArray(spec["ports"]) ? spec["ports"].filter(isObject) : [];
  const nodePorts = [...ports.map((port) => port["nodePort"]), spec["healthCheckNodePort"]];
  return [...addresses, ...nodePorts.filter((port) => isInteger(port)).map(String)];
}
