/** Reads from an API server and never writes. */
import type http from "node:http";
import type net from "node:net";
import type tls from "node:tls";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import type { ClusterAccess } from "./kubeconfig.ts";

const PAGE = 500;
const TIMEOUT = 30_000;

export class ClusterClient {
  readonly #access: ClusterAccess;

  constructor(access: ClusterAccess) {
    this.#access = access;
  }

  /** All items of a collection, page by page. */
  async list(path: string): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    for (let token = ""; ; ) {
      const query = `limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
      const page = await this.get(`${path}?${query}`);
      if (page === undefined) return items;
      if (isArray(page["items"])) items.push(...page["items"].filter(isObject));
      const meta = isObject(page["metadata"]) ? page["metadata"] : {};
      token = typeof meta["continue"] === "string" ? meta["continue"] : "";
      if (token === "") return items;
    }
  }

  /** Undefined if the object does not exist. */
  async get(path: string): Promise<JsonObject | undefined> {
    const { status, body } = await this.#request(path);
    if (status === 404) return undefined;
    const decoded = decodeJson(body);
    if (decoded.error !== undefined || !isObject(decoded.value))
      throw new UsageError(`${this.#access.server}${path}: no JSON in the answer`);
    if (status >= 400) throw new UsageError(`${this.#access.server}: ${String(decoded.value["message"] ?? status)}`);
    return decoded.value;
  }

  async #request(path: string): Promise<{ readonly status: number; readonly body: Buffer }> {
    const { server, ca, cert, key, skipVerify, serverName, impersonation } = this.#access;
    const url = urlOf(server, path);
    const secure = {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      rejectUnauthorized: !skipVerify,
    };
    const headers = {
      accept: "application/json",
      "user-agent": "portcullis",
      ...impersonation,
      ...this.#authorization(),
    };
    const options = { headers, timeout: TIMEOUT, ...secure, ...(await this.#connection(url, secure)) };
    // Most runs read from no cluster, and loading this takes longer than checking an object.
    const { get } = await (url.protocol === "http:" ? import("node:http") : import("node:https"));
    return new Promise((resolve, reject) => {
      const fail = (problem: Error): void => reject(new UsageError(`${server}: ${problem.message}`));
      const request = get(url, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on("error", fail);
      });
      request.on("timeout", () => request.destroy(new Error("no answer in time")));
      request.on("error", fail);
    });
  }

  /** Through a proxy, each request has a connection of its own. */
  async #connection(url: URL, secure: tls.ConnectionOptions): Promise<http.RequestOptions> {
    const { proxy, server, serverName } = this.#access;
    if (proxy === undefined) return {};
    const [{ openTunnel }, { isIP }, { connect }] = await Promise.all([
      import("./proxy.ts"),
      import("node:net"),
      import("node:tls"),
    ]);
    const socket = await openTunnel(proxy, url).catch((problem: Error) => {
      throw new UsageError(`${server}: ${problem.message}`);
    });
    const servername = serverName ?? (isIP(url.hostname) === 0 ? url.hostname : "");
    const createConnection = (): net.Socket =>
      url.protocol === "https:" ? connect({ servername, ...secure, socket }) : socket;
    return { createConnection };
  }

  #authorization(): Record<string, string> {
    const { token, basic } = this.#access;
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    return basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` };
  }
}

/** The server may be at a path of its host, as behind Rancher. */
function urlOf(server: string, path: string): URL {
  return new URL(`${server.replace(/\/+$/, "")}${path}`);
}
