/**
 * A stand-in for etcd, for envtest: it answers health checks and stores nothing. `portcullis-kube-apiserver` recognizes it
 * and keeps its objects in memory.
 */
import { createServer, get, type Server } from "node:http";
import type { CommandIo } from "../../frame/command.ts";

const MARK = "/portcullis";
const DEFAULT_URL = "http://localhost:2379";
const CHECK_MS = 1_000;

/** envtest looks for the flags that it would like to use. */
const HELP = `portcullis-etcd [flags]

Answers health checks as etcd does, and stores nothing: portcullis-kube-apiserver keeps objects in memory.

  --listen-client-urls  the addresses to listen on (default ${DEFAULT_URL})

These and all other flags have no effect:

  --advertise-client-urls
  --data-dir
  --listen-peer-urls
  --unsafe-no-fsync
`;

/** Resolves to the exit code when it is stopped. All flags but `--listen-client-urls` are ignored. */
export async function runEtcdStub(args: readonly string[], io: CommandIo): Promise<number> {
  if (args.some((arg) => /^--?h(elp)?$/.test(arg))) {
    io.stdout(HELP);
    return 0;
  }
  const close = await startEtcdStub(args);
  io.stderr("no data is stored; portcullis-kube-apiserver keeps objects in memory\n");
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  close();
  return 0;
}

/** Resolves when it listens; the returned function ends it. */
export async function startEtcdStub(args: readonly string[]): Promise<() => void> {
  const servers = await Promise.all(urlsOf(args).map(listen));
  return () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
}

function urlsOf(args: readonly string[]): string[] {
  const at = args.findIndex((arg) => /^--?listen-client-urls(=|$)/.test(arg));
  const value = args[at]?.split("=")[1] ?? args[at + 1];
  return (at < 0 || value === undefined ? DEFAULT_URL : value).split(",");
}

function listen(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const server = createServer((request, response) => {
    const isKnown = request.url === "/health" || request.url === MARK;
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
    response.end(isKnown ? '{"health":"true","reason":""}' : "404 page not found\n");
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ""), () => resolve(server));
  });
}

/** Whether the stand-in answers at the address of an etcd. */
export function isEtcdStub(endpoint: string): Promise<boolean> {
  if (!endpoint.startsWith("http://")) return Promise.resolve(false);
  return new Promise((resolve) => {
    const request = get(`${endpoint.replace(/\/$/, "")}${MARK}`, { timeout: CHECK_MS, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}
