/** The controllers of a server, and the objects that they create before the first request. */

import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { ServerRules } from "@portcullis/engine/internal/value/server-version";
import type { Aggregator } from "../aggregation/aggregator.ts";
import { createBootstrapRoles } from "../auth/bootstrap-roles.ts";
import type { Security } from "../auth/security.ts";
import { bootstrap } from "../controllers/bootstrap.ts";
import { type ControllerName, enabledControllers } from "../controllers/controller-names.ts";
import { DefinitionController } from "../controllers/crd-controller.ts";
import { GarbageCollector } from "../controllers/garbage/garbage-collector.ts";
import { IpAddresses } from "../controllers/ip-addresses.ts";
import { NamespaceController } from "../controllers/namespace-controller.ts";
import { OwnService } from "../controllers/own-service.ts";
import { createPriorityClasses } from "../controllers/priority-classes.ts";
import { QuotaController } from "../controllers/quota/quota-controller.ts";
import type { ServiceAddresses } from "../controllers/service-addresses.ts";
import { TokenController } from "../controllers/token-controller.ts";
import type { CallWebhook } from "../conversion/call-webhook.ts";
import { serviceResolver } from "../conversion/services.ts";
import type { Pause } from "../endpoints/request-time.ts";
import { FlowControl } from "../flow/flow-control.ts";
import type { OpenApiPublisher } from "../openapi/publisher.ts";
import type { PolicyCatalog } from "../policy/catalog.ts";
import { TypeCheckController } from "../policy/type-check.ts";
import type { ServerContext } from "../registry/context.ts";
import { type AppOptions, MAX_REQUESTS_INFLIGHT } from "./options.ts";

const DEFAULT_PORT = 6443;

export interface ControllerParts {
  readonly options: AppOptions;
  readonly engine: EngineOptions;
  readonly policies: PolicyCatalog;
  readonly addresses: ServiceAddresses;
  readonly security: Security;
  readonly publisher: OpenApiPublisher;
  readonly callWebhook: CallWebhook;
  readonly newPause: () => Pause;
  /** Resolves after whatever else is ready to run has run. */
  readonly nextTurn: () => Promise<void>;
  readonly aggregator: Aggregator;
}

export class Controllers {
  readonly flows: FlowControl;
  readonly #server: ServerContext;
  readonly #options: AppOptions;
  readonly #rules: ServerRules;
  readonly #security: Security;
  readonly #ownService: OwnService;
  readonly #enabled: ReadonlySet<ControllerName>;
  readonly #definitions: DefinitionController;
  readonly #namespaces: NamespaceController;
  readonly #garbage: GarbageCollector;
  readonly #quotas: QuotaController;
  readonly #typeChecks: TypeCheckController;
  /** Undefined without a key that signs tokens. */
  readonly #tokens: TokenController | undefined;
  readonly #ipAddresses: IpAddresses;
  readonly #aggregator: Aggregator;

  constructor(server: ServerContext, parts: ControllerParts) {
    const { options, engine, addresses, publisher, newPause, nextTurn } = parts;
    this.#server = server;
    this.#options = options;
    this.#rules = { version: engine.version, featureGates: engine.featureGates };
    this.#security = parts.security;
    this.#aggregator = parts.aggregator;
    this.#enabled = enabledControllers(options.controllers ?? ["*"]);
    const webhooks = {
      call: parts.callWebhook,
      resolve: serviceResolver(server.store, server.registry, options.services ?? new Map()),
      uid: options.system.uid,
      metrics: server.metrics.conversions,
    };
    this.#definitions = new DefinitionController(server, { engine, webhooks, newPause });
    this.#namespaces = new NamespaceController(server, {
      empties: this.#enabled.has("namespace-controller"),
      createsAccounts: this.#enabled.has("serviceaccount-controller"),
      rootCertificate: this.#enabled.has("root-ca-certificate-publisher-controller")
        ? options.rootCertificate
        : undefined,
    });
    this.#garbage = new GarbageCollector(server);
    this.#quotas = new QuotaController(server, newPause);
    this.#typeChecks = new TypeCheckController(server, publisher, parts.policies, engine.version);
    const { rootCertificate } = options;
    const { key } = parts.security.tokens ?? {};
    this.#tokens = key && new TokenController(server, { key, rootCertificate });
    const { maxRequestsInflight: seats = MAX_REQUESTS_INFLIGHT } = options;
    this.flows = new FlowControl(server, { seats, nextTurn });
    this.#ipAddresses = new IpAddresses(server, addresses);
    const { servicePort: port = DEFAULT_PORT } = options;
    this.#ownService = new OwnService(server, { clusterIp: addresses.own, port });
  }

  /** Resolves when the server can answer its first request. */
  async start(): Promise<void> {
    await this.#definitions.start();
    if (this.#server.leadership.canLead) await this.#maintain();
    await this.#security.start();
    if (this.#options.servesClients !== false) await this.flows.start();
    await this.#ipAddresses.start();
    await this.#aggregator.start();
    if (this.#server.leadership.canLead) await this.#aggregator.startChecks();
    await this.settled();
  }

  /** Resolves when the effects of writes are complete. */
  async settled(): Promise<void> {
    await this.#definitions.settled();
    await this.#namespaces.settled();
    await this.#typeChecks.settled();
    await this.flows.settled();
    await this.#ipAddresses.settled();
    await this.#ownService.settled();
    await this.#garbage.settled();
    await this.#quotas.settled();
    await this.#tokens?.settled();
    await this.#aggregator.settled();
  }

  close(): void {
    const { flows } = this;
    for (const each of [this.#definitions, this.#namespaces, flows, this.#typeChecks, this.#ipAddresses]) each.close();
    for (const each of [this.#garbage, this.#quotas, this.#aggregator, this.#ownService]) each.close();
    this.#tokens?.close();
  }

  /** Controllers that no request depends on, and the objects that exist before the first request. */
  async #maintain(): Promise<void> {
    const leases = this.#server.registry.find("coordination.k8s.io", "v1", "leases");
    if (leases !== undefined) await this.#server.leadership.start?.(this.#server.store, leases);
    await this.#namespaces.start();
    if (this.#enabled.has("validatingadmissionpolicy-status-controller")) this.#typeChecks.start();
    const { servicePort: port = DEFAULT_PORT, advertiseAddress: address } = this.#options;
    await Promise.all([
      createBootstrapRoles(this.#server, this.#rules),
      bootstrap(this.#server, { port, address }),
      this.#ownService.start(),
      createPriorityClasses(this.#server),
    ]);
    if (this.#enabled.has("garbage-collector-controller")) await this.#garbage.start();
    if (this.#enabled.has("resourcequota-controller")) await this.#quotas.start();
    if (this.#enabled.has("serviceaccount-token-controller")) await this.#tokens?.start();
  }
}
