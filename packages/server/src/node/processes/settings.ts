/** What a process that serves clients has to know. */
import type { User } from "@portcullis/engine/internal/rbac/user";
import { type AppOptions, MAX_REQUESTS_INFLIGHT } from "../../app/options.ts";
import type { RequestHeaders } from "../../auth/request-header.ts";
import type { AuditPolicy } from "../../observe/audit-policy.ts";
import { type HeavySettings, isPortable, settingsOf } from "../heavy/settings.ts";

/** The descriptor of the pipe to the process with the store. */
export const LINK_FD = 4;

export interface ServingSettings extends HeavySettings {
  readonly tokens: ReadonlyMap<string, User>;
  /** Whether there are ways to authenticate beside certificates and these tokens. */
  readonly hasAuthenticators: boolean;
  /** Undefined if nothing is audited. */
  readonly audit: { readonly policy?: AuditPolicy } | undefined;
  readonly isLogging: boolean;
  /** The share of requests that is traced; undefined if none is. */
  readonly traceRatio: number | undefined;
  readonly proxyClient: ProxyClient | undefined;
  readonly requestHeaders: RequestHeaders | undefined;
}

/** The certificate with which extension API servers recognize this server. */
type ProxyClient = { readonly cert: string; readonly key: string };

export interface ServingOptions {
  readonly app: AppOptions;
  readonly tokens: ReadonlyMap<string, User>;
  readonly hasAuthenticators: boolean;
  /** Whether the key for tokens is another than the store's. */
  readonly hasTokenKey: boolean;
  readonly processes: number;
  readonly proxyClient?: ProxyClient | undefined;
  readonly requestHeaders?: RequestHeaders | undefined;
}

export function servingSettings(options: ServingOptions): ServingSettings {
  const { app, tokens, hasAuthenticators, hasTokenKey, processes, proxyClient, requestHeaders } = options;
  const shared = settingsOf(app);
  if (!isPortable(app)) throw new Error("options with code of their own cannot be used with several processes");
  const { audit, maxRequestsInflight = MAX_REQUESTS_INFLIGHT, inflightLimits } = app;
  return {
    ...shared,
    data: {
      ...shared.data,
      maxRequestsInflight: maxRequestsInflight / processes,
      ...(inflightLimits && {
        inflightLimits: {
          readOnly: Math.ceil(inflightLimits.readOnly / processes),
          mutating: Math.ceil(inflightLimits.mutating / processes),
        },
      }),
    },
    tokenKey: hasTokenKey ? shared.tokenKey : undefined,
    tokens,
    hasAuthenticators,
    audit: audit && (audit.policy === undefined ? {} : { policy: audit.policy }),
    isLogging: app.log !== undefined,
    traceRatio: app.tracing?.ratio,
    proxyClient,
    requestHeaders,
  };
}
