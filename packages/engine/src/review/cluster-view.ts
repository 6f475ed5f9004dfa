/**
 * What a review reads of the cluster that the write is meant for. An API server answers from its store; a command line or
 * a page answers from the files it was given. Admission plugins are part of the view: which there are is up to the cluster.
 */
import type { PodSecurityVerdict } from "../podsecurity/admit.ts";
import type { PolicyVerdict } from "../policy/dispatch.ts";
import type { MutationVerdict } from "../policy/mutating/dispatch.ts";
import type { ReinvocationState } from "../policy/mutating/reinvocation.ts";
import type { User } from "../rbac/user.ts";
import type { JsonObject } from "../value/json.ts";
import type { WebhookExplanation } from "../webhooks/explain.ts";
import type { Authorizer } from "./authorizer.ts";
import type { FieldManager } from "./field-manager.ts";
import type { Endpoint, ResourceKind } from "./kind.ts";
import type { ReviewMetrics } from "./metrics.ts";
import type { SystemFields } from "./system.ts";

/**
 * Everything that a review asks its caller for: clock and random names, kinds, stored objects, admission and rights.
 */
export interface ClusterView {
  readonly system: SystemFields;
  readonly kinds: Kinds;
  /** In the order they are asked. */
  readonly admission: readonly AdmissionPlugin[];
  /** Whether what default plugins set is set when objects are prepared: for views without these plugins. */
  readonly setsPluginValues?: boolean;
  readonly fieldManager: FieldManager;
  readonly authorizer: Authorizer;
  /** Undefined if there is no such object. `namespace` is "" for cluster-scoped kinds. */
  get(kind: ResourceKind, namespace: string, name: string): Promise<JsonObject | undefined>;
  /** All objects of a kind in a namespace; "" for all namespaces. */
  list(kind: ResourceKind, namespace: string): Promise<readonly JsonObject[]>;
  readonly metrics?: ReviewMetrics | undefined;
}

/** The kinds that the cluster serves. */
export interface Kinds {
  find(group: string, version: string, plural: string): ResourceKind | undefined;
  all(): readonly ResourceKind[];
}

export type Annotate = (key: string, value: string, level?: "Request") => void;

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What an admission plugin sees of a write. */
export interface AdmissionRequest {
  readonly cluster: ClusterView;
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  readonly namespace: string;
  /** "" where it is still to be generated. */
  readonly name: string;
  /** Whether the client left the name to the server. */
  readonly isUnnamed?: boolean;
  /** Undefined on delete. */
  readonly object: JsonObject | undefined;
  /** Undefined on create. */
  readonly old: JsonObject | undefined;
  /** CreateOptions and the like. */
  readonly options: JsonObject;
  readonly isDryRun: boolean;
  /** When the request must be answered, in milliseconds since 1970; undefined where there is no limit. */
  readonly deadline: number | undefined;
  /** Called in work that cannot pause, with the seconds it has taken. May throw. */
  readonly overrun?: ((seconds: number) => void) | undefined;
  /** Called before something outside of the server is asked, which must not happen a second time. */
  readonly noteCall?: () => void;
  readonly user: User;
  readonly warn: (text: string) => void;
  /** Adds an annotation to the request's audit event, from the given audit level on. The first value of a key stays. */
  readonly annotate: Annotate;
  /** Adds to what the outcome says of admission. */
  readonly report: (decision: AdmissionDecision) => void;
}

/** What a plugin decided, in detail, for callers that explain it. */
export type AdmissionDecision =
  | {
      readonly plugin: "ValidatingAdmissionPolicy";
      readonly verdict: PolicyVerdict;
      readonly request: AdmissionRequest;
    }
  | {
      readonly plugin: "MutatingAdmissionPolicy";
      readonly verdict: MutationVerdict;
      readonly request: AdmissionRequest;
    }
  | {
      readonly plugin: "PodSecurity";
      readonly verdict: PodSecurityVerdict;
      readonly request: AdmissionRequest;
    }
  | {
      readonly plugin: "AdmissionWebhooks";
      readonly verdict: WebhooksVerdict;
      readonly request: AdmissionRequest;
    };

/** Which webhooks would be asked, where none is called. */
export interface WebhooksVerdict {
  readonly type: "mutating" | "validating";
  readonly error: undefined;
  readonly explanations: readonly WebhookExplanation[];
}

/** One write's pass through the mutating plugins: all are asked a second time where one of them wants that. */
export interface Reinvocation {
  isAgain: boolean;
  isWanted: boolean;
  /** What mutating policies noted in the first pass. */
  policies: ReinvocationState | undefined;
  /** What mutating webhooks noted. */
  webhooks: ReinvocationState | undefined;
}

/** One step of admission: it may change an object, refuse it, or both. */
export interface AdmissionPlugin {
  /** Under which its time is counted; not counted where absent. */
  readonly name?: string;
  /** The object to continue with. Throws a StatusError to refuse. */
  readonly mutate?: (request: AdmissionRequest, reinvocation: Reinvocation) => Promise<JsonObject | undefined>;
  /** Throws a StatusError to refuse. */
  readonly validate?: (request: AdmissionRequest) => Promise<void>;
}
