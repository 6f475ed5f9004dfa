/**
 * Reserves the addresses and ports of services before they are stored, and releases them when the services are deleted.
 * Follows the allocators of kubernetes pkg/registry/core/service and their repair loop.
 */

import {
  apiVersionOf,
  type ClaimingWrite,
  type Reservation,
  type ResourceKind,
} from "@portcullis/engine/internal/review/kind";
import * as messages from "@portcullis/engine/internal/review/messages";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { labelsOf, metaText, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { ChoiceTaken } from "../registry/choice-taken.ts";
import type { ServerContext } from "../registry/context.ts";
import { inEveryServer } from "../registry/leadership.ts";
import { decodeEntry, encodeObject, keyOf } from "../registry/object-codec.ts";
import { NotYet, WorkQueue } from "../registry/work-queue.ts";
import { type Entry, KeyExists, RevisionConflict } from "../storage/store.ts";
import { DefaultServiceCidr } from "./default-service-cidr.ts";
import type { ServiceAddresses } from "./service-addresses.ts";
import { type Claim, claimsOf, PORT_PREFIX, refuseClaim } from "./service-claims.ts";

const GROUP = "networking.k8s.io";
const MANAGER = "ipaddress.kubernetes.io/managed-by";
const ALLOCATOR = "ipallocator.k8s.io";
const FAMILY = "ipaddress.kubernetes.io/ip-family";
/**
 * How long a claim without its service is kept, because the service may be about to be stored. In units of half a
 * second.
 */
const ORPHAN_ROUNDS = 120;
/** How long to wait for the release of a claim of a deleted service. */
const [RELEASE_ROUNDS, RELEASE_MS] = [20, 50];

/** The keys of created claims, with their revisions. */
type Taken = (readonly [key: string, revision: number])[];

interface TakeOptions {
  /** Whether the user requested it. */
  readonly isRequested: boolean;
  readonly taken: Taken;
}

interface Types {
  readonly addresses: ResourceKind;
  readonly services: ResourceKind;
}

export class IpAddresses {
  readonly #server: ServerContext;
  readonly #ranges: ServiceAddresses;
  readonly #queue: WorkQueue;
  readonly #defaultRange: DefaultServiceCidr;
  #types: Types | undefined;
  /**
   * By the key of a service: the claims it should have (`#wanted`), and those that exist, with their revision
   * (`#held`).
   */
  readonly #wanted = new Map<string, ReadonlyMap<string, Claim>>();
  readonly #held = new Map<string, Map<string, number>>();
  readonly #owners = new Map<string, string>();
  /** Claims of deleted services, with their revision at that time. */
  readonly #released = new Map<string, number>();
  readonly #orphanRounds = new Map<string, number>();

  constructor(server: ServerContext, ranges: ServiceAddresses) {
    this.#server = server;
    this.#ranges = ranges;
    this.#defaultRange = new DefaultServiceCidr(
      server,
      ranges.defaults.map(({ cidr }) => cidr),
    );
    this.#queue = new WorkQueue("ipaddresses", (key) => this.#reconcile(key), server, inEveryServer(server.leadership));
  }

  async start(): Promise<void> {
    const { registry, followers, leadership } = this.#server;
    const [ranges, addresses] = ["servicecidrs", "ipaddresses"].map((plural) => registry.find(GROUP, "v1", plural));
    const services = registry.find("", "v1", "services");
    if (ranges !== undefined && leadership.canLead) await this.#defaultRange.start(ranges);
    if (addresses === undefined || services === undefined) return;
    this.#types = { addresses, services };
    const see = (key: string, entry: Entry | undefined): void => this.#seeClaim(key, entry);
    await followers.follow({ name: addresses.plural, prefix: addresses.storagePrefix, see });
    await followers.follow({ name: "node ports", prefix: PORT_PREFIX, see });
    await followers.follow({
      name: services.plural,
      prefix: services.storagePrefix,
      see: (key, entry) => this.#seeService(key, entry && decodeEntry(entry, services)),
    });
    this.#ranges.reserve = (write) => this.#reserve(write);
  }

  close(): void {
    this.#queue.close();
    this.#defaultRange.close();
  }

  async settled(): Promise<void> {
    await this.#defaultRange.settled();
    await this.#queue.idle();
  }

  /** Reserves the claims that the new service has and the old one does not. */
  async #reserve(write: ClaimingWrite): Promise<Reservation> {
    const { object: service, old, asked } = write;
    const before = namesOf(old);
    const requested = namesOf(asked);
    const taken: Taken = [];
    const release = async (): Promise<void> => {
      for (const [claimKey, revision] of taken) await this.#deleteClaim(claimKey, revision);
    };
    try {
      for (const claim of claimsOf(service)) {
        if (before.has(claim.name)) continue;
        const isRequested = requested.has(claim.name);
        const problem = write.isDryRun
          ? isRequested && (await this.#dryRunProblem(claim, write))
          : (this.#ranges.problemOf(claim) ?? (await this.#measuredTake(claim, write, { isRequested, taken })));
        if (problem === undefined || problem === false) continue;
        throw isRequested ? refuseClaim(service, claim, problem) : new ChoiceTaken();
      }
      return { release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Whether an address is free is not checked then, but it is for ports. */
  async #dryRunProblem(claim: Claim, { key }: ClaimingWrite): Promise<string | undefined> {
    if (claim.kind === "address") return this.#ranges.dryRunProblemOf(claim);
    const entry = await this.#server.store.get(this.#keyOf(claim));
    const isHeld = entry !== undefined && this.#ownerOf(entry) !== key;
    return isHeld ? messages.portTaken() : undefined;
  }

  async #measuredTake(claim: Claim, write: ClaimingWrite, options: TakeOptions): Promise<string | undefined> {
    const { clock } = this.#server.metrics;
    const start = clock();
    const problem = await this.#take(claim, write, options);
    this.#ranges.noteReserved(claim, options.isRequested, problem === undefined ? clock() - start : undefined);
    return problem;
  }

  /** Undefined if the claim is ours now. Waits for claims of deleted services to be released. */
  async #take(claim: Claim, write: ClaimingWrite, { isRequested, taken }: TakeOptions): Promise<string | undefined> {
    for (let round = 0; round < (isRequested ? RELEASE_ROUNDS : 1); round++) {
      if (round > 0) await new Promise((resolve) => setTimeout(resolve, RELEASE_MS));
      const outcome = await this.#tryTake(claim, write, taken);
      if (outcome === "taken") return undefined;
      if (outcome === "held") break;
    }
    return claim.kind === "address" ? messages.addressTaken() : messages.portTaken();
  }

  async #tryTake(claim: Claim, write: ClaimingWrite, taken: Taken): Promise<"taken" | "held" | "left over"> {
    const { store } = this.#server;
    const key = this.#keyOf(claim);
    const entry = await store.get(key);
    const owner = entry && (await this.#leftBy(entry, claim));
    if (entry !== undefined && owner !== write.key) return owner === undefined ? "held" : "left over";
    try {
      const value = await this.#valueOf(claim, write.key);
      const { revision } = await (entry === undefined
        ? store.create(key, value)
        : store.update(key, value, entry.revision));
      taken.push([key, revision]);
      return "taken";
    } catch (error) {
      if (!(error instanceof KeyExists) && !(error instanceof RevisionConflict)) throw error;
      return "left over";
    }
  }

  /** The service that left a claim behind, or that is about to be stored; undefined if the claim is in use. */
  async #leftBy(entry: Entry, { name }: Claim): Promise<string | undefined> {
    const owner = this.#ownerOf(entry);
    const services = this.#types?.services;
    if (owner === undefined || services === undefined) return undefined;
    const found = await this.#server.store.get(owner);
    return found !== undefined && namesOf(decodeEntry(found, services)).has(name) ? undefined : owner;
  }

  #keyOf({ kind, name }: Claim): string {
    const type = this.#types?.addresses;
    return kind === "address" && type !== undefined ? keyOf(type, "", name) : PORT_PREFIX + name;
  }

  async #valueOf({ kind, name: address }: Claim, service: string): Promise<string> {
    const { system } = this.#server;
    if (kind !== "address" || this.#types === undefined) return JSON.stringify({ service });
    const { addresses: type, services } = this.#types;
    const [namespace = "", name = ""] = service.slice(services.storagePrefix.length).split("/");
    const labels = objectOf({ [FAMILY]: address.includes(":") ? "IPv6" : "IPv4", [MANAGER]: ALLOCATOR });
    const metadata = objectOf({ name: address, uid: system.uid(), creationTimestamp: system.now(), labels });
    const spec = objectOf({ parentRef: objectOf({ resource: "services", namespace, name }) });
    const object = objectOf({ apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec });
    return (await encodeObject(object, type)).plain();
  }

  /** The key of the service that owns a claim; undefined for addresses that others created. */
  #ownerOf(entry: Entry): string | undefined {
    if (this.#types === undefined) return undefined;
    if (entry.key.startsWith(PORT_PREFIX)) return /^\{"service":"([^"\\]*)"\}$/.exec(entry.value)?.[1];
    const { addresses, services } = this.#types;
    const address = decodeEntry(entry, addresses);
    const parent = memberOf(memberOf(address, "spec"), "parentRef");
    const isOurs = labelsOf(address)[MANAGER] === ALLOCATOR && parent["resource"] === "services";
    if (!isOurs || metaText(address, "deletionTimestamp") !== "") return undefined;
    return keyOf(services, textOf(parent["namespace"]), textOf(parent["name"]));
  }

  #seeService(key: string, service: JsonObject | undefined): void {
    const before = this.#wanted.get(key);
    const now = new Map((service === undefined ? [] : claimsOf(service)).map((claim) => [this.#keyOf(claim), claim]));
    if (service === undefined) this.#wanted.delete(key);
    else this.#wanted.set(key, now);
    for (const claim of before?.keys() ?? []) {
      const revision = this.#held.get(key)?.get(claim);
      if (!now.has(claim) && revision !== undefined) this.#released.set(claim, revision);
    }
    this.#queue.add(key);
  }

  #seeClaim(key: string, entry: Entry | undefined): void {
    const before = this.#owners.get(key);
    const owner = entry && this.#ownerOf(entry);
    if (before !== undefined) this.#forget(key, before);
    if (owner !== undefined && entry !== undefined) {
      this.#owners.set(key, owner);
      const held = this.#held.get(owner) ?? new Map<string, number>();
      this.#held.set(owner, held.set(key, entry.revision));
    }
    for (const each of new Set([before, owner])) if (each !== undefined) this.#queue.add(each);
  }

  #forget(key: string, owner: string): void {
    this.#owners.delete(key);
    const held = this.#held.get(owner);
    held?.delete(key);
    if (held?.size === 0) this.#held.delete(owner);
  }

  /** Makes the existing claims of a service match the wanted ones. */
  async #reconcile(service: string): Promise<void> {
    const wanted = this.#wanted.get(service) ?? new Map<string, Claim>();
    let isYoung = false;
    for (const [key, revision] of [...(this.#held.get(service) ?? [])]) {
      if (wanted.has(key)) this.#orphanRounds.delete(key);
      else if (this.#isAbandoned(key, revision)) await this.#deleteClaim(key, revision);
      else isYoung = true;
    }
    for (const [key, claim] of wanted) {
      if (this.#owners.has(key)) continue;
      await this.#createClaim(key, await this.#valueOf(claim, service));
    }
    if (isYoung) throw new NotYet();
  }

  #isAbandoned(key: string, revision: number): boolean {
    const rounds = (this.#orphanRounds.get(key) ?? 0) + 1;
    const isOver = this.#released.get(key) === revision || rounds > ORPHAN_ROUNDS;
    if (isOver) this.#orphanRounds.delete(key);
    else this.#orphanRounds.set(key, rounds);
    if (isOver) this.#released.delete(key);
    return isOver;
  }

  /** Does nothing if it is already allocated. */
  async #createClaim(key: string, value: string): Promise<void> {
    try {
      await this.#server.store.create(key, value);
    } catch (error) {
      if (!(error instanceof KeyExists)) throw error;
    }
  }

  /** Does nothing if the claim was changed since. */
  async #deleteClaim(key: string, revision: number): Promise<void> {
    try {
      await this.#server.store.delete(key, revision);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }
}

function namesOf(service: JsonObject | undefined): ReadonlySet<string> {
  return new Set(service === undefined ? [] : claimsOf(service).map(({ name }) => name));
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : newObject();
}
