/** The authorization modes of a server: data, so that all its threads and processes decide alike. */
import type { WebhookUser } from "../webhooks/credentials.ts";

/** Authorizers of this server, by upstream's names. */
export type AuthorizationMode = BuiltInMode | AbacMode | WebhookMode;

/** Authorizers that need no settings. */
export type BuiltInMode = "Node" | "RBAC" | "AlwaysAllow" | "AlwaysDeny";

/** Rules from a file. */
export interface AbacMode {
  readonly type: "ABAC";
  readonly policies: readonly AbacPolicy[];
}

/** What a user or a group may do; `*` stands for everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly isReadOnly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

/** A webhook that is asked with a SubjectAccessReview. */
export interface WebhookMode {
  readonly type: "Webhook";
  readonly name: string;
  readonly connection: WebhookConnection;
  /** The version of the review that is sent. */
  readonly version: ReviewVersion;
  readonly timeoutMs: number;
  /** How long answers are kept, in milliseconds; 0 keeps none. */
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  readonly failurePolicy: "NoOpinion" | "Deny";
  /** Expressions about the spec of the review. */
  readonly matchConditions: readonly string[];
}

/** The version of `authorization.k8s.io` in which a webhook is asked. */
export type ReviewVersion = "v1" | "v1beta1";

/** The cluster and the user of a kubeconfig. */
export interface WebhookConnection {
  readonly url: string;
  /** The CAs to trust, in PEM; the system's if absent. */
  readonly ca?: string | undefined;
  /** Any certificate is accepted. */
  readonly isInsecure?: boolean | undefined;
  readonly serverName?: string | undefined;
  readonly user?: WebhookUser | undefined;
}

export function typeOfMode(mode: AuthorizationMode): string {
  return typeof mode === "string" ? mode : mode.type;
}

/** The name in metrics. */
export function nameOfMode(mode: AuthorizationMode): string {
  return typeof mode === "object" && mode.type === "Webhook" ? mode.name : typeOfMode(mode).toLowerCase();
}
