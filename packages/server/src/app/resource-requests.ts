/**
 * Resource requests of users who may make them. One that turns out to be heavy starts over on another thread, if there
 * is one: only that thread is busy with it, and this one serves all others.
 */
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Annotate } from "@portcullis/engine/internal/review/cluster-view";
import { findConnection, handleConnect } from "../connect/connect.ts";
import type { Call } from "../endpoints/call.ts";
import type { RequestTime } from "../endpoints/request-time.ts";
import { respondNoPage } from "../endpoints/respond.ts";
import { findRoute, handleResource } from "../endpoints/routes.ts";
import type { Warnings } from "../endpoints/warnings.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ServerContext } from "../registry/context.ts";
import { Heavy, weighHeavy, weighNothing } from "../registry/heavy.ts";
import type { WatchableStore } from "../storage/store.ts";
import { type HeavyWorker, headersOf, keepingBody } from "./heavy-requests.ts";
import { Overruns } from "./overruns.ts";

export interface ResourceRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly warnings: Warnings;
  readonly annotate: Annotate;
  readonly time: RequestTime;
  /** Whether the answer goes to the client from here, and not to another thread as a whole. */
  readonly takesStreams: boolean;
}

export interface ResourceRequestsOptions {
  readonly store: WatchableStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Comparing two versions of a CRD takes long, however small they are. */
  readonly definitionUpgrades?: unknown;
  /** Performs heavy requests; if absent, they are performed here. */
  readonly heavyWorker?: HeavyWorker | undefined;
}

export class ResourceRequests {
  readonly #server: ServerContext;
  readonly #options: ResourceRequestsOptions;
  readonly #overruns: Overruns;

  constructor(server: ServerContext, options: ResourceRequestsOptions) {
    this.#server = server;
    this.#options = options;
    this.#overruns = new Overruns(options.now);
  }

  async handle(asked: ResourceRequest): Promise<ApiResponse> {
    const { heavyWorker } = this.#options;
    if (heavyWorker === undefined) return this.#perform(asked, weighNothing);
    const request = keepingBody(asked.request);
    const factor = this.#overruns.has(asked.info) ? Number.POSITIVE_INFINITY : this.#factorOf(asked.info);
    const weigh = (size: number): void => {
      if (size === Number.POSITIVE_INFINITY) this.#overruns.add(asked.info);
      weighHeavy(size * factor);
    };
    try {
      return await this.#perform({ ...asked, request }, weigh);
    } catch (error) {
      if (!(error instanceof Heavy)) throw error;
      return this.#passOn({ ...asked, request }, heavyWorker);
    }
  }

  /** How much longer than others a write of this kind takes for its size. */
  #factorOf({ group, verb }: RequestInfo): number {
    if (group !== "apiextensions.k8s.io" || verb === "get" || verb === "list") return 1;
    return this.#options.definitionUpgrades === undefined ? CRD_FACTOR : Number.POSITIVE_INFINITY;
  }

  async #perform(asked: ResourceRequest, weigh: Call["weigh"]): Promise<ApiResponse> {
    const { info, warnings, time } = asked;
    // Only authentication and authorization accept an extra leading slash.
    if (info.path.startsWith("//")) return respondNoPage();
    const server = this.#server;
    const connection = findConnection(server.registry, info);
    const route = connection ? { endpoint: connection } : findRoute(server.registry, info, warnings.add);
    if ("response" in route) return route.response;
    const { now, store } = this.#options;
    const { request, user, annotate, takesStreams } = asked;
    const call: Call = {
      server,
      request,
      info,
      user,
      warnings,
      annotate,
      now,
      // One that another thread passed on was counted there.
      bodyRead: takesStreams ? (size) => server.metrics.bodyRead(info, size) : () => {},
      weigh,
      endpoint: route.endpoint,
      deadline: now() + time.left(),
      pause: time.pause,
      takesStreams,
      subscribe: store.watch.bind(store),
    };
    return connection === undefined ? handleResource(call) : handleConnect(call);
  }

  async #passOn({ request, user, warnings, annotate, time }: ResourceRequest, worker: HeavyWorker) {
    const { method, target } = request;
    const { status, headers, body, ...found } = await worker.perform({
      method,
      target,
      user,
      timeLeft: time.left(),
      headers: headersOf(request),
      body: WITH_BODY.has(method) ? await request.readBody(Number.POSITIVE_INFINITY) : NO_BODY,
    });
    found.warnings.forEach(warnings.add);
    for (const annotation of found.annotations) annotate(...annotation);
    return { status, headers, body };
  }
}

/** Every pattern and rule of a schema is compiled. */
const CRD_FACTOR = 4;
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const NO_BODY = new Uint8Array();
