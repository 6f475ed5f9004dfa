/** Reads from an API server and never writes. */
import type http from "node:http";
import type https from "node:https";
import type net from "node:net";
import type tls from "node:tls";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import type { ClusterAccess } from "./kubeconfig.ts";

const PAGE = 500;
/** A server that lies must not keep a run busy for ever. */
const MAX_PAGES = 2000;
const MAX_BYTES = 1 << 28;
const TIMEOUT_MS = 30_000;
const WHOLE_ANSWER_MS = 300_000;

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly body: Buffer;
}

class ConnectionFailure extends Error {}

export class ClusterClient {
  readonly #access: ClusterAccess;

  constructor(access: ClusterAccess) {
    this.#access = access;
  }

  /** All items of a collection, page by page. */
  async list(path: string): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    let token = "";
    let bytes = 0;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const query = `limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
      const answer = await this.#request(`${path}?${query}`);
      const page = this.#objectIn(answer);
      if (page === undefined) return items;
      bytes += answer.body.length;
      if (bytes > MAX_BYTES) return this.#fail(`the list ${path} has more than ${MAX_BYTES} bytes`);
      for (const item of isArray(page["items"]) ? page["items"] : []) if (isObject(item)) items.push(item);
      const meta = isObject(page["metadata"]) ? page["metadata"] : {};
      const next = typeof meta["continue"] === "string" ? meta["continue"] : "";
      if (next === "") return items;
      if (next === token) break;
      token = next;
    }
    return this.#fail(`the list ${path} does not end`);
  }

  /** Undefined if the object does not exist. */
  async get(path: string): Promise<JsonObject | undefined> {
    return this.#objectIn(await this.#request(path));
  }

  #objectIn({ status, statusText, body }: Answer): JsonObject | undefined {
    if (status === 404) return undefined;
    const decoded = decodeJson(body);
    if (decoded.error !== undefined || !isObject(decoded.value))
      return this.#fail(`the answer is not a JSON object (${status} ${statusText})`);
    const { kind, status: outcome, message } = decoded.value;
    if (status >= 300 || (kind === "Status" && outcome === "Failure"))
      return this.#fail(typeof message === "string" ? message : `${status} ${statusText}`);
    return decoded.value;
  }

  #fail(problem: string): never {
    throw new UsageError(`${this.#access.server}: ${problem}`);
  }

  async #request(path: string): Promise<Answer> {
    const url = urlOf(this.#access.server, path);
    const options = await this.#requestOptions(url);
    // Most runs read from no cluster, and loading this takes longer than checking an object.
    const { get } = await (url.protocol === "http:" ? import("node:http") : import("node:https"));
    const answered = new Promise<Answer>((resolve, reject) => {
      const request = get(url, options, (response) => readBody(response, resolve, giveUp));
      const deadline = setTimeout(() => giveUp("no complete answer in time"), WHOLE_ANSWER_MS);
      const giveUp = (reason: string): void => {
        reject(new ConnectionFailure(reason));
        request.destroy();
      };
      request.on("timeout", () => giveUp("no answer in time"));
      request.on("close", () => clearTimeout(deadline));
      request.on("error", reject);
    });
    return answered.catch((problem: unknown) => this.#fail(reasonOf(problem)));
  }

  async #requestOptions(url: URL): Promise<https.RequestOptions> {
    const { ca, cert, key, skipVerify, serverName, impersonation } = this.#access;
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
    return { headers, timeout: TIMEOUT_MS, ...secure, ...(await this.#connection(url, secure)) };
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

/** Errors of the connection, and credentials that cannot be sent, have codes. Bugs are thrown. */
function reasonOf(problem: unknown): string {
  if (problem instanceof ConnectionFailure) return problem.message;
  if (!(problem instanceof Error && "code" in problem)) throw problem;
  if (/wrong version number|packet length too long/.test(problem.message)) return "the server does not use TLS";
  return String(problem.code).startsWith("ERR_OSSL") ? `certificate or key: ${problem.message}` : problem.message;
}

function readBody(
  response: http.IncomingMessage,
  resolve: (answer: Answer) => void,
  giveUp: (reason: string) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) giveUp(`the answer has more than ${MAX_BYTES} bytes`);
    else chunks.push(chunk);
  });
  response.on("end", () => {
    const { statusCode: status = 0, statusMessage: statusText = "" } = response;
    resolve({ status, statusText, body: Buffer.concat(chunks) });
  });
  response.on("error", ({ message }) => giveUp(message));
}

/** The server may be at a path of its host, as behind Rancher. */
function urlOf(server: string, path: string): URL {
  return new URL(`${server.replace(/\/+$/, "")}${path}`);
}
