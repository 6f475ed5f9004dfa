/**
 * Keeps the condition `Available` of APIServices, and what their extension API servers publish.
 *
 * Follows kube-aggregator pkg/controllers/status/remote. Checks are repeated: soon where one failed, every half minute
 * otherwise.
 */
import { findCondition, setCondition } from "@portcullis/engine/internal/crd/conditions";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { labelsOf, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import type { ResolveService, ServiceAddressBook } from "../conversion/services.ts";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { APISERVER, patchAs } from "../registry/server-writes.ts";
import { WorkQueue } from "../registry/work-queue.ts";
import { API_SERVICES, type ApiServices, type RemoteService } from "./api-services.ts";
import { KUBE_AGGREGATOR } from "./fetch.ts";
import * as messages from "./messages.ts";
import { addressOf, identityHeaders } from "./proxy.ts";
import { type CallExtension, ExtensionUnreachable } from "./transport.ts";

export interface AvailabilityOptions {
  readonly call: CallExtension;
  readonly resolve: ResolveService;
  /** Services with a configured address need no endpoints. */
  readonly book: ServiceAddressBook;
  /** Called after each check; resolves to whether everything could be read. */
  readonly onChecked: (remote: RemoteService) => Promise<boolean>;
}

interface Finding {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

const [FIRST_RETRY_MS, RECHECK_MS, CHECK_MS] = [500, 30_000, 5_000];

export class Availability {
  readonly #server: ServerContext;
  readonly #services: ApiServices;
  readonly #options: AvailabilityOptions;
  readonly #queue: WorkQueue;
  /** The next check of each, and how long it waits. */
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #delays = new Map<string, number>();
  #isClosed = false;

  constructor(server: ServerContext, services: ApiServices, options: AvailabilityOptions) {
    this.#server = server;
    this.#services = services;
    this.#options = options;
    this.#queue = new WorkQueue("RemoteAvailabilityController", (key) => this.#check(key), server);
  }

  async start(): Promise<void> {
    for (const key of this.#services.keys()) this.#queue.add(key);
    this.#services.onChange((key) => this.#queue.add(key));
    const { registry, followers } = this.#server;
    const followed = [registry.find("", "v1", "services"), registry.find("discovery.k8s.io", "v1", "endpointslices")];
    for (const type of followed) {
      if (type === undefined) continue;
      const see = (): void => this.#checkAll();
      await followers.follow({
        name: `${type.plural} of APIServices`,
        prefix: type.storagePrefix,
        see,
        isBackground: true,
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  #checkAll(): void {
    for (const key of this.#services.keys()) this.#queue.add(key);
  }

  async #check(key: string): Promise<void> {
    const remote = this.#services.get(key);
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const { aggregator } = this.#server.metrics;
    if (remote === undefined) {
      aggregator.removed(key.slice(key.lastIndexOf("/") + 1));
      this.#delays.delete(key);
      return;
    }
    const finding = (await this.#checkService(remote)) ?? (await this.#checkDiscovery(remote));
    const isAvailable = finding.status === "True";
    aggregator.checked(remote.name, isAvailable, finding.reason);
    await this.#write(remote, finding);
    const isRead = await this.#options.onChecked(remote);
    this.#again(key, isAvailable && isRead);
  }

  #again(key: string, isFine: boolean): void {
    if (this.#isClosed) return;
    const delay = isFine ? RECHECK_MS : Math.min((this.#delays.get(key) ?? FIRST_RETRY_MS / 2) * 2, RECHECK_MS);
    if (isFine) this.#delays.delete(key);
    else this.#delays.set(key, delay);
    const timer = setTimeout(() => this.#queue.add(key), delay);
    // A check that is due does not keep the process alive.
    if (typeof timer === "object") timer.unref();
    this.#timers.set(key, timer);
  }

  /** What is wrong with the Service. */
  async #checkService({ service }: RemoteService): Promise<Finding | undefined> {
    const { name, namespace, port } = service;
    const { book } = this.#options;
    if (book.has(`${name}.${namespace}:${port}`) || book.has(`${name}.${namespace}`)) return undefined;
    const { registry, store } = this.#server;
    const type = registry.find("", "v1", "services");
    const entry = type && (await store.get(keyOf(type, namespace, name)));
    if (type === undefined || entry === undefined) return failed("ServiceNotFound", messages.serviceMissing(service));
    const spec = memberOf(decodeEntry(entry, type), "spec");
    if (textOf(spec["type"]) !== "ClusterIP") return undefined;
    const found = objectsOf(spec["ports"]).find((each) => each["port"] === port);
    if (found === undefined) return failed("ServicePortError", messages.portMissing(service));
    return this.#checkEndpoints(service, textOf(found["name"]));
  }

  async #checkEndpoints(service: RemoteService["service"], portName: string): Promise<Finding | undefined> {
    const slices = await this.#slicesOf(service);
    if (slices.length === 0) return failed("EndpointsNotFound", messages.slicesMissing(service));
    const isReady = slices.some((slice) => hasReadyEndpoint(slice) && hasPort(slice, portName));
    return isReady ? undefined : failed("MissingEndpoints", messages.addressesMissing(service, portName));
  }

  async #slicesOf({ name, namespace }: RemoteService["service"]): Promise<JsonObject[]> {
    const { registry, store } = this.#server;
    const type = registry.find("discovery.k8s.io", "v1", "endpointslices");
    if (type === undefined) return [];
    const { entries } = await store.list(`${type.storagePrefix}${namespace}/`);
    const slices = entries.map((entry) => decodeEntry(entry, type));
    return slices.filter((slice) => labelsOf(slice)["kubernetes.io/service-name"] === name);
  }

  async #checkDiscovery(remote: RemoteService): Promise<Finding> {
    const { group, version, service } = remote;
    const target = `/apis/${group}/${version}`;
    let url = `https://${service.name}.${service.namespace}.svc:${service.port}${target}`;
    try {
      const connect = await this.#options.resolve(service);
      url = `https://${connect.host}:${connect.port}${target}`;
      const answer = await this.#options.call({
        ...addressOf(remote, connect),
        method: "GET",
        target,
        timeoutMs: CHECK_MS,
        headers: identityHeaders(KUBE_AGGREGATOR),
      });
      answer.stream.cancel();
      if (answer.status >= 200 && answer.status < 300) {
        return { status: "True", reason: "Passed", message: messages.passed() };
      }
      return failed("FailedDiscoveryCheck", messages.discoveryFailed(url, messages.badStatus(url, answer.status)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const problem = error instanceof ExtensionUnreachable ? messages.getFailed(url, error.message) : error.message;
      return failed("FailedDiscoveryCheck", messages.discoveryFailed(url, problem));
    }
  }

  async #write({ object }: RemoteService, { status, reason, message }: Finding): Promise<void> {
    const { registry, system } = this.#server;
    const type = registry.find(API_SERVICES.group, API_SERVICES.version, API_SERVICES.plural);
    const before = findCondition(object, "Available");
    const isSame = before?.["status"] === status && before["reason"] === reason && before["message"] === message;
    if (type === undefined || isSame) return;
    const condition = { type: "Available", status, reason, message } as const;
    const patch = objectOf({ status: setCondition(memberOf(object, "status"), objectOf(condition), system.now()) });
    const write = { server: this.#server, user: APISERVER, type, object, manager: "kube-apiserver" };
    await patchAs(write, patch, "status").catch((error: unknown) => {
      // It was deleted or changed meanwhile, and is checked again.
      if (!(error instanceof Error) || error.name !== "StatusError") throw error;
    });
  }
}

const failed = (reason: string, message: string): Finding => ({ status: "False", reason, message });

function hasReadyEndpoint(slice: JsonObject): boolean {
  return objectsOf(slice["endpoints"]).some((each) => memberOf(each, "conditions")["ready"] !== false);
}

function hasPort(slice: JsonObject, name: string): boolean {
  return objectsOf(slice["ports"]).some((each) => each["name"] === name && each["port"] !== undefined);
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter((each) => isObject(each)) : [];
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : Object.create(null);
}
