/** Everything that the requests of one server share, created before the app. */

import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { kindOfServer } from "@portcullis/engine/internal/review/kinds/server-kind";
import {
  prereleaseKinds,
  type StandardKindOptions,
  standardKinds,
} from "@portcullis/engine/internal/review/kinds/standard";
import { trackedFields } from "@portcullis/engine/internal/review/tracked-fields";
import { gateNames, gateState, isEnabled } from "@portcullis/engine/internal/value/gates";
import { asServer, minorOf, type ServerRules } from "@portcullis/engine/internal/value/server-version";
import { AuthorizerChain } from "../access/chain.ts";
import { Security } from "../auth/security.ts";
import { componentStatusType } from "../components/statuses.ts";
import { addPodSubresources } from "../connect/pod-subresources.ts";
import { createNamespace } from "../controllers/bootstrap.ts";
import { labelSecret } from "../controllers/label-secret.ts";
import { storeQuotaUsed } from "../controllers/quota/quota-used.ts";
import { ServiceAddresses } from "../controllers/service-addresses.ts";
import { type CallWebhook, WebhookUnreachable } from "../conversion/call-webhook.ts";
import { noWebhooks } from "../conversion/messages.ts";
import { serviceResolver } from "../conversion/services.ts";
import { buildLabels, compatibilityLabels } from "../discovery/version.ts";
import type { Gate } from "../observe/build-metrics.ts";
import { ServerMetrics } from "../observe/server-metrics.ts";
import { MUTATING, PolicyCatalog, VALIDATING } from "../policy/catalog.ts";
import type { ServerContext } from "../registry/context.ts";
import { ALWAYS, type Leadership } from "../registry/leadership.ts";
import { LeaseLeadership } from "../registry/lease-leadership.ts";
import { Registry } from "../registry/registry.ts";
import { storeReader } from "../registry/store-reader.ts";
import { Followers } from "../storage/followers.ts";
import { MeasuredStore } from "../storage/measured-store.ts";
import { admissionCaller } from "../webhooks/call.ts";
import { WebhookCatalog } from "../webhooks/catalog.ts";
import type { WebhookCredentials } from "../webhooks/credentials.ts";
import { admissionPlugins } from "./admission.ts";
import type { AppOptions } from "./options.ts";

const noCalls: CallWebhook = async () => {
  throw new WebhookUnreachable(noWebhooks());
};

/** What an app is made of. Nothing of it runs yet. */
export interface AppParts {
  readonly server: ServerContext;
  readonly engine: EngineOptions;
  readonly security: Security;
  readonly chain: AuthorizerChain;
  readonly addresses: ServiceAddresses;
  readonly catalogs: ReturnType<typeof newCatalogs>;
  readonly callWebhook: CallWebhook;
}

export function newAppParts(options: AppOptions): AppParts {
  const metrics = new ServerMetrics(() => performance.now() / 1000);
  if (options.processUsage !== undefined) metrics.addProcess(options.processUsage);
  const engine: EngineOptions = {
    version: options.version ?? SERVER_VERSION,
    gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true, ...options.gates },
    featureGates: options.featureGates,
    times: metrics.cel,
  };
  const registry = new Registry();
  const addresses = new ServiceAddresses(options.serviceRange, options.nodePortRange, metrics.addresses);
  const { store } = options;
  const followers = new Followers(store, options.followers);
  const catalogs = newCatalogs(followers);
  addStandardKinds(registry, options, { engine, addresses });
  registry.add(kindOfServer(componentStatusType(store, options.checkComponent), engine));
  const { callWebhook = noCalls, now } = options;
  const { security, chain } = newSecurity(options, {
    followers,
    registry,
    metrics,
    rules: engine,
    callWebhook,
    labelSecret: (secret, labels) => labelSecret(server, secret, labels),
  });
  const { version } = engine;
  const resolve = serviceResolver(store, registry, options.services ?? new Map());
  const webhooksFor = (plugin: keyof WebhookCredentials) => {
    const credentials = options.webhookCredentials?.[plugin];
    const call = admissionCaller({ call: callWebhook, resolve, credentials });
    return { version, call, now, observer: metrics.webhooks };
  };
  const webhooks = { mutating: webhooksFor("mutating"), validating: webhooksFor("validating") };
  const server: ServerContext = {
    store: measured(store, registry, metrics),
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
  if (server.leadership.canLead) {
    const gates = (): Gate[] => gatesOf({ version, featureGates: options.featureGates });
    metrics.addBuild({ labels: buildLabels(version), compatibility: compatibilityLabels(version), gates });
    metrics.addresses.usage = () => addresses.usage();
  }
  addPodSubresources(server);
  options.faults?.attach(registry);
  return { server, engine, security, chain, addresses, catalogs, callWebhook };
}

function gatesOf(rules: ServerRules): Gate[] {
  const minor = minorOf(rules.version);
  return gateNames(minor).flatMap((name) => {
    const state = gateState(name, minor);
    return state === undefined ? [] : [{ name, stage: state.stage, isOn: asServer(rules, () => isEnabled(name)) }];
  });
}

function measured(store: AppOptions["store"], registry: Registry, metrics: ServerMetrics): MeasuredStore {
  const places = registry
    .all()
    .map(({ group, plural, storagePrefix }) => [storagePrefix, { group, resource: plural }] as const);
  metrics.store.know(new Map(places.reverse()));
  return new MeasuredStore(store, { clock: metrics.clock, observe: metrics.store.request.bind(metrics.store) });
}

function newCatalogs(followers: Followers) {
  return {
    policies: new PolicyCatalog(followers, VALIDATING),
    mutatingPolicies: new PolicyCatalog(followers, MUTATING),
    mutatingWebhooks: new WebhookCatalog(followers, "mutatingwebhookconfigurations"),
    validatingWebhooks: new WebhookCatalog(followers, "validatingwebhookconfigurations"),
  };
}

interface SecurityParts
  extends Pick<ConstructorParameters<typeof Security>[0], "followers" | "registry" | "rules" | "labelSecret"> {
  readonly metrics: ServerMetrics;
  readonly callWebhook: CallWebhook;
}

function newSecurity(options: AppOptions, { metrics, callWebhook, ...parts }: SecurityParts) {
  const { store, authenticators, authorizers = [], tokenKey, tokenIssuers, apiAudiences, now } = options;
  const { authorizationFile: file, authorizationModes = ["RBAC"] } = options;
  const modes = file === undefined ? authorizationModes : file.parse(file.readText());
  const { rules } = parts;
  const context = { call: callWebhook, metrics: metrics.authorization, clock: () => performance.now(), rules };
  const chain = new AuthorizerChain(modes, context);
  const security = new Security({
    ...parts,
    store,
    authenticators,
    lastAuthenticators: options.lastAuthenticators ?? [],
    authorizers,
    chain,
    hasNodes: modes.includes("Node"),
    tokenKey,
    tokenIssuers,
    apiAudiences,
    now,
    allowsAnonymous: options.allowsAnonymous ?? true,
    metrics: metrics.access.tokens,
    uid: options.system.uid,
  });
  return { security, chain };
}

function addStandardKinds(registry: Registry, { servesResource }: AppOptions, parts: StandardKindOptions): void {
  for (const kind of standardKinds(parts)) {
    const isNeeded = kind.plural === "namespaces" || kind.plural === "customresourcedefinitions";
    if (isNeeded || (servesResource?.(kind.group, kind.version, kind.plural) ?? true)) registry.add(kind);
  }
  if (servesResource === undefined) return;
  for (const kind of prereleaseKinds(parts)) {
    if (servesResource(kind.group, kind.version, kind.plural)) registry.add(kind);
  }
}

/** Servers on a shared store choose one of them. */
function leadershipFor({ store, system, now }: AppOptions): Leadership {
  if (store.shared === undefined) return ALWAYS;
  return new LeaseLeadership({ identity: system.uid(), now, clock: () => performance.now(), uid: system.uid });
}
