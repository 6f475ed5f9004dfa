/**
 * The whole server as a function from requests to responses: no sockets, no files, no Node.
 *
 * Transports call `handle`; `fetch` is the same for code that uses the fetch API.
 */

import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Annotate } from "@portcullis/engine/internal/review/cluster-view";
import { forbiddenTo } from "@portcullis/engine/internal/review/refusal";
import { serviceUnavailable, unauthorized } from "@portcullis/engine/internal/status/error";
import { Aggregator } from "../aggregation/aggregator.ts";
import { hasMisplacedToken } from "../auth/authenticate.ts";
import { attributesOf } from "../auth/authorize.ts";
import { impersonate } from "../auth/impersonate.ts";
import { spaceBeforeToken } from "../auth/messages.ts";
import type { Security } from "../auth/security.ts";
import { serviceResolver } from "../conversion/services.ts";
import { fromFetch, toFetch } from "../endpoints/fetch.ts";
import { isHealthPath } from "../endpoints/health.ts";
import * as messages from "../endpoints/messages.ts";
import { type Pause, RequestTime, slicer, type TimeOptions } from "../endpoints/request-time.ts";
import { InternalText, respondText } from "../endpoints/respond.ts";
import { Warnings } from "../endpoints/warnings.ts";
import { InflightLimit } from "../flow/inflight-limit.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import { type RequestInfo, readRequestInfo } from "../http/request-info.ts";
import { mergeMetrics } from "../observe/merge-metrics.ts";
import { Observer, type Trace } from "../observe/observer.ts";
import { schemaPublisher } from "../openapi/publisher.ts";
import { OpenApi } from "../openapi/serve.ts";
import type { ServerContext } from "../registry/context.ts";
import { followAuthorization } from "./authorization.ts";
import { type AppParts, newAppParts } from "./context.ts";
import { Controllers } from "./controllers.ts";
import { type HeavyAnswer, type HeavyRequest, requestOf, wholeBody } from "./heavy-requests.ts";
import { countObjects } from "./object-metrics.ts";
import type { AppOptions } from "./options.ts";
import { Pages } from "./pages.ts";
import { refuse } from "./refusals.ts";
import { ResourceRequests } from "./resource-requests.ts";
import { startStaticAdmission } from "./static-admission.ts";
import { isLong, LONG_HEADS, Turns } from "./turns.ts";

/** How long requests wait for up-to-date copies of the store. */
const SYNC_MS = 10_000;

const REQUEST_MS = 60_000;

/** Verbs whose requests begin at once, also in a turn that has been long. */
const SHORT: ReadonlySet<string> = new Set(["get", "watch"]);

/** A request that has its turn. */
interface Admitted {
  readonly info: RequestInfo;
  readonly user: User;
  readonly warnings: Warnings;
  readonly trace: Trace;
  readonly time: RequestTime;
}

/**
 * The API server without a listener: it answers requests given to it in memory.
 * @example
 * const app = await App.open({ store: new MemoryStore(), system: nodeSystem, now: Date.now, authenticators: [] });
 * const response = await app.fetch(new Request("http://localhost/readyz"));
 * response.status; // 200
 * await app.close();
 */
export class App {
  readonly #options: AppOptions;
  readonly #server: ServerContext;
  readonly #controllers: Controllers;
  readonly #pages: Pages;
  readonly #security: Security;
  readonly #observer: Observer;
  readonly #resources: ResourceRequests;
  readonly #aggregator: Aggregator;
  readonly #turns: Turns;
  /** Undefined if there are priority levels instead. */
  readonly #inflight: InflightLimit | undefined;
  #isStopping = false;
  #staticAdmission: { close(): void } | undefined;
  #authorizationReload: { close(): void } | undefined;

  private constructor(options: AppOptions, { server, engine, security, addresses, catalogs, callWebhook }: AppParts) {
    this.#options = options;
    this.#server = server;
    this.#security = security;
    this.#resources = new ResourceRequests(server, options);
    const { audit, log, tracing, now, yieldTurn = yieldByTimer } = options;
    const { registry, metrics } = server;
    this.#observer = new Observer({ registry, metrics, audit, log, tracing, now, uid: options.system.uid });
    const { version } = engine;
    const { publisher = schemaPublisher(version) } = options;
    this.#turns = new Turns(yieldTurn);
    this.#inflight = options.inflightLimits && new InflightLimit(options.inflightLimits);
    const newPause = this.#newPause;
    const { services: book = new Map() } = options;
    const resolve = serviceResolver(server.store, registry, book);
    const aggregator = new Aggregator(server, { call: options.callExtension, resolve, book });
    this.#aggregator = aggregator;
    this.#pages = new Pages(server, {
      options,
      version,
      security,
      extensions: aggregator,
      openapi: new OpenApi(registry, publisher, { now, newPause, extensions: aggregator }),
      newPause,
      isStopping: () => this.#isStopping,
      metrics: () => this.#allMetrics(),
    });
    const { policies } = catalogs;
    this.#controllers = new Controllers(server, {
      options,
      engine,
      policies,
      addresses,
      security,
      publisher,
      callWebhook,
      newPause,
      nextTurn: yieldTurn,
      aggregator,
    });
  }

  /** Opens a server that is ready to serve requests. */
  static async open(options: AppOptions): Promise<App> {
    const parts = newAppParts(options);
    const { server, engine, chain, addresses, catalogs } = parts;
    const app = new App(options, parts);
    await addresses.start(
      server.followers,
      server.registry.find("networking.k8s.io", "v1", "servicecidrs") !== undefined,
    );
    for (const catalog of Object.values(catalogs)) await catalog.start(server.registry);
    app.#staticAdmission = await startStaticAdmission({ options, engine, server, ...catalogs });
    app.#authorizationReload = followAuthorization(options, chain, server);
    await app.#controllers.start();
    return app;
  }

  /** For other components in the process: policies, controllers, tests. */
  get context(): ServerContext {
    return this.#server;
  }

  async fetch(request: Request): Promise<Response> {
    return toFetch(await this.handle(fromFetch(request)));
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    if (isLong(request)) await this.#turns.wait(LONG_HEADS);
    const warnings = new Warnings();
    const info = readRequestInfo(request.method, request.target);
    const trace = this.#observer.begin(request, info);
    const response = await this.#answer(info, warnings, trace);
    const { transportSecurity } = this.#options;
    const own = [
      ["Audit-Id", trace.id] as const,
      ...(transportSecurity === undefined ? [] : [["Strict-Transport-Security", transportSecurity] as const]),
    ];
    return trace.finish({ ...response, headers: [...own, ...trace.headers, ...response.headers, ...warnings.headers] });
  }

  /** Performs a request that another thread passed on. It was authorized there. */
  async performHeavy(heavy: HeavyRequest): Promise<HeavyAnswer> {
    const [request, warnings, annotations] = [requestOf(heavy), new Warnings(), [] as Parameters<Annotate>[]];
    const info = readRequestInfo(heavy.method, heavy.target);
    if (info === undefined) throw new Error("a heavy request has no path");
    const time = this.#timeOf(info, heavy.timeLeft);
    const annotate: Annotate = (...annotation) => void annotations.push(annotation);
    const performed = this.#synced(info).then(() =>
      this.#resources.handle({ request, info, user: heavy.user, warnings, annotate, time, takesStreams: false }),
    );
    const response = await time.limit(performed).catch((error) => refuse(error, request, info, this.#server.onDefect));
    const { status, headers } = response;
    return { status, headers, body: wholeBody(response), warnings: warnings.texts, annotations };
  }

  /** Resolves when the effects of writes are complete: CRDs established, namespaces populated or emptied. */
  settled(): Promise<void> {
    return this.#controllers.settled();
  }

  /** In the text format of Prometheus, those of the thread for heavy requests included. */
  async metrics(): Promise<string> {
    const elsewhere = await this.#options.heavyWorker?.metrics();
    // Only one of several threads or processes of a server counts them.
    if (this.#server.leadership.canLead) await countObjects(this.#server, this.#newPause()).catch(() => {});
    const own = this.#server.metrics.text();
    return elsewhere === undefined ? own : mergeMetrics([own, elsewhere]);
  }

  async #allMetrics(): Promise<string> {
    const { moreMetrics } = this.#options;
    return moreMetrics === undefined ? this.metrics() : mergeMetrics([await this.metrics(), ...(await moreMetrics())]);
  }

  /** Reports that it is not ready from now on, and continues to serve requests. */
  beginStop(): void {
    this.#isStopping = true;
  }

  async close(): Promise<void> {
    await this.#server.leadership.stop?.();
    this.#server.followers.close();
    this.#staticAdmission?.close();
    this.#authorizationReload?.close();
    this.#controllers.close();
    await this.#options.store.close();
  }

  async #answer(info: RequestInfo | undefined, warnings: Warnings, trace: Trace): Promise<ApiResponse> {
    const { request } = trace;
    if (info === undefined) return respondText(400, "400 Bad Request");
    try {
      const time = this.#timeOf(info);
      return await time.limit(this.#perform(info, warnings, trace, time));
    } catch (error) {
      return refuse(error, request, info, this.#server.onDefect);
    }
  }

  readonly #newPause = (): Pause => slicer(this.#turnOptions());

  #timeOf(info: RequestInfo, limit?: number): RequestTime {
    const requestTimeout = limit ?? this.#options.requestTimeout ?? REQUEST_MS;
    return new RequestTime(info, { requestTimeout, ...this.#turnOptions() });
  }

  #turnOptions(): Omit<TimeOptions, "requestTimeout"> {
    return {
      clock: () => performance.now(),
      yieldTurn: (flow, slices) => this.#turns.wait(flow, slices),
      turnBegan: () => this.#turns.began,
    };
  }

  async #perform(info: RequestInfo, warnings: Warnings, trace: Trace, time: RequestTime): Promise<ApiResponse> {
    await this.#synced(info);
    if (hasMisplacedToken(trace.request)) warnings.add(spaceBeforeToken());
    const user = await this.#identify(info, trace, warnings);
    const work = (): Promise<ApiResponse> => this.#handle({ info, user, warnings, trace, time });
    time.flow = user.name;
    if (this.#inflight !== undefined) return this.#inflight.run(info, user, work);
    const { flows } = this.#controllers;
    const flow = flows.classify(info, user);
    trace.headers = flow?.headers ?? [];
    if (flow !== undefined) time.flow = `${flow.schema}\0${flow.distinguish(info, user)}`;
    return flows.run(flow, { info, user, patience: time.patience }, work);
  }

  async #handle({ info, user, warnings, trace, time }: Admitted): Promise<ApiResponse> {
    await this.#authorize(info, user, trace);
    await this.#options.faults?.apply(info);
    const { request, annotate } = trace;
    const proxied = this.#aggregator.answer({ request, info, user, auditId: trace.id });
    if (proxied !== undefined) return proxied;
    if (!info.isResource) return this.#pages.handle(request, info, time);
    if (!SHORT.has(info.verb) || isLong(request)) await this.#turns.begin(time.flow);
    return this.#resources.handle({ request, info, user, warnings, annotate, time, takesStreams: true });
  }

  /** Requests are not decided with stale data (roles, policies, CRDs). Health endpoints are served anyway. */
  async #synced({ isResource, path }: RequestInfo): Promise<void> {
    const { followers } = this.#server;
    if (!isResource && isHealthPath(path)) return;
    const isSynced = await (isResource ? followers.current(SYNC_MS) : followers.synced(SYNC_MS));
    if (!isSynced) throw serviceUnavailable(messages.notReady());
  }

  /** Authenticates the request. */
  async #identify(info: RequestInfo, trace: Trace, warnings: Warnings): Promise<User> {
    const { request } = trace;
    const { metrics } = this.#server;
    const start = metrics.clock();
    const { authority, isImpersonationConstrained: isConstrained } = this.#security;
    const requester = await authority.authenticate(request, { warn: warnings.add, annotate: trace.annotate });
    metrics.access.authentication(requester?.name, metrics.clock() - start);
    const { expires } = request.peer ?? {};
    if (expires !== undefined) metrics.access.certificate((expires - this.#options.now()) / 1000);
    trace.authenticated(requester && attributesOf(info, requester));
    if (requester === undefined) throw unauthorized("Unauthorized");
    const attributes = attributesOf(info, requester);
    const { user, constraint } = await impersonate(request, attributes, this.#server.authorizer, isConstrained);
    trace.impersonatedBy(constraint);
    return user;
  }

  async #authorize(info: RequestInfo, user: User, trace: Trace): Promise<void> {
    const attributes = attributesOf(info, user);
    const { authorizer, metrics } = this.#server;
    const start = metrics.clock();
    const { verdict, reason, error } = await authorizer(attributes);
    const isFailed = verdict !== "allow" && error !== undefined;
    metrics.access.authorization(verdict === "allow", metrics.clock() - start);
    trace.authorized(user, verdict === "allow", isFailed ? AUTHORIZATION_ERROR : reason);
    if (isFailed) throw new InternalText(trace.request.target, error);
    if (verdict === "allow") return;
    trace.headers = [...trace.headers, NO_SNIFFING];
    throw forbiddenTo(attributes, reason);
  }
}

const NO_SNIFFING = ["X-Content-Type-Options", "nosniff"] as const;

/** The reason in the audit log where no authorizer could decide. */
const AUTHORIZATION_ERROR = "internal error";

const yieldByTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
