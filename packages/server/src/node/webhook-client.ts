/**
 * Calling webhooks over HTTPS: bounded in time and size, and only where a definition says, so redirects are not followed.
 *
 * Failures have the messages of Go's HTTP client, since clients see them in the API server's responses.
 */
import { Agent, type RequestOptions, request } from "node:https";
import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";
import {
  type CallWebhook,
  type WebhookAnswer,
  type WebhookRequest,
  WebhookUnreachable,
} from "../conversion/call-webhook.ts";

export interface WebhookClient {
  readonly call: CallWebhook;
  /** Closes idle connections. */
  close(): void;
}

export interface WebhookClientOptions {
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** To one webhook at a time. */
const MAX_CONNECTIONS = 16;

export function createWebhookClient(options: WebhookClientOptions = {}): WebhookClient {
  const { timeoutMs = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: "lifo" });
  return {
    call: (sent) => send(sent, { agent, timeoutMs, maxAnswerBytes }),
    close: () => agent.destroy(),
  };
}

interface Limits {
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

function send(sent: WebhookRequest, limits: Limits): Promise<WebhookAnswer> {
  const url = new URL(sent.url);
  const signal = AbortSignal.timeout(limits.timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(unreachable(error, sent, signal.aborted));
    const outgoing = request(requestOptions(url, sent, limits, signal), (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const { statusCode: code = 0, headers } = incoming;
      if (code >= 300 && code < 400) {
        outgoing.destroy();
        reject(new WebhookUnreachable("redirects are not followed"));
        return;
      }
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= limits.maxAnswerBytes) return;
        outgoing.destroy();
        reject(brokenOff(`the answer is larger than ${limits.maxAnswerBytes} bytes`));
      });
      incoming.on("end", () =>
        resolve({ code, contentType: headers["content-type"] ?? "", body: Buffer.concat(chunks) }),
      );
      incoming.on("error", () => reject(brokenOff(signal.aborted ? readTimeout() : "unexpected EOF")));
    });
    outgoing.on("error", fail);
    outgoing.end(sent.body);
  });
}

function requestOptions(url: URL, sent: WebhookRequest, limits: Limits, signal: AbortSignal): RequestOptions {
  const host = bareHost(url.hostname);
  return {
    agent: limits.agent,
    signal,
    method: "POST",
    host: sent.connect?.host ?? host,
    port: sent.connect?.port ?? (url.port === "" ? 443 : Number(url.port)),
    path: url.pathname + url.search,
    servername: isIP(host) === 0 ? host : "",
    // A certificate must be of the name in the URL, wherever the connection leads.
    checkServerIdentity: (_, certificate) => identityProblem(host, certificate),
    ...(sent.ca === undefined ? {} : { ca: sent.ca, ...TRUST_AS_GIVEN }),
    headers: {
      host: url.host,
      "user-agent": "kube-apiserver-admission",
      accept: "application/json, */*",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(sent.body)),
    },
  };
}

/** A bundle may name the webhook's own certificate instead of an authority. Known since Node 20.18. */
const TRUST_AS_GIVEN: RequestOptions & { allowPartialTrustChain: boolean } = { allowPartialTrustChain: true };

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** After the head of the answer has come, upstream's client speaks differently. */
function brokenOff(reason: string): WebhookUnreachable {
  const message = `unexpected error when reading response body. Please retry. Original error: ${reason}`;
  return new WebhookUnreachable(message, { isComplete: true });
}

const readTimeout = (): string =>
  "context deadline exceeded (Client.Timeout or context cancellation while reading body)";
const headTimeout = (): string => "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

function unreachable(error: Error, { url, connect }: WebhookRequest, isTimeout: boolean): WebhookUnreachable {
  if (isTimeout) return new WebhookUnreachable(headTimeout());
  const parsed = new URL(url);
  const host = connect?.host ?? bareHost(parsed.hostname);
  const port = connect?.port ?? (parsed.port === "" ? 443 : Number(parsed.port));
  return new WebhookUnreachable(wording(error, host, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`));
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network is unreachable",
  ETIMEDOUT: "connection timed out",
};

function wording(error: Error, host: string, address: string): string {
  if (error instanceof IdentityError) return `tls: failed to verify certificate: ${error.message}`;
  const code = codeOf(error);
  const connect = CONNECT[code];
  if (connect !== undefined) return `dial tcp ${addressOf(error) ?? address}: connect: ${connect}`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `dial tcp: lookup ${host}: no such host`;
  if (UNKNOWN_AUTHORITY.has(code))
    return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return "tls: failed to verify certificate: x509: certificate has expired or is not yet valid";
  if (code === "ECONNRESET" || code === "EPIPE") return "EOF";
  return error.message;
}

/** Several attempts, one for each address of a name, fail together: the last one counts. */
function codeOf(error: Error): string {
  const last = error instanceof AggregateError ? error.errors.at(-1) : error;
  return typeof last === "object" && last !== null && "code" in last ? String(last.code) : "";
}

function addressOf(error: Error): string | undefined {
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  if (typeof last !== "object" || last === null || !("address" in last) || !("port" in last)) return undefined;
  const host = String(last.address);
  return host.includes(":") ? `[${host}]:${last.port}` : `${host}:${last.port}`;
}

class IdentityError extends Error {}

/** Follows the texts of Go's crypto/x509 HostnameError. */
function identityProblem(host: string, certificate: PeerCertificate): Error | undefined {
  const names = (certificate.subjectaltname ?? "").split(", ");
  const ips = names.filter((name) => name.startsWith("IP Address:")).map((name) => name.slice("IP Address:".length));
  const hosts = names.filter((name) => name.startsWith("DNS:")).map((name) => name.slice("DNS:".length));
  if (isIP(host) !== 0) {
    if (ips.includes(host)) return undefined;
    if (ips.length > 0) return new IdentityError(`x509: certificate is valid for ${ips.join(", ")}, not ${host}`);
    return new IdentityError(`x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`);
  }
  if (hosts.some((name) => matchesHost(name, host))) return undefined;
  if (hosts.length > 0) return new IdentityError(`x509: certificate is valid for ${hosts.join(", ")}, not ${host}`);
  return new IdentityError(`x509: certificate is not valid for any names, but wanted to match ${host}`);
}

/** A star stands for one label, the first. */
function matchesHost(pattern: string, host: string): boolean {
  const [wanted, found] = [pattern.toLowerCase(), host.toLowerCase()];
  if (!wanted.startsWith("*.")) return wanted === found;
  const dot = found.indexOf(".");
  return dot > 0 && found.slice(dot) === wanted.slice(1);
}
