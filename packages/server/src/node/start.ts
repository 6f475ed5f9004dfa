/** A whole server in one call, for tests and for the command line. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import { MASTERS, type User } from "@portcullis/engine/internal/rbac/user";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { type TokenWebhook, tokenWebhookAuthenticator } from "../access/token-webhook.ts";
import { App } from "../app/app.ts";
import type { AppOptions } from "../app/options.ts";
import { type Authenticator, parseTokenFile } from "../auth/authenticate.ts";
import { type RequestHeaders, standardAuthenticators } from "../auth/request-header.ts";
import { openTokenKey } from "../auth/token-key.ts";
import { DEFAULT_ISSUER } from "../auth/tokens.ts";
import type { CallWebhook } from "../conversion/call-webhook.ts";
import { Faults } from "../endpoints/faults.ts";
import { startCompactor } from "../storage/compact.ts";
import { MemoryStore } from "../storage/memory.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "../storage/snapshot.ts";
import type { WatchableStore } from "../storage/store.ts";
import { openCertificates, type ServerCertificates } from "./certificates.ts";
import { checkComponent } from "./component-check.ts";
import { type Created, createThrough } from "./create.ts";
import { createExtensionClient } from "./extension-client.ts";
import { builtThread, heavyWorker } from "./heavy/worker.ts";
import { type ListenOptions, listen, type TlsLimits } from "./listen.ts";
import { Opening } from "./opening.ts";
import { ServingProcesses } from "./processes/serving-processes.ts";
import { nodeSystem, processUsage, wholeSeconds } from "./system.ts";
import { createWebhookClient } from "./webhook-client.ts";

/** Everything `startServer` can be given; nothing is required. */
export interface ServerOptions
  extends Partial<
    Omit<
      AppOptions,
      "store" | "system" | "authenticators" | "lastAuthenticators" | "rootCertificate" | "heavyWorker" | "faults"
    >
  > {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default a free one. */
  readonly port?: number;
  /** Default in memory. */
  readonly store?: WatchableStore;
  /** The text of a token file: lines of `token,user,uid,"groups"`. Without it there is one token, of an administrator. */
  readonly tokenFile?: string;
  /** A webhook that checks bearer tokens which nobody else knows. */
  readonly tokenWebhook?: TokenWebhook;
  /** Additional authenticators. */
  readonly authenticators?: readonly Authenticator[];
  /**
   * "generated" (the default) creates a CA and a certificate. "none" serves plain HTTP, for tests on one machine only. Or
   * the certificates themselves.
   */
  readonly tls?: "generated" | "none" | ServerCertificates;
  /**
   * The folder for generated certificates; without it they are lost when the process ends. Existing files `apiserver.crt`
   * and `apiserver.key` are used.
   */
  readonly certDir?: string;
  /** The CAs whose client certificates are accepted, in PEM; by default the generated CA. */
  readonly clientCa?: string;
  /** Trusted proxies that authenticate users and name them in headers; none if absent. */
  readonly requestHeaders?: RequestHeaders;
  /** The TLS versions and cipher suites that are offered. */
  readonly tlsLimits?: TlsLimits;
  /** The client certificate with which extension API servers recognize this server, in PEM. */
  readonly proxyClient?: { readonly cert: string; readonly key: string };
  /**
   * The file with the code of the thread that performs requests with large bodies. Default the one of this package; false
   * performs them on the main thread.
   */
  readonly heavyThread?: string | false;
  /**
   * The number of processes that serve clients behind one port, in addition to the one with the store and the
   * controllers. Default 1: one process does everything.
   */
  readonly processes?: number;
  /** The file with the code of these processes. Default the one of this package. */
  readonly processFile?: string;
  /** The minimum age of compacted history in milliseconds; 0 turns compaction off. Default five minutes. */
  readonly compactionInterval?: number;
}

/** A server that accepts requests. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** The token of an administrator: the first in the token file, or a generated one. */
  readonly token: string;
  /** The CA that clients must trust, in PEM; undefined for plain HTTP. */
  readonly ca: string | undefined;
  readonly app: App;
  /** The text of a kubeconfig for the administrator. */
  kubeconfig(): string;
  /** Creates an object as an administrator. */
  create(object: JsonObject): Promise<Created>;
  /** Injects faults: slow responses, errors, dropped watches. */
  readonly faults: Faults;
  /** The current objects, for `reset`. */
  snapshot(): Promise<Snapshot>;
  /**
   * Restores a snapshot, by default the state after the start, and removes all faults. Watches stay open and receive the
   * changes.
   */
  reset(snapshot?: Snapshot): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an API server.
 * @example
 * const server = await startServer({ tls: "none" });
 * await writeFile(`${folder}/kubeconfig`, server.kubeconfig());
 * await server.stop();
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 0, tokenFile, tls, authenticators, certDir, clientCa: _ca, ...other } = options;
  const { compactionInterval, heavyThread, proxyClient, processes = 1, processFile: _, now: __, ...more } = other;
  const { requestHeaders, tlsLimits: _limits, tokenWebhook, ...rest } = more;
  const faults = new Faults();
  const store = options.store ?? new MemoryStore();
  const { tokens, token, own } = readTokens(tokenFile ?? "");
  const certificates = await certificatesFor(tls ?? "generated", host, certDir);
  const opening = new Opening<App>();
  const listening = { host, port, tls: certificates && listenerTls(certificates, options) };
  const serving = await startProcesses(options, listening);
  const listener = serving ?? (await listen(opening.promise, listening));
  const clients = newClients(proxyClient);
  let heavy: ReturnType<typeof heavyWorker>;
  const inProcess = {
    ...nodeOptions(host, options.now, certificates?.ca),
    faults,
    callWebhook: clients.callWebhook,
    callExtension: clients.callExtension,
    servicePort: listener.port,
    authenticators: [...standardAuthenticators(tokens, requestHeaders), ...(authenticators ?? [])],
    lastAuthenticators: newTokenWebhook(tokenWebhook, clients.callWebhook, options),
  };
  const app = await opening
    .complete(async () => {
      const tokenKey = options.tokenKey ?? (await openTokenKey(store));
      const appOptions: AppOptions = { ...inProcess, ...rest, store, tokenKey };
      // The other thread has a clock of its own.
      const isAlike = options.callWebhook === undefined && options.now === undefined;
      heavy = isAlike ? heavyWorker(threadFile(heavyThread), appOptions) : undefined;
      const opened = await App.open({ ...appOptions, ...(heavy && { heavyWorker: heavy }) });
      const hasAuthenticators = authenticators !== undefined || tokenWebhook !== undefined;
      const has = { hasTokenKey: options.tokenKey !== undefined, hasAuthenticators };
      const shared = { tokens, processes, compactionInterval, proxyClient, requestHeaders };
      await serving?.open(opened, { app: appOptions, ...shared, ...has });
      return opened;
    })
    .catch(async (error) => {
      await listener.stop();
      clients.close();
      throw error;
    });
  const first = options.store === undefined ? await takeSnapshot(store) : undefined;
  const compactor = startCompactor(store, (error) => options.onDefect?.(error), compactionInterval);
  const stop = async (): Promise<void> => {
    compactor.stop();
    app.beginStop();
    await listener.stop();
    await heavy?.close();
    await app.close();
    clients.close();
  };
  const url = `${certificates === undefined ? "http" : "https"}://${urlHost(host)}:${listener.port}`;
  return {
    url,
    port: listener.port,
    token,
    ca: certificates?.ca,
    app,
    kubeconfig: () => kubeconfig(url, token, certificates?.ca),
    create: (object) => createThrough(app, own, object),
    faults,
    snapshot: () => takeSnapshot(store),
    reset: (snapshot) => reset({ store, app, faults }, snapshot ?? first),
    stop,
  };
}

function listenerTls(certificates: ServerCertificates, options: ServerOptions): ListenOptions["tls"] {
  const { clientCa, tlsLimits, requestHeaders } = options;
  const authorities = clientCa ?? certificates.clientCa ?? certificates.ca;
  return { ...certificates, ...tlsLimits, clientCa: authorities, proxyCa: requestHeaders?.ca };
}

/** How the app reaches webhooks and extension API servers. */
function newClients(identity: ServerOptions["proxyClient"]) {
  const [webhooks, extensions] = [createWebhookClient(), createExtensionClient({ identity })];
  const close = (): void => {
    webhooks.close();
    extensions.close();
  };
  return { callWebhook: webhooks.call, callExtension: extensions.call, close };
}

/** Tokens of service accounts are checked by the server itself, and a webhook is asked about the others. */
function newTokenWebhook(
  webhook: TokenWebhook | undefined,
  call: CallWebhook,
  {
    tokenIssuers = [DEFAULT_ISSUER],
    apiAudiences = tokenIssuers,
    version = SERVER_VERSION,
    featureGates,
  }: ServerOptions,
): Authenticator[] {
  const rules = { version, featureGates };
  const clock = (): number => performance.now();
  return webhook ? [tokenWebhookAuthenticator(webhook, { call, clock, audiences: apiAudiences, rules })] : [];
}

/** What the app gets of the process and its address. */
function nodeOptions(host: string, clock: (() => number) | undefined, ca: string | undefined) {
  return {
    ...IN_NODE,
    now: clock ?? Date.now,
    system: clock === undefined ? nodeSystem : { ...nodeSystem, now: wholeSeconds(clock) },
    ...(isIP(host) === 0 ? {} : { advertiseAddress: reachable(host) }),
    ...(ca === undefined ? {} : { rootCertificate: ca }),
  };
}

/** The tokens of the file and one of our own; `token` is that of an administrator. */
function readTokens(text: string) {
  const tokens = parseTokenFile(text);
  const own = randomBytes(24).toString("base64url");
  const token = [...tokens].find(([, { groups }]) => groups.includes(MASTERS))?.[0] ?? own;
  tokens.set(own, ADMINISTRATOR);
  return { tokens, token, own };
}

const IN_NODE = {
  checkComponent,
  processUsage,
  recordProfile: async (seconds: number) => (await import("./profile.ts")).recordProfile(seconds),
  yieldTurn: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

/** Undefined if one process does everything. */
async function startProcesses(options: ServerOptions, listening: ListenOptions): Promise<ServingProcesses | undefined> {
  const { processes: count = 1, processFile: file, followers } = options;
  const log = (message: string): void => followers?.log?.(message);
  return count > 1 ? ServingProcesses.start({ count, file, listen: listening, log }) : undefined;
}

interface ResetParts {
  readonly store: WatchableStore;
  readonly app: App;
  readonly faults: Faults;
}

async function reset({ store, app, faults }: ResetParts, target: Snapshot | undefined): Promise<void> {
  if (target === undefined) throw new Error("a server with a store of its own is reset to a snapshot only");
  faults.clear();
  // Controllers may follow what is undone, and their writes are undone as well.
  for (const _ of [1, 2]) {
    await restoreSnapshot(store, target);
    await app.settled();
  }
}

function threadFile(wanted: string | false | undefined): string | undefined {
  return wanted === false ? undefined : (wanted ?? builtThread());
}

const ADMINISTRATOR: User = { name: "admin", uid: "admin", groups: [MASTERS], extra: new Map() };

async function certificatesFor(
  tls: NonNullable<ServerOptions["tls"]>,
  host: string,
  certDir: string | undefined,
): Promise<ServerCertificates | undefined> {
  if (tls === "none") return undefined;
  return tls === "generated" ? openCertificates(host, certDir) : tls;
}

function urlHost(host: string): string {
  const address = reachable(host);
  return address.includes(":") ? `[${address}]` : address;
}

/** From this machine at least. */
function reachable(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

function kubeconfig(server: string, token: string, ca: string | undefined): string {
  const cluster = { server, ...(ca && { "certificate-authority-data": Buffer.from(ca).toString("base64") }) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "portcullis", cluster }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "portcullis", context: { cluster: "portcullis", user: "admin" } }],
    "current-context": "portcullis",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
