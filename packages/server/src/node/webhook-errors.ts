/**
 * Why a webhook could not be called, in the texts of Go's HTTP client: clients see them in the API server's answers.
 */
import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";
import { WebhookUnreachable } from "../conversion/call-webhook.ts";

/** After the head of the answer has come, upstream's client speaks differently. */
export function brokenOff(reason: string): WebhookUnreachable {
  const message = `unexpected error when reading response body. Please retry. Original error: ${reason}`;
  return new WebhookUnreachable(message, { isComplete: true });
}

/** Where an address is connected to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export function unreachable(error: Error, { host, port }: Target): WebhookUnreachable {
  return new WebhookUnreachable(messageOf(error, host, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`));
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

function messageOf(error: Error, host: string, address: string): string {
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
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO") return PLAIN_HTTP;
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

/** What answers in plain text is most likely an HTTP server. */
const PLAIN_HTTP = "http: server gave HTTP response to HTTPS client";

class IdentityError extends Error {}

/** Follows the texts of Go's crypto/x509 HostnameError. */
export function identityProblem(host: string, certificate: PeerCertificate): Error | undefined {
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
