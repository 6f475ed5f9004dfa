/** What an app is made of: the store, the clock, and what is optional. */
import type { PolicyObserver } from "@portcullis/engine/admission/validating-policies";
import type { KubernetesVersion } from "@portcullis/engine/kubecel/versions";
import type { PodSecurityConfiguration } from "@portcullis/engine/podsecurity/configuration";
import type { Authorizer } from "@portcullis/engine/review/authorizer";
import type { AdmissionPlugin } from "@portcullis/engine/review/cluster-view";
import type { EngineGates } from "@portcullis/engine/review/custom-resource/custom-resource";
import type { FieldManager } from "@portcullis/engine/review/field-manager";
import type { SystemFields } from "@portcullis/engine/review/system";
import type { DefinitionUpgradeCheck } from "../admission/crd-upgrade.ts";
import type { Authenticator } from "../auth/authenticate.ts";
import type { TokenKey } from "../auth/token-key.ts";
import type { CheckComponent } from "../components/statuses.ts";
import type { PortRange } from "../controllers/service-addresses.ts";
import type { CallWebhook } from "../conversion/call-webhook.ts";
import type { ServiceAddressBook } from "../conversion/services.ts";
import type { AuditLog, Log } from "../observe/observer.ts";
import type { OpenApiPublisher } from "../openapi/publisher.ts";
import type { FollowersOptions } from "../storage/followers.ts";
import type { WatchableStore } from "../storage/store.ts";

export interface AppOptions {
  readonly store: WatchableStore;
  readonly system: SystemFields;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly authenticators: readonly Authenticator[];
  /** Asked before the roles and bindings in the store; members of `system:masters` may do everything anyway. */
  readonly authorizers?: readonly Authorizer[];
  /** Refuse updates of CRDs that refuse or lose what is accepted today, or warn of them; off where absent. */
  readonly definitionUpgrades?: DefinitionUpgradeCheck;
  /** Run after the rules about namespaces. */
  readonly admission?: readonly AdmissionPlugin[];
  readonly fieldManager?: FieldManager;
  /** Hears what admission policies decided. */
  readonly observePolicies?: PolicyObserver;
  /**
   * Whether the status of policies is written: what their type check warns of. Default true, as in a cluster, where the
   * controller manager does it; a kube-apiserver by itself does not.
   */
  readonly policyStatus?: boolean;
  /** What Pod Security enforces in namespaces without labels, and who is exempt from it; nothing and nobody where absent. */
  readonly podSecurity?: PodSecurityConfiguration;
  readonly publisher?: OpenApiPublisher;
  readonly version?: KubernetesVersion;
  readonly gates?: Partial<EngineGates>;
  /** Signs tokens of service accounts; without it there are none. */
  readonly tokenKey?: TokenKey;
  readonly rootCertificate?: string;
  /** How webhooks are reached; without it those that CRDs name fail. */
  readonly callWebhook?: CallWebhook;
  /** How components of a cluster are asked for their health; without it nothing is known of them. */
  readonly checkComponent?: CheckComponent;
  /** Where services that webhooks are named by lead: `name.namespace`, or with a port, to an address. */
  readonly services?: ServiceAddressBook;
  /** Whose tokens of service accounts are believed; the first issues them. Default `https://kubernetes.default.svc`. */
  readonly tokenIssuers?: readonly string[];
  /** What such tokens must be meant for; default the issuers. */
  readonly apiAudiences?: readonly string[];
  /** False answers requests without credentials with 401. */
  readonly allowsAnonymous?: boolean;
  /** Addresses of services, such as `10.0.0.0/24`. */
  readonly serviceRange?: string;
  /** Node ports of services; default 30000 to 32767. */
  readonly nodePortRange?: PortRange;
  /** Where the Service `default/kubernetes` leads to. */
  readonly servicePort?: number;
  /** The address of its endpoints; without it there are none. */
  readonly advertiseAddress?: string;
  readonly audit?: AuditLog;
  /** Gets every request that was answered. */
  readonly log?: Log;
  /** How copies of the store's contents are kept up to date. */
  readonly followers?: FollowersOptions;
  /** Milliseconds that a request may take, unless it asks for less by its `timeout` parameter. Default one minute. */
  readonly requestTimeout?: number;
  /** How many requests are worked on at once; priority levels share them. Default 600. */
  readonly maxRequestsInflight?: number;
  /** Resolves after everything else that is ready has run. Default by a timer. */
  readonly yieldTurn?: () => Promise<void>;
  /** Hears of defects: whatever is thrown that is not a refusal. */
  readonly onDefect?: (error: unknown) => void;
}
