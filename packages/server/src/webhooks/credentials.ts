/**
 * How the server identifies itself to admission webhooks: the users of a kubeconfig, by the host that they are for.
 *
 * Follows apiserver pkg/util/webhook/authentication.go.
 */
import type { WebhookClientConfig } from "@portcullis/engine/internal/webhooks/webhook";
import { encodeBase64 } from "@portcullis/gostd/base64";
import { parse, port } from "@portcullis/gostd/url";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import type { WebhookRequest } from "../conversion/call-webhook.ts";

/** The users for the webhooks of each plugin. */
export interface WebhookCredentials {
  readonly mutating?: WebhookUsers | undefined;
  readonly validating?: WebhookUsers | undefined;
}

/** The users of a kubeconfig, for the webhooks of one plugin. */
export interface WebhookUsers {
  /** By name: `host:port`, `*.example.com`, or `*`. */
  readonly users: ReadonlyMap<string, WebhookUser>;
  /** The user of the current context. */
  readonly current?: string | undefined;
}

/** What the server sends to a webhook to identify itself: a token, a password or a client certificate. */
export interface WebhookUser {
  readonly token?: string | undefined;
  readonly identity?: { readonly cert: string; readonly key: string } | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  readonly impersonate?:
    | { readonly user: string; readonly uid: string; readonly groups: readonly string[] }
    | undefined;
}

type Credential = Pick<WebhookRequest, "identity" | "headers">;

/** What a request to the webhook carries. */
export function credentialFor(users: WebhookUsers, client: Omit<WebhookClientConfig, "caBundle">): Credential {
  const user = findUser(users, targetOf(client));
  return user === undefined ? {} : credentialOf(user);
}

/** What a request made as a user carries. */
export function credentialOf({ token, basic, impersonate, identity }: WebhookUser): Credential {
  const headers: Record<string, string | readonly string[]> = Object.create(null);
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  else if (basic !== undefined) headers["authorization"] = `Basic ${encodeBasic(basic)}`;
  if (impersonate !== undefined) {
    headers["impersonate-user"] = impersonate.user;
    if (impersonate.uid !== "") headers["impersonate-uid"] = impersonate.uid;
    if (impersonate.groups.length > 0) headers["impersonate-group"] = impersonate.groups;
  }
  return { identity, headers };
}

function encodeBasic({ username, password }: NonNullable<WebhookUser["basic"]>): string {
  return encodeBase64(encodeUtf8(`${username}:${password}`));
}

const HTTPS_PORT = "443";

function targetOf({ url, service }: Omit<WebhookClientConfig, "caBundle">): string {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc:${service.port}`;
  const parsed = parse(url ?? "").url;
  if (parsed === undefined) return "";
  return port(parsed) === "" ? `${parsed.host}:${HTTPS_PORT}` : parsed.host;
}

/** The exact name, then the longest pattern; the default port may be left out. */
function findUser({ users, current }: WebhookUsers, target: string): WebhookUser | undefined {
  const bare = target.endsWith(`:${HTTPS_PORT}`) ? target.slice(0, -HTTPS_PORT.length - 1) : undefined;
  const names = [...patternsOf(target), ...(bare === undefined ? [] : patternsOf(bare)), "*", current ?? ""];
  const found = names.find((name) => users.has(name));
  return found === undefined ? undefined : users.get(found);
}

function patternsOf(target: string): string[] {
  const parts = target.split(".");
  return [target, ...parts.slice(1).map((_, at) => `*.${parts.slice(at + 1).join(".")}`)];
}
