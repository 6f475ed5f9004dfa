/** A whole server in one call, for tests and for the command line. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { App, type AppOptions } from "../app.ts";
import { parseTokenFile, tokenAuthenticator } from "../auth/authenticate.ts";
import { MASTERS, type User } from "../auth/user.ts";
import { MemoryStore } from "../storage/memory.ts";
import type { Store } from "../storage/store.ts";
import { listen } from "./listen.ts";

export interface ServerOptions
  extends Partial<Omit<AppOptions, "store" | "system" | "now" | "authenticators" | "rootCertificate">> {
  readonly host?: string;
  /** A free one where absent. */
  readonly port?: number;
  /** In memory where absent. */
  readonly store?: Store;
  /** Lines of `token,user,uid,"groups"`; without it there is one token for an administrator. */
  readonly tokenFile?: string;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** A token of an administrator; "" where a token file was given. */
  readonly token: string;
  readonly app: App;
  stop(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 0, store = new MemoryStore(), tokenFile, ...rest } = options;
  const token = tokenFile === undefined ? randomBytes(24).toString("base64url") : "";
  const tokens = tokenFile === undefined ? new Map([[token, ADMINISTRATOR]]) : parseTokenFile(tokenFile);
  const app = await App.open({
    ...rest,
    store,
    system: nodeSystem,
    now: Date.now,
    authenticators: [tokenAuthenticator(tokens)],
  });
  const listener = await listen(app, { host, port });
  return {
    url: `http://${host}:${listener.port}`,
    port: listener.port,
    token,
    app,
    stop: async () => {
      await app.close();
      await listener.stop();
    },
  };
}

const ADMINISTRATOR: User = { name: "admin", uid: "admin", groups: [MASTERS], extra: new Map() };

const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;

export const nodeSystem = {
  uid: (): string => randomUUID(),
  now: (): string => `${new Date().toISOString().slice(0, 19)}Z`,
  suffix: (): string =>
    Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS.charAt(randomInt(SUFFIX_LETTERS.length))).join(""),
};
