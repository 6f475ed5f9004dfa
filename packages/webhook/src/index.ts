/** Admission policies as a validating webhook. The other packages of this repository use `@portcullis/webhook/internal`. */

export type { CertificateFiles } from "./certificate-files.ts";
export type { IssuedCertificate, KeyPair, RotationTiming } from "./certificates.ts";
export { type ClusterAccess, inClusterAccess } from "./cluster/access.ts";
export { DEFAULT_POLICY_API, type RunningWebhook, startWebhook, type WebhookOptions } from "./webhook.ts";
