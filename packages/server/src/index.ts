/**
 * The server: `startServer` for a whole one on a socket, `App` for one without. The other packages of this repository use
 * `@portcullis/server/internal`, which may change.
 */

export type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
export type { User } from "@portcullis/engine/internal/rbac/user";
export type { Attributes, Authorizer, Decision } from "@portcullis/engine/internal/review/authorizer";
export type { AdmissionPlugin, AdmissionRequest } from "@portcullis/engine/internal/review/cluster-view";
export type { FieldManager, OwnershipRequest } from "@portcullis/engine/internal/review/field-manager";
export type { WebhookAnswer } from "@portcullis/engine/internal/webhooks/answer";
export type {
  AbacMode,
  AbacPolicy,
  AuthorizationMode,
  BuiltInMode,
  ReviewVersion,
  WebhookConnection,
  WebhookMode,
} from "./access/modes.ts";
export type { AuthorizationFile } from "./access/reload.ts";
export type { TokenWebhook } from "./access/token-webhook.ts";
export { podSecurityConfiguration } from "./admission/pod-security-configuration.ts";
export { App } from "./app/app.ts";
export type { AppOptions } from "./app/options.ts";
export type { PluginSelection } from "./app/plugin-names.ts";
export type { Authenticator } from "./auth/authenticate.ts";
export type { RequestHeaders } from "./auth/request-header.ts";
export type { TokenKey } from "./auth/token-key.ts";
export type { PortRange } from "./controllers/service-addresses.ts";
export {
  type CallWebhook,
  type WebhookRequest,
  WebhookUnreachable,
} from "./conversion/call-webhook.ts";
export type { ServiceAddressBook } from "./conversion/services.ts";
export type { Fault, Faults, FaultTarget } from "./endpoints/faults.ts";
export type { ApiRequest, ApiResponse } from "./http/exchange.ts";
export type { ServerCertificates } from "./node/certificates.ts";
export { TestClock } from "./node/clock.ts";
export type { Created } from "./node/create.ts";
export { type Listener, type ListenOptions, listen, type TlsLimits } from "./node/listen.ts";
export { type AuditFile, type AuditFileOptions, jsonLog, openAuditFile } from "./node/logs.ts";
export { type RunningServer, type ServerOptions, startServer } from "./node/start.ts";
export {
  type BackupOptions,
  backupSqliteStore,
  type EtcdStore,
  type EtcdStoreOptions,
  openEtcdStore,
  openSqliteStore,
  type RestoreOptions,
  restoreSqliteBackup,
  type SqliteStore,
  type SqliteStoreOptions,
} from "./node/stores.ts";
export { nodeSystem } from "./node/system.ts";
export { type Authority, type Certificate, createAuthority } from "./node/tls.ts";
export type { AuditLog, Log } from "./observe/observer.ts";
export type { Span, Tracing } from "./observe/tracing/span.ts";
export type { OpenApiPublisher } from "./openapi/publisher.ts";
export type { ManifestFile, StaticManifests, StaticPlugin } from "./policy/static-manifests.ts";
export { copyStore } from "./storage/copy.ts";
export { MemoryStore } from "./storage/memory.ts";
export type { Snapshot } from "./storage/snapshot.ts";
export * from "./storage/store.ts";
export { StoreUnavailable } from "./storage/unavailable.ts";
export type { WebhookCredentials, WebhookUser, WebhookUsers } from "./webhooks/credentials.ts";
