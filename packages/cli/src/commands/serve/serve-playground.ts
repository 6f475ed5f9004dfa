/**
 * Serves the playground over plain HTTP on its own port: static files only, without the API server.
 *
 * It does not share the API server's port, because browsers do not trust that certificate.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Options } from "../../frame/options.ts";

export const PLAYGROUND_PORT = 6480;
export const PLAYGROUND_OPTIONS = { playground: { type: "boolean" }, "playground-port": { type: "string" } } as const;

/** From the options of `serve`; undefined if not requested. */
export async function openPlayground(options: Options): Promise<Playground | undefined> {
  const text = options.text("playground-port");
  if (!options.flag("playground") && text === undefined) return undefined;
  const host = options.text("bind-address") ?? "127.0.0.1";
  const port = text === undefined ? PLAYGROUND_PORT : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`\`${text}\` is not a port`);
  try {
    return await startPlayground({ host, port });
  } catch (problem) {
    if (text !== undefined || !isTaken(problem)) throw problem;
    return startPlayground({ host, port: 0 });
  }
}

function isTaken(problem: unknown): boolean {
  return problem instanceof Error && "code" in problem && problem.code === "EADDRINUSE";
}

export interface Playground {
  readonly url: string;
  stop(): Promise<void>;
}

export interface PlaygroundOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The folder of the built page; found automatically if absent. */
  readonly folder?: string;
}

const PREFIX = "/playground/";

export async function startPlayground({ host, port, folder }: PlaygroundOptions): Promise<Playground> {
  const files = readFiles(folder ?? builtPage());
  const server = createServer((request, response) => answer(request, response, files));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}${PREFIX}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Shipped inside this package; in a checkout next to it. */
function builtPage(): string {
  const folders = [shipped("../playground"), shipped("../dist/playground"), beside()];
  const found = folders.find((folder) => folder !== undefined && existsSync(path.join(folder, INDEX)));
  if (found === undefined) throw new UsageError("the playground is not built; run `npm run build`");
  return found;
}

function shipped(folder: string): string {
  return fileURLToPath(new URL(folder, import.meta.url));
}

function beside(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    return path.join(path.dirname(resolve("@portcullis/playground/package.json")), "dist");
  } catch {
    return undefined;
  }
}

interface PageFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const INDEX = "index.html";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Only files that exist at the start are served, so no path leads anywhere else. */
function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  const policy = securityPolicy(readFileSync(path.join(folder, INDEX), "utf8"));
  return new Map(
    readdirSync(folder).map((name) => {
      const headers = {
        "Content-Type": TYPES[path.extname(name)] ?? "application/octet-stream",
        "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
      };
      return [name, { bytes: readFileSync(path.join(folder, name)), headers }];
    }),
  );
}

/** The page contains its own Content-Security-Policy; the header repeats it. */
function securityPolicy(html: string): string {
  return /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1] ?? "default-src 'none'";
}

function answer(
  { method, url = "/" }: IncomingMessage,
  response: ServerResponse,
  files: ReadonlyMap<string, PageFile>,
) {
  const target = url.split(/[?#]/, 1)[0] ?? "/";
  if (method !== "GET" && method !== "HEAD") return finish(response, 405, "method not allowed\n");
  if (target === "/" || `${target}/` === PREFIX) {
    response.setHeader("Location", PREFIX);
    return finish(response, 302, "");
  }
  const name = target.startsWith(PREFIX) ? target.slice(PREFIX.length) || INDEX : "";
  const file = files.get(name);
  if (file === undefined) return finish(response, 404, "not found\n");
  for (const [header, value] of Object.entries(file.headers)) response.setHeader(header, value);
  response.setHeader("Content-Length", file.bytes.length);
  response.end(method === "HEAD" ? undefined : file.bytes);
}

function finish(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.end(text);
}
