/** What a process that serves clients has to know. */
import type { User } from "@portcullis/engine/internal/rbac/user";
import { type AppOptions, MAX_REQUESTS_INFLIGHT } from "../../app/options.ts";
import type { RequestHeaders } from "../../auth/request-header.ts";
import type { AuditPolicy } from "../../observe/audit-policy.ts";
import type { WatchableStore } from "../../storage/store.ts";
import type { EtcdStoreOptions } from "../etcd/open.ts";
import type { EtcdStore } from "../etcd/store.ts";
import { type HeavySettings, isPortable, settingsOf } from "../heavy/settings.ts";

/** The descriptor of the pipe to the process with the store. */
export const LINK_FD = 4;
/** That of the page with acknowledged revisions. */
export const PAGE_FD = 5;

/**
 * How a process gets at the store. `mirror`: it keeps a copy of that of the process with the store. `etcd`: it has a
 * connection to etcd of its own, as several servers have. `link`: it asks the process with the store for everything.
 */
export type StoreAccess =
  | { readonly kind: "mirror" | "link" }
  | { readonly kind: "etcd"; readonly options: EtcdStoreOptions };

export function storeAccess(store: WatchableStore): StoreAccess {
  const { connection } = store as Partial<EtcdStore>;
  if (connection !== undefined) return { kind: "etcd", options: connection };
  // What other servers write to a shared store is not known here.
  return { kind: store.shared === undefined && store.isBehind === undefined ? "mirror" : "link" };
}

export interface ServingSettings extends HeavySettings {
  readonly access: StoreAccess;
  /** Where the process publishes revisions, and how many do. */
  readonly page: { readonly slot: number; readonly slots: number };
  readonly compactionInterval: number | undefined;
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
  readonly compactionInterval?: number | undefined;
  readonly proxyClient?: ProxyClient | undefined;
  readonly requestHeaders?: RequestHeaders | undefined;
}

export function servingSettings(options: ServingOptions, slot: number): ServingSettings {
  const { app, tokens, hasAuthenticators, hasTokenKey, processes, proxyClient, requestHeaders } = options;
  const { compactionInterval } = options;
  const shared = settingsOf(app);
  if (!isPortable(app)) throw new Error("options with code of their own cannot be used with several processes");
  const { audit, maxRequestsInflight = MAX_REQUESTS_INFLIGHT, inflightLimits } = app;
  return {
    ...shared,
    access: storeAccess(app.store),
    page: { slot, slots: processes },
    compactionInterval,
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
