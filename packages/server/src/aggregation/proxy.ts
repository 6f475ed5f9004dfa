/**
 * Passes requests on to extension API servers, with the identity of the user in headers.
 *
 * Follows kube-aggregator pkg/apiserver/handler_proxy.go and apimachinery pkg/util/proxy.
 */

import type { User } from "@portcullis/engine/internal/rbac/user";
import { trimBoth } from "@portcullis/engine/internal/value/trim";
import { encodeQuery } from "@portcullis/gostd/url";
import type { ResolveService } from "../conversion/services.ts";
import type { ApiRequest, ApiResponse, HeaderList } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { RemoteService } from "./api-services.ts";
import * as messages from "./messages.ts";
import { type CallExtension, type ExtensionAnswer, ExtensionUnreachable } from "./transport.ts";

export interface ProxyOptions {
  readonly call: CallExtension;
  readonly resolve: ResolveService;
}

export interface ProxiedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly auditId: string;
}

/** Discovery must be answered quickly. */
const DISCOVERY_MS = 5_000;
/** Of bodies that clients send. Extension API servers accept 3 MiB. */
const MAX_BODY = 16 * 1024 * 1024;

/** Answers with 503 while the service is not available. */
export async function proxy(remote: RemoteService, asked: ProxiedRequest, options: ProxyOptions): Promise<ApiResponse> {
  if (!remote.isAvailable) return plainError(503, messages.unavailable());
  const { request, info } = asked;
  const connect = await options.resolve(remote.service).catch(() => undefined);
  if (connect === undefined) return plainError(503, messages.unavailable());
  try {
    const answer = await options.call({
      ...addressOf(remote, connect),
      method: request.method,
      target: targetOf(request, info),
      headers: headersFor(asked),
      body: BODILESS.has(request.method) ? undefined : await request.readBody(MAX_BODY),
      timeoutMs: isDiscovery(info) ? DISCOVERY_MS : undefined,
    });
    return isRedirect(answer) ? refuseRedirect(answer) : toResponse(answer);
  } catch (error) {
    if (!(error instanceof ExtensionUnreachable)) throw error;
    return plainError(503, error.message);
  }
}

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** The parts of a request that depend on the service only. */
export function addressOf({ service, ca, isInsecure }: RemoteService, connect: { host: string; port: number }) {
  return { connect, serverName: `${service.name}.${service.namespace}.svc`, ca, isInsecure };
}

function targetOf(request: ApiRequest, { query }: RequestInfo): string {
  const path = request.target.split("?", 1)[0] ?? "/";
  const text = encodeQuery(query);
  return text === "" ? path : `${path}?${text}`;
}

function isDiscovery({ isResource, path }: RequestInfo): boolean {
  return !isResource && trimBoth(path, "/").split("/").length === 3;
}

/** Headers that are about one connection, or that only this server may set. */
const OWN =
  /^(?::|connection$|keep-alive$|proxy-|te$|trailer$|transfer-encoding$|upgrade$|host$|content-length$|authorization$|impersonate-|x-remote-|audit-id$|x-forwarded-for$|http2-settings$)/;

function headersFor({ request, user, auditId }: ProxiedRequest): HeaderList {
  const passed = request
    .headerNames()
    .filter((name) => !OWN.test(name))
    .flatMap((name) => request.headerValues(name).map((value) => [name, value] as const));
  const before = request.headerValues("x-forwarded-for");
  const forwarded = request.address === undefined ? before : [...before, request.address];
  return [
    ...passed,
    ...(forwarded.length === 0 ? [] : [["X-Forwarded-For", forwarded.join(", ")] as const]),
    ["Audit-Id", auditId],
    ...identityHeaders(user),
  ];
}

/** Extension API servers believe these headers from holders of the proxy's client certificate. */
export function identityHeaders({ name, uid, groups, extra }: User): HeaderList {
  return [
    ["X-Remote-User", name],
    ...(uid === "" ? [] : [["X-Remote-Uid", uid] as const]),
    ...groups.map((group) => ["X-Remote-Group", group] as const),
    ...[...extra].flatMap(([key, values]) => {
      return values.map((value) => [`X-Remote-Extra-${escapeKey(key)}`, value] as const);
    }),
  ];
}

/** Everything that is not a token character, and the percent sign. */
function escapeKey(key: string): string {
  const percent = (character: string): string =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`)
      .join("");
  return key.replace(/[^!#$&'*+\-.^_`|~0-9A-Za-z]/gu, percent);
}

function isRedirect({ status, headers }: ExtensionAnswer): boolean {
  return status >= 300 && status <= 399 && headers.some(([name]) => name.toLowerCase() === "location");
}

function refuseRedirect({ stream }: ExtensionAnswer): ApiResponse {
  stream.cancel();
  return { status: 502, headers: [], body: messages.redirect() };
}

const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

function toResponse({ status, headers, stream }: ExtensionAnswer): ApiResponse {
  return { status, headers: headers.filter(([name]) => !HOP_BY_HOP.test(name)), body: stream };
}

/** As Go's http.Error. */
function plainError(status: number, message: string): ApiResponse {
  const headers = [
    ["Content-Type", "text/plain; charset=utf-8"],
    ["X-Content-Type-Options", "nosniff"],
  ] as const;
  return { status, headers, body: `${message}\n` };
}
