/**
 * Free addresses and node ports for services.
 *
 * Addresses come from the ready ServiceCIDRs, or from the ranges of the options where the version has none. Used
 * addresses are read from the stored services and addresses; an allocation is reserved before it is used (see
 * `IpAddresses`), so that several servers on one store never allocate the same address.
 */

import type { IpFamily, ServiceNetwork } from "@portcullis/engine/internal/builtin/strategies/service-network";
import { findCondition } from "@portcullis/engine/internal/crd/conditions";
import type { ReserveClaims } from "@portcullis/engine/internal/review/kind";
import * as messages from "@portcullis/engine/internal/review/messages";
import { isArray, isInteger, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import type { AddressMetrics, AddressUsage } from "../observe/address-metrics.ts";
import { parseStored } from "../registry/object-codec.ts";
import type { Followers } from "../storage/followers.ts";
import type { Entry } from "../storage/store.ts";
import { type Claim, canonicalAddress } from "./service-claims.ts";
import { ServiceRange } from "./service-range.ts";
import { readServiceRanges } from "./service-range-option.ts";

const SERVICES = "/registry/services/specs/";
const ADDRESSES = "/registry/ipaddresses/";
const RANGES = "/registry/servicecidrs/";
const DEFAULT_PORTS: PortRange = { first: 30000, last: 32767 };

const PORT = /^\d+$/;

/** A range of node ports, including the last one. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

interface StoredRange {
  readonly range: ServiceRange;
  readonly isReady: boolean;
}

export class ServiceAddresses {
  /** Those of the options: one, or one of each family. */
  readonly defaults: readonly ServiceRange[];
  readonly network: ServiceNetwork;
  /** Reserves what a service requests before the service is stored; set by the controller responsible for it. */
  reserve: ReserveClaims | undefined;
  /** By the key of a ServiceCIDR; undefined if the server has none of that kind. */
  #stored: Map<string, readonly StoredRange[]> | undefined;
  readonly #taken = new Map<string, readonly string[]>();
  /** How often each address or port is used. */
  readonly #counts = new Map<string, number>();
  /** Undefined if something has changed. */
  #usage: AddressUsage | undefined;
  readonly #ports: PortRange;
  #nextPort: number;
  readonly #metrics: AddressMetrics | undefined;

  /** `ranges` is a CIDR such as `10.0.0.0/24`, or two of them, separated by a comma. Throws an Error otherwise. */
  constructor(ranges?: string, ports: PortRange = DEFAULT_PORTS, metrics?: AddressMetrics) {
    this.#metrics = metrics;
    this.#ports = ports;
    this.#nextPort = ports.first;
    this.defaults = readServiceRanges(ranges);
    this.network = { ipFamilies: this.defaults.map(({ family }) => family), nodePorts: ports };
  }

  /** The address of the Service of the server itself. */
  get own(): string {
    return this.defaults[0]?.first ?? "";
  }

  async start(followers: Followers, hasRanges: boolean): Promise<void> {
    const see = (key: string, entry: Entry | undefined): void => this.#see(key, entry);
    await followers.follow({ name: "allocated services", prefix: SERVICES, see });
    await followers.follow({ name: "allocated addresses", prefix: ADDRESSES, see });
    if (!hasRanges) return;
    this.#stored = new Map();
    await followers.follow({
      name: "ranges of service addresses",
      prefix: RANGES,
      see: (key, entry) => this.#seeRange(key, entry),
    });
  }

  /** "" if all are used. */
  nextClusterIp(family: IpFamily, isDryRun = false): string {
    const ranges = this.#rangesOf(family).filter(({ isReady }) => isReady);
    if (isDryRun) return ranges[0]?.range.network ?? "";
    for (const { range } of ranges) {
      const address = range.next((each) => this.#counts.has(each));
      if (address !== undefined) return address;
      this.#metrics?.reservedAddress({ cidr: range.cidr, scope: "dynamic" }, undefined);
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
    this.#metrics?.reservedPort("dynamic", false);
    return 0;
  }

  /** How many are used and left, for metrics. Looks at all of them, but only if any has changed. */
  usage(): AddressUsage {
    this.#usage ??= this.#readUsage();
    return this.#usage;
  }

  #readUsage(): AddressUsage {
    const names = [...this.#counts.keys()];
    const ports = names.filter((name) => PORT.test(name)).length;
    const ranges = this.#allRanges().map(({ range }) => {
      const allocated = names.filter((name) => !PORT.test(name) && range.contains(name)).length;
      return [range.cidr, { allocated, available: range.capacity - allocated }] as const;
    });
    const { first, last } = this.#ports;
    return { ranges: new Map(ranges), ports: { allocated: ports, available: last - first + 1 - ports } };
  }

  /**
   * `seconds` is undefined if the claim was not available. One that was chosen here is chosen again then, so that is not
   * an error.
   */
  noteReserved({ kind, name }: Claim, isRequested: boolean, seconds: number | undefined): void {
    if (seconds === undefined && !isRequested) return;
    const scope = isRequested ? "static" : "dynamic";
    if (kind !== "address") {
      this.#metrics?.reservedPort(scope, seconds !== undefined);
      return;
    }
    const cidr = this.#allRanges().find(({ range }) => range.contains(name))?.range.cidr;
    if (cidr !== undefined) this.#metrics?.reservedAddress({ cidr, scope }, seconds);
  }

  /** Why it cannot be allocated; undefined if it can. */
  problemOf({ kind, name }: Claim): string | undefined {
    if (kind === "address") {
      const isFound = this.#rangesOf(familyOf(name)).some(({ range, isReady }) => isReady && range.contains(name));
      return isFound ? undefined : messages.addressOutOfRange();
    }
    const port = Number(name);
    const { first, last } = this.#ports;
    const isInRange = port >= first && port <= last;
    return isInRange ? undefined : messages.portOutOfRange(`${first}-${last}`);
  }

  /** A dry run asks one of the ranges, whether another one has the address or not, and accepts any port. */
  dryRunProblemOf({ kind, name }: Claim): string | undefined {
    if (kind !== "address") return undefined;
    const [first] = this.#rangesOf(familyOf(name));
    if (first === undefined || !first.isReady) return messages.allocatorNotReady();
    return first.range.contains(name) ? undefined : messages.addressNotInRange(name, first.range.cidr);
  }

  #rangesOf(family: IpFamily): readonly StoredRange[] {
    return this.#allRanges().filter(({ range }) => range.family === family);
  }

  #allRanges(): readonly StoredRange[] {
    const stored = this.#stored && [...this.#stored.values()].flat();
    return stored ?? this.defaults.map((range) => ({ range, isReady: true }));
  }

  #seeRange(key: string, entry: Entry | undefined): void {
    this.#usage = undefined;
    if (entry === undefined) this.#stored?.delete(key);
    else this.#stored?.set(key, storedRanges(parseStored(entry), this.#stored.get(key) ?? []));
  }

  #see(key: string, entry: Entry | undefined): void {
    for (const name of this.#taken.get(key) ?? []) this.#count(name, -1);
    this.#taken.delete(key);
    if (entry !== undefined) this.#take(entry);
  }

  #count(name: string, by: number): void {
    this.#usage = undefined;
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

/** Known ranges are kept: they remember where they continue. Without a condition a range counts as ready. */
function storedRanges(object: JsonObject, known: readonly StoredRange[]): StoredRange[] {
  const spec = isObject(object["spec"]) ? object["spec"] : {};
  const cidrs = isArray(spec["cidrs"]) ? spec["cidrs"].map(textOf) : [];
  const status = findCondition(object, "Ready")?.["status"];
  const isReady = (status === undefined || status === "True") && metaText(object, "deletionTimestamp") === "";
  return cidrs.flatMap((cidr) => {
    const range = known.find((each) => each.range.cidr === cidr)?.range ?? ServiceRange.parse(cidr);
    return range === undefined ? [] : [{ range, isReady }];
  });
}

function familyOf(address: string): IpFamily {
  return address.includes(":") ? "IPv6" : "IPv4";
}

/** Addresses and node ports as strings, which cannot be confused with each other. */
function addressesOf(service: JsonObject): string[] {
  const spec = isObject(service["spec"]) ? service["spec"] : {};
  const addresses = isArray(spec["clusterIPs"]) ? spec["clusterIPs"].map(textOf).map(canonicalAddress) : [];
  const ports = isArray(spec["ports"]) ? spec["ports"].filter(isObject) : [];
  const nodePorts = [...ports.map((port) => port["nodePort"]), spec["healthCheckNodePort"]];
  return [...addresses, ...nodePorts.filter((port) => isInteger(port)).map(String)];
}
