/** Where the cluster is and who we are there. */
import { readFileSync } from "node:fs";
import * as messages from "../messages.ts";

/** How to reach a cluster, as in a kubeconfig. */
export interface ClusterAccess {
  readonly server: string;
  /** PEM; the CAs of the system if absent. */
  readonly ca?: string | undefined;
  readonly skipVerify?: boolean | undefined;
  /** Called for every request, because tokens of service accounts are rotated. */
  readonly token?: (() => string | undefined) | undefined;
  /** A client certificate, PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** `name:password`. */
  readonly basic?: string | undefined;
}

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const TOKEN_LIFETIME_MS = 60_000;

/**
 * The access a pod has through its service account.
 * @example inClusterAccess(process.env).server // "https://10.96.0.1:443"
 */
export function inClusterAccess(env: Readonly<Record<string, string | undefined>>): ClusterAccess {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "443";
  if (host === undefined || host === "") throw new Error(messages.noServiceAccount());
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca: readFileSync(`${SERVICE_ACCOUNT}/ca.crt`, "utf8"),
    token: refreshed(() => readFileSync(`${SERVICE_ACCOUNT}/token`, "utf8").trim(), Date.now),
  };
}

/** Reads again after a minute: the kubelet replaces tokens well before they end. */
export function refreshed<T>(read: () => T, now: () => number): () => T {
  let last: { readonly value: T; readonly at: number } | undefined;
  return () => {
    if (last === undefined || now() - last.at > TOKEN_LIFETIME_MS) last = { value: read(), at: now() };
    return last.value;
  };
}
