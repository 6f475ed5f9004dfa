/** The options of an app: the store, the clock, and optional parts. */

import type { EventLimit } from "@portcullis/engine/internal/admission/optional/event-rate-limit";
import type { NodeSelectors } from "@portcullis/engine/internal/admission/optional/pods";
import type { ClusterTolerations } from "@portcullis/engine/internal/admission/optional/tolerations";
import type { PolicyObserver } from "@portcullis/engine/internal/admission/validating-policies";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { LimitedResource } from "@portcullis/engine/internal/quota/check";
import type { Authorizer } from "@portcullis/engine/internal/review/authorizer";
import type { AdmissionPlugin } from "@portcullis/engine/internal/review/cluster-view";
import type { EngineGates } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { FieldManager } from "@portcullis/engine/internal/review/field-manager";
import type { SystemFields } from "@portcullis/engine/internal/review/system";
import type { AuthorizationMode } from "../access/modes.ts";
import type { AuthorizationFile } from "../access/reload.ts";
import type { DefinitionUpgradeCheck } from "../admission/crd-upgrade.ts";
import type { CallExtension } from "../aggregation/transport.ts";
import type { Authenticator } from "../auth/authenticate.ts";
import type { TokenKey } from "../auth/token-key.ts";
import type { CheckComponent } from "../components/statuses.ts";
import type { PortRange } from "../controllers/service-addresses.ts";
import type { CallWebhook } from "../conversion/call-webhook.ts";
import type { ServiceAddressBook } from "../conversion/services.ts";
import type { Faults } from "../endpoints/faults.ts";
import type { RecordProfile } from "../endpoints/profile.ts";
import type { InflightLimits } from "../flow/inflight-limit.ts";
import type { AuditLog, Log } from "../observe/observer.ts";
import type { ProcessUsage } from "../observe/process-metrics.ts";
import type { Tracing } from "../observe/tracing/span.ts";
import type { OpenApiPublisher } from "../openapi/publisher.ts";
import type { StaticManifests } from "../policy/static-manifests.ts";
import type { Leadership } from "../registry/leadership.ts";
import type { FollowersOptions } from "../storage/followers.ts";
import type { WatchableStore } from "../storage/store.ts";
import type { WebhookCredentials } from "../webhooks/credentials.ts";
import type { HeavyWorker } from "./heavy-requests.ts";
import type { PluginSelection } from "./plugin-names.ts";

/** kube-apiserver's 400 readers and 200 writers. */
export const MAX_REQUESTS_INFLIGHT = 600;

/** Everything an `App` can be given; only the store, the clock and the authenticators are required. */
export interface AppOptions {
  readonly store: WatchableStore;
  readonly system: SystemFields;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly authenticators: readonly Authenticator[];
  /** Asked about tokens that are neither known to the others nor of a service account. */
  readonly lastAuthenticators?: readonly Authenticator[];
  /** Consulted before the roles and bindings in the store; members of `system:masters` have all permissions anyway. */
  readonly authorizers?: readonly Authorizer[];
  /** What decides after the authorizers; by default RBAC alone. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /** A file with the modes, in place of the option; its changes are followed. */
  readonly authorizationFile?: AuthorizationFile;
  /** Refuse, or warn about, CRD updates that refuse or lose data that is accepted today; off if absent. */
  readonly definitionUpgrades?: DefinitionUpgradeCheck;
  /** Run after namespace lifecycle admission. */
  readonly admission?: readonly AdmissionPlugin[];
  readonly fieldManager?: FieldManager;
  /** Receives the decisions of admission policies. */
  readonly observePolicies?: PolicyObserver;
  /**
   * The controllers that run, as in `--controllers` of kube-controller-manager: `*`, names, and names with a minus.
   * Default all, as in a cluster.
   */
  readonly controllers?: readonly string[];
  /** Faults that are injected while the server runs. */
  readonly faults?: Faults;
  /** Admission plugins by upstream's names, beyond or without those that run by default. */
  readonly admissionPlugins?: PluginSelection;
  /**
   * Whether a built-in resource is served. By default all are, but for beta and alpha versions of those that have a
   * stable one. Namespaces and CRDs always are.
   */
  readonly servesResource?: (group: string, version: string, plural: string) => boolean;
  /** Resources that may be used only if a quota limits them. */
  readonly limitedResources?: readonly LimitedResource[];
  /** The limits of the admission plugin `EventRateLimit`. */
  readonly eventLimits?: readonly EventLimit[];
  /** The selectors of the admission plugin `PodNodeSelector`. */
  readonly nodeSelectors?: NodeSelectors;
  /** The tolerations of the admission plugin `PodTolerationRestriction` for namespaces without annotations. */
  readonly podTolerations?: ClusterTolerations;
  /** Whether containers may be privileged. Default true. */
  readonly allowsPrivileged?: boolean;
  /** How long pods tolerate nodes that are not ready or not reachable, in seconds. Default 300. */
  readonly tolerationSeconds?: { readonly notReady: number; readonly unreachable: number };
  /** How the server identifies itself to admission webhooks; by default it does not. */
  readonly webhookCredentials?: WebhookCredentials;
  /** Policies and webhooks from files: enforced from the first request, and not visible in the API. */
  readonly staticManifests?: readonly StaticManifests[];
  /** The Pod Security defaults for namespaces without labels, and the exemptions; none if absent. */
  readonly podSecurity?: PodSecurityConfiguration;
  readonly publisher?: OpenApiPublisher;
  readonly version?: KubernetesVersion;
  readonly gates?: Partial<EngineGates>;
  /** Feature gates of kube-apiserver that are not at their defaults. */
  readonly featureGates?: ReadonlyMap<string, boolean> | undefined;
  /** Signs service account tokens; if absent, no tokens are issued. */
  readonly tokenKey?: TokenKey;
  readonly rootCertificate?: string;
  /** Calls webhooks; if absent, conversion webhooks of CRDs fail. */
  readonly callWebhook?: CallWebhook;
  /** Calls extension API servers; if absent, no APIService with a service is available. */
  readonly callExtension?: CallExtension;
  /** Checks the health of cluster components; if absent, it is unknown. */
  readonly checkComponent?: CheckComponent;
  /** Addresses for the services of webhooks: from `name.namespace`, or with a port, to an address. */
  readonly services?: ServiceAddressBook;
  /**
   * The accepted issuers of service account tokens; the first one issues them. Default
   * `https://kubernetes.default.svc`.
   */
  readonly tokenIssuers?: readonly string[];
  /** The accepted audiences of such tokens; default the issuers. */
  readonly apiAudiences?: readonly string[];
  /** If false, requests without credentials get 401. */
  readonly allowsAnonymous?: boolean;
  /** The value of the header `Strict-Transport-Security`; not sent if absent. */
  readonly transportSecurity?: string;
  /** The range of service addresses, such as `10.0.0.0/24`, or one of each IP family, separated by a comma. */
  readonly serviceRange?: string;
  /** The range of node ports; default 30000 to 32767. */
  readonly nodePortRange?: PortRange;
  /** The target port of the Service `default/kubernetes`. */
  readonly servicePort?: number;
  /** The address of its endpoints; if absent, it has none. */
  readonly advertiseAddress?: string;
  readonly audit?: AuditLog;
  /** Receives every completed request. */
  readonly log?: Log;
  /** Traces requests; if absent, none are. */
  readonly tracing?: Tracing;
  /** Options for the copies of the store's contents. */
  readonly followers?: FollowersOptions;
  /** The request timeout in milliseconds, unless the `timeout` parameter is lower. Default one minute. */
  readonly requestTimeout?: number;
  /** The maximum number of concurrent requests, shared by the priority levels. Default 600. */
  readonly maxRequestsInflight?: number;
  /** If present, these limits replace the priority levels. */
  readonly inflightLimits?: InflightLimits;
  /** Whether this app runs the controllers; by default it is the only app on its store. */
  readonly leadership?: Leadership;
  /** False for an app that only performs requests that another thread passed on. */
  readonly servesClients?: boolean;
  /** Performs requests with large bodies or on large objects; if absent, this thread does. */
  readonly heavyWorker?: HeavyWorker;
  /** The metrics of other processes of the same server. */
  readonly moreMetrics?: () => Promise<readonly string[]>;
  /** For metrics of the process; if absent, there are none. */
  readonly processUsage?: () => ProcessUsage;
  /** The flags that the server was started with, for `/flagz`. */
  readonly flags?: ReadonlyMap<string, string>;
  /** Records CPU profiles for administrators; if absent, there are none. */
  readonly recordProfile?: RecordProfile;
  /** Resolves after all other ready tasks have run. Default by a timer. */
  readonly yieldTurn?: () => Promise<void>;
  /** Receives defects: every thrown error that is not a refusal. */
  readonly onDefect?: (error: unknown) => void;
}
