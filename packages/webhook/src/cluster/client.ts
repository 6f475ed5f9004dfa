/** Requests to the cluster's API server, and watches, which are requests whose answers do not end. */
import http from "node:http";
import https from "node:https";
import { decodeJson, encodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import * as messages from "../messages.ts";
import type { ClusterAccess } from "./access.ts";
import { LineReader } from "./lines.ts";

/** The API server said no. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly status: number;
  /** What it found wrong in the object that was sent. */
  readonly fields: readonly string[];

  constructor(status: number, message: string, fields: readonly string[] = []) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

export interface ObjectList {
  readonly items: readonly JsonObject[];
  readonly resourceVersion: string;
}

export interface WatchOptions {
  readonly query: string;
  readonly signal: AbortSignal;
  /** The watch is given up after this time, whatever the server does. */
  readonly deadlineMs: number;
  readonly onEvent: (type: string, object: JsonObject) => void;
}

const PAGE = 500;
const TIMEOUT_MS = 30_000;
/** Finds out that the other side is gone although nothing is sent. */
const KEEP_ALIVE_MS = 15_000;

export class ClusterClient {
  readonly #access: ClusterAccess;
  readonly #agent: http.Agent;

  constructor(access: ClusterAccess) {
    this.#access = access;
    const options = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS };
    this.#agent = isPlain(access) ? new http.Agent(options) : new https.Agent(options);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Undefined if there is no such thing. */
  async get(path: string): Promise<JsonObject | undefined> {
    try {
      return await this.send("GET", path);
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** All of a collection, page by page, as of one resourceVersion. */
  async list(path: string, query = ""): Promise<ObjectList> {
    const items: JsonObject[] = [];
    for (let token = ""; ; ) {
      const next = token === "" ? "" : `&continue=${encodeURIComponent(token)}`;
      const page = await this.send("GET", `${path}?limit=${PAGE}${query === "" ? "" : `&${query}`}${next}`);
      items.push(...objectsOf(page["items"]));
      const meta = objectOf(page["metadata"]);
      token = textOf(meta["continue"]);
      if (token === "") return { items, resourceVersion: textOf(meta["resourceVersion"]) };
    }
  }

  /** The object in the answer; anything but success is thrown. */
  async send(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const { status, bytes } = await this.#exchange(method, path, body === undefined ? undefined : encodeJson(body));
    const decoded = decodeJson(bytes);
    const object = decoded.error === undefined && isObject(decoded.value) ? decoded.value : undefined;
    if (status >= 400) throw refusalOf(status, object, path);
    if (object === undefined) throw new ClusterError(status, messages.noJson(path));
    return object;
  }

  /** Resolves when the server ends the watch, rejects when it refuses it or the connection breaks. */
  async watch(path: string, { query, signal, deadlineMs, onEvent }: WatchOptions): Promise<void> {
    if (signal.aborted) return;
    const request = this.#open("GET", `${path}?watch=true&${query}`, { agent: false });
    request.on("socket", (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
    const giveUp = (): void => void request.destroy(new Error(messages.noAnswer()));
    const deadline = setTimeout(giveUp, deadlineMs);
    signal.addEventListener("abort", giveUp);
    try {
      await readEvents(request, path, onEvent);
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener("abort", giveUp);
      request.destroy();
    }
  }

  #exchange(method: string, path: string, body?: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      const request = this.#open(method, path, { agent: this.#agent, timeout: TIMEOUT_MS });
      if (body !== undefined) request.setHeader("content-type", "application/json");
      request.on("timeout", () => request.destroy(new Error(messages.noAnswer())));
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
        response.on("error", reject);
      });
      request.end(body);
    });
  }

  #open(method: string, path: string, options: https.RequestOptions): http.ClientRequest {
    const { server, ca, cert, key, skipVerify } = this.#access;
    const url = new URL(path.replace(/^\//, ""), server.endsWith("/") ? server : `${server}/`);
    return (isPlain(this.#access) ? http : https).request(url, {
      ...options,
      method,
      headers: { accept: "application/json", "user-agent": "portcullis-webhook", ...this.#authorization() },
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      rejectUnauthorized: skipVerify !== true,
    });
  }

  #authorization(): Record<string, string> {
    const { basic } = this.#access;
    const token = this.#access.token?.();
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    return basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` };
  }
}

function refusalOf(status: number, body: JsonObject | undefined, path: string): ClusterError {
  const causes = objectsOf(objectOf(body?.["details"])["causes"]);
  const message = textOf(body?.["message"]) || messages.refused(path, status);
  return new ClusterError(
    status,
    message,
    causes.map(({ field }) => textOf(field)),
  );
}

function isPlain({ server }: ClusterAccess): boolean {
  return server.startsWith("http:");
}

function readEvents(request: http.ClientRequest, path: string, onEvent: WatchOptions["onEvent"]): Promise<void> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      const lines = new LineReader();
      const status = response.statusCode ?? 0;
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => {
        try {
          if (status === 200) for (const line of lines.push(chunk)) readEvent(line, onEvent);
        } catch (error) {
          reject(error);
        }
      });
      response.on("end", () => {
        if (status === 200) resolve();
        else reject(new ClusterError(status, messages.refused(path, status)));
      });
    });
    request.end();
  });
}

function readEvent(line: Uint8Array, onEvent: WatchOptions["onEvent"]): void {
  const decoded = decodeJson(line);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error(messages.noJson("watch"));
  onEvent(textOf(decoded.value["type"]), objectOf(decoded.value["object"]));
}
