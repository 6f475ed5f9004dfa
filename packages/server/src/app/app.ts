/**
 * The whole server as a function from requests to responses: no sockets, no files, no Node.
 *
 * Transports call `handle`; `fetch` is the same for code that uses the fetch API.
 */

import { type KubernetesVersion, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { type StandardKindOptions, standardKinds } from "@portcullis/engine/internal/review/kinds/standard";
import { forbiddenTo } from "@portcullis/engine/internal/review/refusal";
import { trackedFields } from "@portcullis/engine/internal/review/tracked-fields";
import {
  StatusError,
  serverTimeout,
  serviceUnavailable,
  timeout,
  unauthorized,
} from "@portcullis/engine/internal/status/error";
import { attributesOf } from "../auth/authorize.ts";
import { impersonate } from "../auth/impersonate.ts";
import { Security } from "../auth/security.ts";
import type { TokenDocument } from "../auth/token-authority.ts";
import { componentStatusType } from "../components/statuses.ts";
import { findConnection, handleConnect } from "../connect/connect.ts";
import { addPodSubresources } from "../connect/pod-subresources.ts";
import { bootstrap } from "../controllers/bootstrap.ts";
import { type ControllerName, enabledControllers } from "../controllers/controller-names.ts";
import { DefinitionController } from "../controllers/crd-controller.ts";
import { GarbageCollector } from "../controllers/garbage/garbage-collector.ts";
import { IpAddresses } from "../controllers/ip-addresses.ts";
import { NamespaceController } from "../controllers/namespace-controller.ts";
import { createPriorityClasses } from "../controllers/priority-classes.ts";
import { QuotaController } from "../controllers/quota/quota-controller.ts";
import { storeQuotaUsed } from "../controllers/quota/quota-used.ts";
import { ServiceAddresses } from "../controllers/service-addresses.ts";
import { type CallWebhook, WebhookUnreachable } from "../conversion/call-webhook.ts";
import { noWebhooks } from "../conversion/messages.ts";
import { serviceResolver } from "../conversion/services.ts";
import { respondIndex } from "../discovery/index-page.ts";
import { Discovery } from "../discovery/serve.ts";
import { versionDocument } from "../discovery/version.ts";
import type { Call } from "../endpoints/call.ts";
import { fromFetch, toFetch } from "../endpoints/fetch.ts";
import { isHealthPath, respondHealth } from "../endpoints/health.ts";
import * as messages from "../endpoints/messages.ts";
import { checkMediaTypes, negotiateError } from "../endpoints/negotiate.ts";
import { RequestTime, slicer } from "../endpoints/request-time.ts";
import {
  COMMON_HEADERS,
  encode,
  PLAIN,
  respondError,
  respondNoPage,
  respondObject,
  respondText,
} from "../endpoints/respond.ts";
import { findRoute, generic, handleResource } from "../endpoints/routes.ts";
import { Warnings } from "../endpoints/warnings.ts";
import { FlowControl } from "../flow/flow-control.ts";
import { type ApiRequest, type ApiResponse, ClientGone } from "../http/exchange.ts";
import { type RequestInfo, readRequestInfo } from "../http/request-info.ts";
import { Observer, type Trace } from "../observe/observer.ts";
import { ServerMetrics } from "../observe/server-metrics.ts";
import { schemaPublisher } from "../openapi/publisher.ts";
import { OpenApi } from "../openapi/serve.ts";
import { MUTATING, PolicyCatalog, VALIDATING } from "../policy/catalog.ts";
import { TypeCheckController } from "../policy/type-check.ts";
import type { ServerContext } from "../registry/context.ts";
import { Registry } from "../registry/registry.ts";
import { storeReader } from "../registry/store-reader.ts";
import { Followers } from "../storage/followers.ts";
import { StoreUnavailable } from "../storage/unavailable.ts";
import { admissionCaller } from "../webhooks/call.ts";
import { WebhookCatalog } from "../webhooks/catalog.ts";
import { admissionPlugins } from "./admission.ts";
import type { AppOptions } from "./options.ts";
import { startStaticAdmission } from "./static-admission.ts";

/** The parts that are created before the app. */
interface Parts {
  readonly security: Security;
  readonly policies: PolicyCatalog;
  readonly addresses: ServiceAddresses;
}

const DEFAULT_PORT = 6443;
/** How long requests wait for up-to-date copies of the store. */
const SYNC_MS = 10_000;

const REQUEST_MS = 60_000;
const GARBAGE_MS = 2_000;
/** kube-apiserver's 400 readers and 200 writers. */
const INFLIGHT = 600;

const noCalls: CallWebhook = async () => {
  throw new WebhookUnreachable(noWebhooks());
};

/** The API server without a listener: it answers requests given to it in memory. */
export class App {
  readonly #options: AppOptions;
  readonly #server: ServerContext;
  readonly #discovery: Discovery;
  readonly #openapi: OpenApi;
  readonly #definitions: DefinitionController;
  readonly #controllers: ReadonlySet<ControllerName>;
  readonly #namespaces: NamespaceController;
  readonly #garbage: GarbageCollector;
  readonly #quotas: QuotaController;
  readonly #typeChecks: TypeCheckController;
  readonly #flows: FlowControl;
  readonly #ipAddresses: IpAddresses;
  readonly #security: Security;
  readonly #observer: Observer;
  readonly #version: KubernetesVersion;
  readonly #addresses: ServiceAddresses;
  #isStopping = false;
  #staticAdmission: { close(): void } | undefined;

  private constructor(
    options: AppOptions,
    server: ServerContext,
    engine: EngineOptions,
    { security, policies, addresses }: Parts,
  ) {
    this.#options = options;
    this.#server = server;
    this.#security = security;
    this.#addresses = addresses;
    this.#observer = new Observer({
      ...{ registry: server.registry, metrics: server.metrics, audit: options.audit, log: options.log },
      ...{ now: options.now, uid: options.system.uid },
    });
    this.#version = engine.version;
    this.#discovery = new Discovery(server.registry);
    const turns = { clock: () => performance.now(), yieldTurn: options.yieldTurn ?? yieldByTimer };
    const publisher = options.publisher ?? schemaPublisher(engine.version);
    this.#openapi = new OpenApi(server.registry, publisher, { now: options.now, newPause: () => slicer(turns) });
    const webhooks = {
      call: options.callWebhook ?? noCalls,
      resolve: serviceResolver(server.store, server.registry, options.services ?? new Map()),
      uid: options.system.uid,
      metrics: server.metrics.conversions,
    };
    this.#definitions = new DefinitionController(server, { engine, webhooks });
    this.#controllers = enabledControllers(options.controllers ?? ["*"]);
    this.#namespaces = new NamespaceController(server, {
      empties: this.#controllers.has("namespace-controller"),
      createsAccounts: this.#controllers.has("serviceaccount-controller"),
      rootCertificate: this.#controllers.has("root-ca-certificate-publisher-controller")
        ? options.rootCertificate
        : undefined,
    });
    this.#garbage = new GarbageCollector(server, options.garbageCollectionDelay ?? GARBAGE_MS);
    this.#quotas = new QuotaController(server);
    this.#typeChecks = new TypeCheckController(server, publisher, policies, engine.version);
    const { maxRequestsInflight = INFLIGHT, requestTimeout = REQUEST_MS } = options;
    this.#flows = new FlowControl(server, { seats: maxRequestsInflight, patience: requestTimeout / 4 });
    this.#ipAddresses = new IpAddresses(server, addresses);
  }

  /** Opens a server that is ready to serve requests. */
  static async open(options: AppOptions): Promise<App> {
    const metrics = new ServerMetrics(() => performance.now() / 1000);
    const engine: EngineOptions = {
      version: options.version ?? SERVER_VERSION,
      gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true, ...options.gates },
      times: metrics.cel,
    };
    const registry = new Registry();
    const addresses = new ServiceAddresses(options.serviceRange, options.nodePortRange);
    const { store } = options;
    const followers = new Followers(store, options.followers);
    const mutatingWebhooks = new WebhookCatalog({ store, followers }, "mutatingwebhookconfigurations");
    const validatingWebhooks = new WebhookCatalog({ store, followers }, "validatingwebhookconfigurations");
    const policies = new PolicyCatalog({ store, followers }, VALIDATING);
    const mutatingPolicies = new PolicyCatalog({ store, followers }, MUTATING);
    addStandardKinds(registry, options, { engine, addresses });
    registry.add(componentStatusType(store, options.checkComponent));
    const security = new Security({
      ...{ store, followers, registry, authenticators: options.authenticators },
      ...{ authorizers: options.authorizers ?? [], tokenKey: options.tokenKey },
      ...{ tokenIssuers: options.tokenIssuers, apiAudiences: options.apiAudiences },
      allowsAnonymous: options.allowsAnonymous ?? true,
      ...{ now: options.now, uid: options.system.uid },
    });
    const { now } = options;
    const { version } = engine;
    const resolve = serviceResolver(store, registry, options.services ?? new Map());
    const call = admissionCaller({ call: options.callWebhook ?? noCalls, resolve });
    const webhooks = { version, call, now, observer: metrics.webhooks };
    const server: ServerContext = {
      store,
      followers,
      registry,
      kinds: registry,
      ...storeReader(options.store),
      system: options.system,
      admission: admissionPlugins({
        options,
        engine,
        metrics,
        security,
        policies,
        mutatingPolicies,
        mutatingWebhooks,
        validatingWebhooks,
        webhooks,
        storeQuotaUsed: (quota, used) => storeQuotaUsed(server, quota, used),
      }),
      fieldManager: options.fieldManager ?? trackedFields(options.system.now),
      authorizer: security.authorizer,
      metrics,
      onDefect: options.onDefect ?? (() => {}),
    };
    addPodSubresources(server);
    options.faults?.attach(registry);
    const app = new App(options, server, engine, { security, policies, addresses });
    await addresses.start(followers);
    await policies.start(registry);
    await mutatingPolicies.start(registry);
    await mutatingWebhooks.start(registry);
    await validatingWebhooks.start(registry);
    const catalogs = { policies, mutatingPolicies, mutatingWebhooks, validatingWebhooks };
    app.#staticAdmission = await startStaticAdmission({ options, engine, server, ...catalogs });
    await app.#start();
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
    const warnings = new Warnings();
    const info = readRequestInfo(request.method, request.target);
    const trace = this.#observer.begin(request, info);
    const response = await this.#answer(info, warnings, trace);
    const audit = ["Audit-Id", trace.id] as const;
    return trace.finish({ ...response, headers: [audit, ...trace.headers, ...response.headers, ...warnings.headers] });
  }

  /** Resolves when the effects of writes are complete: CRDs established, namespaces populated or emptied. */
  async settled(): Promise<void> {
    await this.#definitions.settled();
    await this.#namespaces.settled();
    await this.#typeChecks.settled();
    await this.#flows.settled();
    await this.#ipAddresses.settled();
    await this.#garbage.settled();
    await this.#quotas.settled();
  }

  /** Reports that it is not ready from now on, and continues to serve requests. */
  beginStop(): void {
    this.#isStopping = true;
  }

  async close(): Promise<void> {
    this.#server.followers.close();
    this.#staticAdmission?.close();
    for (const each of [
      ...[this.#definitions, this.#namespaces, this.#flows],
      ...[this.#ipAddresses, this.#garbage, this.#quotas],
    ])
      each.close();
    await this.#options.store.close();
  }

  async #start(): Promise<void> {
    await this.#definitions.start();
    await this.#namespaces.start();
    if (this.#controllers.has("validatingadmissionpolicy-status-controller")) this.#typeChecks.start();
    await this.#security.start(this.#server);
    const { servicePort: port = DEFAULT_PORT, advertiseAddress: address } = this.#options;
    await bootstrap(this.#server, { clusterIp: this.#addresses.own, port, address });
    await createPriorityClasses(this.#server);
    await this.#flows.start();
    await this.#ipAddresses.start();
    if (this.#controllers.has("garbage-collector-controller")) await this.#garbage.start();
    if (this.#controllers.has("resourcequota-controller")) await this.#quotas.start();
    await this.settled();
  }

  async #answer(info: RequestInfo | undefined, warnings: Warnings, trace: Trace): Promise<ApiResponse> {
    const { request } = trace;
    if (info === undefined) return respondText(400, "400 Bad Request");
    try {
      const time = this.#timeOf(info);
      return await time.limit(this.#perform(info, warnings, trace, time));
    } catch (error) {
      const told = error instanceof StoreUnavailable ? storageRefusal(error, info) : error;
      if (!(told instanceof StatusError) && !(told instanceof ClientGone)) this.#server.onDefect(error);
      return respondError(told, negotiateError(request, info));
    }
  }

  #timeOf(info: RequestInfo): RequestTime {
    const { requestTimeout = REQUEST_MS, yieldTurn = yieldByTimer } = this.#options;
    return new RequestTime(info, { requestTimeout, yieldTurn, clock: () => performance.now() });
  }

  async #perform(info: RequestInfo, warnings: Warnings, trace: Trace, time: RequestTime): Promise<ApiResponse> {
    await this.#synced(info);
    const user = await this.#identify(info, trace);
    const flow = this.#flows.classify(info, user);
    trace.headers = flow?.headers ?? [];
    return this.#flows.run(flow, { info, user }, async () => {
      await this.#authorize(info, user, trace);
      await this.#options.faults?.apply(info);
      return info.isResource ? this.#resource(trace, info, { user, warnings, time }) : this.#other(trace.request, info);
    });
  }

  /** Requests are not decided with stale data (roles, policies, CRDs). Health endpoints are served anyway. */
  async #synced({ isResource, path }: RequestInfo): Promise<void> {
    const { followers } = this.#server;
    if (!isResource && isHealthPath(path)) return;
    const isSynced = await (isResource ? followers.current(SYNC_MS) : followers.synced(SYNC_MS));
    if (!isSynced) throw serviceUnavailable(messages.notReady());
  }

  /** Authenticates the request. */
  async #identify(info: RequestInfo, trace: Trace): Promise<User> {
    const { request } = trace;
    const requester = await this.#security.authority.authenticate(request);
    trace.authenticated(requester && attributesOf(info, requester));
    if (requester === undefined) throw unauthorized("Unauthorized");
    const { user } = await impersonate(request, attributesOf(info, requester), this.#server.authorizer);
    return user;
  }

  async #authorize(info: RequestInfo, user: User, trace: Trace): Promise<void> {
    const attributes = attributesOf(info, user);
    const { verdict, reason } = await this.#server.authorizer(attributes);
    trace.authorized(user, verdict === "allow", reason);
    if (verdict !== "allow") throw forbiddenTo(attributes, reason);
  }

  async #resource(
    trace: Trace,
    info: RequestInfo,
    { user, warnings, time }: Pick<Call, "user" | "warnings"> & { readonly time: RequestTime },
  ): Promise<ApiResponse> {
    // Only authentication and authorization accept an extra leading slash.
    if (info.path.startsWith("//")) return respondNoPage();
    const connection = findConnection(this.#server.registry, info);
    const route = connection ? { endpoint: connection } : findRoute(this.#server.registry, info, warnings.add);
    if ("response" in route) return route.response;
    const { now, store } = this.#options;
    const subscribe = store.watch.bind(store);
    const { request, annotate } = trace;
    const { endpoint } = route;
    const { pause } = time;
    const deadline = now() + time.left();
    const context = { server: this.#server, annotate, deadline, now, subscribe, pause };
    const call: Call = { ...context, request, info, user, endpoint, warnings };
    return connection === undefined ? handleResource(call) : handleConnect(call);
  }

  async #other(request: ApiRequest, info: RequestInfo): Promise<ApiResponse> {
    const path = info.path.replace(/\/+$/, "");
    if (path === "/version") {
      if (info.verb !== "get") throw generic(405, "MethodNotAllowed", messages.methodNotAllowed());
      checkMediaTypes(request, ["application/json"]);
      return respondObject(200, versionDocument(this.#version), { ...PLAIN, isPretty: true });
    }
    if (path === "/metrics") return respondMetrics(this.#server.metrics.text());
    const document = this.#security.authority.document(path);
    if (document !== undefined) return respondTokenDocument(request, document);
    const { store, followers, registry } = this.#server;
    return (
      respondIndex(info.path, registry, this.#options.tokenKey !== undefined) ??
      (await respondHealth(info, { store, followers, isStopping: () => this.#isStopping })) ??
      (await this.#openapi.serve(request, info)) ??
      (await this.#discovery.serve(request, info)) ??
      respondNoPage()
    );
  }
}

/** Clients may cache the keys for checking tokens for an hour. */
function respondTokenDocument({ method }: ApiRequest, { type, value }: TokenDocument): ApiResponse {
  if (method !== "GET") throw generic(405, "MethodNotAllowed", messages.methodNotAllowed());
  const headers = [["Cache-Control", "public, max-age=3600"] as const, ["Content-Type", type] as const];
  return { status: 200, headers, body: encode(value, PLAIN).trimEnd() };
}

/** The content type includes the version of the format. */
function respondMetrics(body: string): ApiResponse {
  return {
    status: 200,
    headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"]],
    body,
  };
}

const RETRY_SECONDS = 2;

/**
 * A request that certainly had no effect may be retried, and clients do so if the response has a Retry-After header. If
 * the outcome of a write is unknown, only its client can decide what to do.
 */
function storageRefusal({ definite }: StoreUnavailable, { group, resource, verb }: RequestInfo): StatusError {
  return definite ? serverTimeout({ group, resource }, verb, RETRY_SECONDS) : timeout(messages.tooLate(), 0);
}

function addStandardKinds(registry: Registry, { servesResource }: AppOptions, parts: StandardKindOptions): void {
  for (const kind of standardKinds(parts)) {
    const isNeeded = kind.plural === "namespaces" || kind.plural === "customresourcedefinitions";
    if (isNeeded || (servesResource?.(kind.group, kind.version, kind.plural) ?? true)) registry.add(kind);
  }
}

const yieldByTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
