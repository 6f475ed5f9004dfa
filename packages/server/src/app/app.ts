/**
 * The whole server as a function from requests to responses: no sockets, no files, no Node.
 *
 * Transports call `handle`; `fetch` is the same for code that uses the fetch API.
 */

import { type KubernetesVersion, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Annotate } from "@portcullis/engine/internal/review/cluster-view";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { kindOfServer } from "@portcullis/engine/internal/review/kinds/server-kind";
import { type StandardKindOptions, standardKinds } from "@portcullis/engine/internal/review/kinds/standard";
import { forbiddenTo } from "@portcullis/engine/internal/review/refusal";
import { trackedFields } from "@portcullis/engine/internal/review/tracked-fields";
import { serviceUnavailable, unauthorized } from "@portcullis/engine/internal/status/error";
import { Aggregator } from "../aggregation/aggregator.ts";
import { attributesOf } from "../auth/authorize.ts";
import { createBootstrapRoles } from "../auth/bootstrap-roles.ts";
import { impersonate } from "../auth/impersonate.ts";
import { Security } from "../auth/security.ts";
import type { TokenDocument } from "../auth/token-authority.ts";
import { componentStatusType } from "../components/statuses.ts";
import { addPodSubresources } from "../connect/pod-subresources.ts";
import { bootstrap, createNamespace } from "../controllers/bootstrap.ts";
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
import { fromFetch, toFetch } from "../endpoints/fetch.ts";
import { isHealthPath, respondHealth } from "../endpoints/health.ts";
import * as messages from "../endpoints/messages.ts";
import { checkMediaTypes } from "../endpoints/negotiate.ts";
import { respondProfile } from "../endpoints/profile.ts";
import { RequestTime, slicer } from "../endpoints/request-time.ts";
import { COMMON_HEADERS, encode, PLAIN, respondNoPage, respondObject, respondText } from "../endpoints/respond.ts";
import { generic } from "../endpoints/routes.ts";
import { Warnings } from "../endpoints/warnings.ts";
import { FlowControl } from "../flow/flow-control.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import { type RequestInfo, readRequestInfo } from "../http/request-info.ts";
import { mergeMetrics } from "../observe/merge-metrics.ts";
import { Observer, type Trace } from "../observe/observer.ts";
import { ServerMetrics } from "../observe/server-metrics.ts";
import { schemaPublisher } from "../openapi/publisher.ts";
import { OpenApi } from "../openapi/serve.ts";
import { MUTATING, PolicyCatalog, VALIDATING } from "../policy/catalog.ts";
import { TypeCheckController } from "../policy/type-check.ts";
import type { ServerContext } from "../registry/context.ts";
import { ALWAYS, type Leadership } from "../registry/leadership.ts";
import { LeaseLeadership } from "../registry/lease-leadership.ts";
import { Registry } from "../registry/registry.ts";
import { storeReader } from "../registry/store-reader.ts";
import { Followers } from "../storage/followers.ts";
import { admissionCaller } from "../webhooks/call.ts";
import { WebhookCatalog } from "../webhooks/catalog.ts";
import type { WebhookCredentials } from "../webhooks/credentials.ts";
import { admissionPlugins } from "./admission.ts";
import { type HeavyAnswer, type HeavyRequest, requestOf, wholeBody } from "./heavy-requests.ts";
import type { AppOptions } from "./options.ts";
import { refuse } from "./refusals.ts";
import { ResourceRequests } from "./resource-requests.ts";
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
  readonly #resources: ResourceRequests;
  readonly #aggregator: Aggregator;
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
    this.#resources = new ResourceRequests(server, options);
    this.#observer = new Observer({
      ...{ registry: server.registry, metrics: server.metrics, audit: options.audit, log: options.log },
      ...{ now: options.now, uid: options.system.uid },
    });
    this.#version = engine.version;
    const book = options.services ?? new Map();
    const resolve = serviceResolver(server.store, server.registry, book);
    this.#aggregator = new Aggregator(server, { call: options.callExtension, resolve, book });
    this.#discovery = new Discovery(server.registry, this.#aggregator);
    const turns = { clock: () => performance.now(), yieldTurn: options.yieldTurn ?? yieldByTimer };
    const publisher = options.publisher ?? schemaPublisher(engine.version);
    this.#openapi = new OpenApi(server.registry, publisher, {
      now: options.now,
      newPause: () => slicer(turns),
      extensions: this.#aggregator,
    });
    const webhooks = {
      call: options.callWebhook ?? noCalls,
      resolve,
      uid: options.system.uid,
      metrics: server.metrics.conversions,
    };
    const newPause = (): ReturnType<typeof slicer> => slicer(turns);
    this.#definitions = new DefinitionController(server, { engine, webhooks, newPause });
    this.#controllers = enabledControllers(options.controllers ?? ["*"]);
    this.#namespaces = new NamespaceController(server, {
      empties: this.#controllers.has("namespace-controller"),
      createsAccounts: this.#controllers.has("serviceaccount-controller"),
      rootCertificate: this.#controllers.has("root-ca-certificate-publisher-controller")
        ? options.rootCertificate
        : undefined,
    });
    this.#garbage = new GarbageCollector(server);
    this.#quotas = new QuotaController(server);
    this.#typeChecks = new TypeCheckController(server, publisher, policies, engine.version);
    const { maxRequestsInflight = INFLIGHT, requestTimeout = REQUEST_MS } = options;
    this.#flows = new FlowControl(server, { seats: maxRequestsInflight, patience: requestTimeout / 4 });
    this.#ipAddresses = new IpAddresses(server, addresses);
  }

  /** Opens a server that is ready to serve requests. */
  static async open(options: AppOptions): Promise<App> {
    const metrics = new ServerMetrics(() => performance.now() / 1000);
    if (options.processUsage !== undefined) metrics.addProcess(options.processUsage);
    const engine: EngineOptions = {
      version: options.version ?? SERVER_VERSION,
      gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true, ...options.gates },
      featureGates: options.featureGates,
      times: metrics.cel,
    };
    const registry = new Registry();
    const addresses = new ServiceAddresses(options.serviceRange, options.nodePortRange);
    const { store } = options;
    const followers = new Followers(store, options.followers);
    const catalogs = newCatalogs({ store, followers });
    const { policies } = catalogs;
    addStandardKinds(registry, options, { engine, addresses });
    registry.add(kindOfServer(componentStatusType(store, options.checkComponent), engine));
    const security = newSecurity(options, { followers, registry, rules: engine });
    const { now } = options;
    const { version } = engine;
    const resolve = serviceResolver(store, registry, options.services ?? new Map());
    const webhooksFor = (plugin: keyof WebhookCredentials) => {
      const credentials = options.webhookCredentials?.[plugin];
      const call = admissionCaller({ call: options.callWebhook ?? noCalls, resolve, credentials });
      return { version, call, now, observer: metrics.webhooks };
    };
    const webhooks = { mutating: webhooksFor("mutating"), validating: webhooksFor("validating") };
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
        ...catalogs,
        webhooks,
        createNamespace: (name) => createNamespace(server, name),
        storeQuotaUsed: (quota, used) => storeQuotaUsed(server, quota, used),
      }),
      fieldManager: options.fieldManager ?? trackedFields(options.system.now),
      authorizer: security.authorizer,
      metrics,
      leadership: options.leadership ?? leadershipFor(options),
      onDefect: options.onDefect ?? (() => {}),
    };
    addPodSubresources(server);
    options.faults?.attach(registry);
    const app = new App(options, server, engine, { security, policies, addresses });
    await addresses.start(followers);
    for (const catalog of Object.values(catalogs)) await catalog.start(registry);
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
      this.#resources.handle({ request, info, user: heavy.user, warnings, annotate, time }),
    );
    const response = await time.limit(performed).catch((error) => refuse(error, request, info, this.#server.onDefect));
    const { status, headers } = response;
    return { status, headers, body: wholeBody(response), warnings: warnings.texts, annotations };
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
    await this.#aggregator.settled();
  }

  /** In the text format of Prometheus, those of the thread for heavy requests included. */
  async metrics(): Promise<string> {
    const elsewhere = await this.#options.heavyWorker?.metrics();
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
    for (const each of [
      ...[this.#definitions, this.#namespaces, this.#flows, this.#typeChecks],
      ...[this.#ipAddresses, this.#garbage, this.#quotas, this.#aggregator],
    ])
      each.close();
    await this.#options.store.close();
  }

  async #start(): Promise<void> {
    await this.#definitions.start();
    if (this.#server.leadership.canLead) await this.#maintain();
    await this.#security.start();
    if (this.#options.servesClients !== false) await this.#flows.start();
    await this.#ipAddresses.start();
    await this.#aggregator.start();
    if (this.#server.leadership.canLead) await this.#aggregator.startChecks();
    await this.settled();
  }

  /** Controllers that no request depends on, and the objects that exist before the first request. */
  async #maintain(): Promise<void> {
    const leases = this.#server.registry.find("coordination.k8s.io", "v1", "leases");
    if (leases !== undefined) await this.#server.leadership.start?.(this.#server.store, leases);
    await this.#namespaces.start();
    if (this.#controllers.has("validatingadmissionpolicy-status-controller")) this.#typeChecks.start();
    await createBootstrapRoles(this.#server);
    const { servicePort: port = DEFAULT_PORT, advertiseAddress: address } = this.#options;
    await bootstrap(this.#server, { clusterIp: this.#addresses.own, port, address });
    await createPriorityClasses(this.#server);
    if (this.#controllers.has("garbage-collector-controller")) await this.#garbage.start();
    if (this.#controllers.has("resourcequota-controller")) await this.#quotas.start();
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

  #timeOf(info: RequestInfo, limit?: number): RequestTime {
    const { yieldTurn = yieldByTimer } = this.#options;
    const requestTimeout = limit ?? this.#options.requestTimeout ?? REQUEST_MS;
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
      const { request, annotate } = trace;
      const proxied = this.#aggregator.answer({ request, info, user, auditId: trace.id });
      if (proxied !== undefined) return proxied;
      if (!info.isResource) return this.#other(request, info, time);
      return this.#resources.handle({ request, info, user, warnings, annotate, time });
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
    const { user, constraint } = await impersonate(request, attributesOf(info, requester), this.#server.authorizer);
    trace.impersonatedBy(constraint);
    return user;
  }

  async #authorize(info: RequestInfo, user: User, trace: Trace): Promise<void> {
    const attributes = attributesOf(info, user);
    const { verdict, reason } = await this.#server.authorizer(attributes);
    trace.authorized(user, verdict === "allow", reason);
    if (verdict !== "allow") throw forbiddenTo(attributes, reason);
  }

  async #other(request: ApiRequest, info: RequestInfo, time: RequestTime): Promise<ApiResponse> {
    const path = info.path.replace(/\/+$/, "");
    if (path === "/version") {
      if (info.verb !== "get") throw generic(405, "MethodNotAllowed", messages.methodNotAllowed());
      checkMediaTypes(request, ["application/json"]);
      return respondObject(200, versionDocument(this.#version), { ...PLAIN, isPretty: true });
    }
    if (path === "/metrics") return respondMetrics(await this.#allMetrics());
    const document = this.#security.authority.document(path);
    if (document !== undefined) return respondTokenDocument(request, document);
    const { store, followers, registry } = this.#server;
    return (
      respondIndex(info.path, registry, this.#options.tokenKey !== undefined) ??
      (await respondHealth(info, { store, followers, isStopping: () => this.#isStopping })) ??
      (await respondProfile(info, this.#options.recordProfile, time.left() / 1000)) ??
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

function newCatalogs(server: Pick<ServerContext, "followers"> & Pick<AppOptions, "store">) {
  return {
    policies: new PolicyCatalog(server, VALIDATING),
    mutatingPolicies: new PolicyCatalog(server, MUTATING),
    mutatingWebhooks: new WebhookCatalog(server, "mutatingwebhookconfigurations"),
    validatingWebhooks: new WebhookCatalog(server, "validatingwebhookconfigurations"),
  };
}

function newSecurity(
  options: AppOptions,
  parts: Pick<ConstructorParameters<typeof Security>[0], "followers" | "registry" | "rules">,
): Security {
  const { store, authenticators, authorizers = [], tokenKey, tokenIssuers, apiAudiences, now } = options;
  return new Security({
    ...parts,
    ...{ store, authenticators, authorizers, tokenKey, tokenIssuers, apiAudiences, now },
    ...{ allowsAnonymous: options.allowsAnonymous ?? true, uid: options.system.uid },
  });
}

function addStandardKinds(registry: Registry, { servesResource }: AppOptions, parts: StandardKindOptions): void {
  for (const kind of standardKinds(parts)) {
    const isNeeded = kind.plural === "namespaces" || kind.plural === "customresourcedefinitions";
    if (isNeeded || (servesResource?.(kind.group, kind.version, kind.plural) ?? true)) registry.add(kind);
  }
}

/** Servers on a shared store choose one of them. */
function leadershipFor({ store, system, now }: AppOptions): Leadership {
  if (store.shared === undefined) return ALWAYS;
  return new LeaseLeadership({ identity: system.uid(), now, clock: () => performance.now(), uid: system.uid });
}

const yieldByTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
