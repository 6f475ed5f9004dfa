/** What reading an authorization configuration needs, and its strict decoding. */
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { AuthorizationMode, WebhookConnection } from "./modes.ts";

export interface ConfigurationContext {
  readonly version: KubernetesVersion;
  /** Undefined if the file can be read, or the problem. */
  readonly checkFile: (file: string) => FileProblem | undefined;
  /** Throws an Error where the kubeconfig is wrong. */
  readonly connect: (file: string) => WebhookConnection;
  /** The policies of the mode ABAC; throws an Error without a policy file. */
  readonly abac: () => AuthorizationMode;
}

export type FileProblem = { readonly kind: "unreadable"; readonly problem: string } | { readonly kind: "irregular" };

export function unknownKeys(json: JsonObject, known: readonly string[], at: string): string[] {
  return Object.keys(json).flatMap((key) => (known.includes(key) ? [] : [`${at}${key}`]));
}
