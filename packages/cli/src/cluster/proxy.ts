/** Connections through a proxy: `proxy-url` of a cluster, or the variables that Go programs read. */
import http from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";

const PROTOCOLS = ["http:", "https:", "socks5:"];

/** Undefined for a direct connection. */
export function proxyFor(
  server: string,
  proxyUrl: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  const { protocol, hostname, port } = new URL(server);
  if (proxyUrl !== undefined) return readProxy(proxyUrl);
  const variable = (name: string): string => environment[name] ?? environment[name.toLowerCase()] ?? "";
  const address = variable(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (address === "" || isLocal(hostname) || isExcluded(hostname, port, variable("NO_PROXY"))) return undefined;
  return readProxy(address.includes("://") ? address : `http://${address}`);
}

function readProxy(address: string): URL {
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy === undefined || !PROTOCOLS.includes(proxy.protocol)) {
    throw new UsageError(`\`${address}\` is not a proxy: use http, https or socks5`);
  }
  return proxy;
}

function isLocal(host: string): boolean {
  return host === "localhost" || /^127\./.test(host) || host === "[::1]";
}

/** Names with their subdomains, `*`, and names with a port. */
function isExcluded(host: string, port: string, list: string): boolean {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .some((each) => {
      if (each === "*") return true;
      const [name = "", only] = each.replace(/^\*?\./, "").split(":");
      return (only === undefined || only === port) && (host === name || host.endsWith(`.${name}`));
    });
}

/** A connection to the server through the proxy; TLS to the server is up to the caller. */
export function openTunnel(proxy: URL, server: URL): Promise<Socket> {
  const port = Number(server.port || (server.protocol === "https:" ? 443 : 80));
  const host = server.hostname.replace(/^\[|\]$/g, "");
  return proxy.protocol === "socks5:" ? socksTunnel(proxy, host, port) : connectTunnel(proxy, host, port);
}

function connectTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const user = decodeURIComponent(proxy.username);
  const basic = Buffer.from(`${user}:${decodeURIComponent(proxy.password)}`).toString("base64");
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? https : http).request({
      method: "CONNECT",
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      path: target,
      headers: { host: target, ...(user === "" ? {} : { "proxy-authorization": `Basic ${basic}` }) },
    });
    request.on("connect", ({ statusCode, statusMessage }, socket) => {
      if (statusCode === 200) resolve(socket as Socket);
      else reject(new Error(`the proxy ${proxy.host} answers ${statusCode} ${statusMessage}`));
    });
    request.on("error", (problem) => reject(new Error(`the proxy ${proxy.host}: ${problem.message}`)));
    request.end();
  });
}

const SOCKS = { version: 5, noAuth: 0, connect: 1, name: 3 } as const;

/** RFC 1928 without authentication; the proxy resolves the name. */
async function socksTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = net.connect(Number(proxy.port || 1080), proxy.hostname);
  try {
    socket.write(Buffer.from([SOCKS.version, 1, SOCKS.noAuth]));
    const [, method] = await readBytes(socket, 2);
    if (method !== SOCKS.noAuth) throw new Error("authentication is not supported");
    const name = Buffer.from(host);
    const target = Buffer.from([name.length, ...name, port >> 8, port & 0xff]);
    socket.write(Buffer.concat([Buffer.from([SOCKS.version, SOCKS.connect, 0, SOCKS.name]), target]));
    const [, status, , type] = await readBytes(socket, 4);
    if (status !== 0) throw new Error(`the connection is refused (${status})`);
    const length = type === SOCKS.name ? ((await readBytes(socket, 1))[0] ?? 0) : type === 4 ? 16 : 4;
    await readBytes(socket, length + 2);
    return socket;
  } catch (problem) {
    socket.destroy();
    throw new Error(`the proxy ${proxy.host}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

/** Exactly so many; what follows stays in the socket. */
function readBytes(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const attempt = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes === null) return;
      finish();
      resolve(bytes);
    };
    const fail = (problem?: Error): void => {
      finish();
      reject(problem ?? new Error("it closed the connection"));
    };
    const ended = (): void => fail();
    const finish = (): void => {
      socket.off("readable", attempt).off("error", fail).off("end", ended);
    };
    socket.on("readable", attempt).on("error", fail).on("end", ended);
    attempt();
  });
}
