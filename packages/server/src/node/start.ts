/** A whole server in one call, for tests and for the command line. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { JsonObject } from "@portcullis/engine/value/json";
import { App, type AppOptions } from "../app.ts";
import {
  type Authenticator,
  certificateAuthenticator,
  parseTokenFile,
  tokenAuthenticator,
} from "../auth/authenticate.ts";
import { openTokenKey } from "../auth/token-key.ts";
import { MASTERS, type User } from "../auth/user.ts";
import { startCompactor } from "../storage/compact.ts";
import { MemoryStore } from "../storage/memory.ts";
import type { Store } from "../storage/store.ts";
import { openCertificates, type ServerCertificates } from "./certificates.ts";
import { type Created, createThrough } from "./create.ts";
import { type ListenOptions, listen } from "./listen.ts";
import { createWebhookClient } from "./webhook-client.ts";

export interface ServerOptions
  extends Partial<Omit<AppOptions, "store" | "system" | "now" | "authenticators" | "rootCertificate">> {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default a free one. */
  readonly port?: number;
  /** Default in memory. */
  readonly store?: Store;
  /** The text of a token file: lines of `token,user,uid,"groups"`. Without it there is one token, of an administrator. */
  readonly tokenFile?: string;
  /** Further ways to find out who asks. */
  readonly authenticators?: readonly Authenticator[];
  /**
   * "generated" (the default) makes an authority and a certificate, "none" serves plain HTTP, which is for tests on one
   * machine only; or the certificates themselves.
   */
  readonly tls?: "generated" | "none" | ServerCertificates;
  /** Where generated certificates are kept; without it they live as long as the process. */
  readonly certDir?: string;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** A token of an administrator; "" where a token file was given. */
  readonly token: string;
  /** What clients must trust, in PEM; undefined for plain HTTP. */
  readonly ca: string | undefined;
  readonly app: App;
  /** The text of a kubeconfig for the administrator. */
  kubeconfig(): string;
  /** Creates an object as an administrator. */
  create(object: JsonObject): Promise<Created>;
  stop(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const {
    host = "127.0.0.1",
    port = 0,
    store = new MemoryStore(),
    tokenFile,
    tls,
    authenticators,
    certDir,
    ...rest
  } = options;
  const token = tokenFile === undefined ? randomBytes(24).toString("base64url") : "";
  const tokens = tokenFile === undefined ? new Map([[token, ADMINISTRATOR]]) : parseTokenFile(tokenFile);
  const own = randomBytes(24).toString("base64url");
  tokens.set(own, ADMINISTRATOR);
  const certificates = await certificatesFor(tls ?? "generated", host, certDir);
  const webhooks = createWebhookClient();
  const app = await App.open({
    callWebhook: webhooks.call,
    ...rest,
    ...(certificates === undefined ? {} : { rootCertificate: certificates.ca }),
    store,
    tokenKey: options.tokenKey ?? (await openTokenKey(store)),
    system: nodeSystem,
    now: Date.now,
    authenticators: [certificateAuthenticator, tokenAuthenticator(tokens), ...(authenticators ?? [])],
  });
  const compactor = startCompactor(store, (error) => options.onDefect?.(error));
  const listener = await listen(app, { host, port, tls: certificates && listenTls(certificates) });
  const url = `${certificates === undefined ? "http" : "https"}://${urlHost(host)}:${listener.port}`;
  return {
    url,
    port: listener.port,
    token,
    ca: certificates?.ca,
    app,
    kubeconfig: () => kubeconfig(url, token, certificates?.ca),
    create: (object) => createThrough(app, own, object),
    stop: async () => {
      compactor.stop();
      await listener.stop();
      await app.close();
      webhooks.close();
    },
  };
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

function listenTls({ cert, key, ca }: ServerCertificates): NonNullable<ListenOptions["tls"]> {
  return { cert, key, clientCa: ca };
}

function urlHost(host: string): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return reachable.includes(":") ? `[${reachable}]` : reachable;
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

const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;

export const nodeSystem = {
  uid: (): string => randomUUID(),
  now: (): string => `${new Date().toISOString().slice(0, 19)}Z`,
  suffix: (): string =>
    Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS.charAt(randomInt(SUFFIX_LETTERS.length))).join(""),
};
