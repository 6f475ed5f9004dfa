/** Admission policies as a validating webhook: `startWebhook` for all of it, the rest for those who build their own. */

export type { CertificateFiles } from "./certificate-files.ts";
export type { IssuedCertificate, KeyPair, RotationTiming } from "./certificates.ts";
export { type ClusterAccess, inClusterAccess, refreshed } from "./cluster/access.ts";
export { type EntryOptions, entryName, type Target, webhookEntries } from "./entries.ts";
export { decodeReview, encodeVerdict, evaluateReview, type Review, type ReviewContext } from "./review.ts";
export { DEFAULT_POLICY_API, type RunningWebhook, startWebhook, type WebhookOptions } from "./webhook.ts";
