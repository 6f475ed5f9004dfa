/** An app for tests: no sockets, a fixed clock, an administrator and a user without permissions. */

import { parseTokenFile, tokenAuthenticator } from "../auth/authenticate.ts";
import { MemoryStore } from "../storage/memory.ts";
import { App } from "./app.ts";
import type { AppOptions } from "./options.ts";

/** Tests read responses by path, without types. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly code: number;
  readonly json: Json;
  readonly text: string;
  readonly warnings: string;
  readonly headers: Headers;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly raw?: string;
  readonly type?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

export interface Client {
  readonly app: App;
  readonly store: MemoryStore;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  get(path: string, options?: SendOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: SendOptions): Promise<Answer>;
  put(path: string, body: unknown, options?: SendOptions): Promise<Answer>;
  /** A merge patch. */
  patch(path: string, body: unknown, options?: SendOptions): Promise<Answer>;
  delete(path: string, options?: SendOptions): Promise<Answer>;
  /** Opens a watch; `next` waits for an event, `close` ends it. */
  watch(path: string): Promise<{ next(): Promise<Json>; close(): Promise<void> }>;
}

export const NOW = Date.parse("2026-01-02T03:04:05Z");

/** `extend` may add what depends on the other options. */
export async function openClient(
  options: Partial<AppOptions> = {},
  extend: (options: AppOptions) => Partial<AppOptions> = () => ({}),
): Promise<Client> {
  const store = new MemoryStore();
  let serial = 0;
  const all: AppOptions = {
    store,
    system: {
      uid: () => `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`,
      now: () => "2026-01-02T03:04:05Z",
      suffix: () => String(++serial).padStart(5, "x"),
    },
    now: () => NOW,
    authenticators: [tokenAuthenticator(parseTokenFile('admin,admin,1,"system:masters"\nalice,alice,2,"devs"'))],
    ...options,
  };
  const app = await App.open({ ...all, ...extend(all) });
  const request = (method: string, path: string, send: SendOptions): Request => {
    const body = send.raw ?? (send.body === undefined ? undefined : JSON.stringify(send.body));
    const headers: Record<string, string> = { authorization: `Bearer ${send.token ?? "admin"}`, ...send.headers };
    if (body !== undefined) headers["content-type"] = send.type ?? "application/json";
    return new Request(`http://test${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  };
  const send = async (method: string, path: string, sent: SendOptions = {}): Promise<Answer> => {
    const response = await app.fetch(request(method, path, sent));
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
    const warnings = response.headers.get("warning") ?? "";
    return {
      code: response.status,
      json: isJson ? JSON.parse(text) : undefined,
      text,
      warnings,
      headers: response.headers,
    };
  };
  return {
    app,
    store,
    send,
    get: (path, sent) => send("GET", path, sent),
    post: (path, body, sent) => send("POST", path, { body, ...sent }),
    put: (path, body, sent) => send("PUT", path, { body, ...sent }),
    patch: (path, body, sent) => send("PATCH", path, { body, type: "application/merge-patch+json", ...sent }),
    delete: (path, sent) => send("DELETE", path, sent),
    watch: async (path) => {
      const response = await app.fetch(request("GET", path, {}));
      return readLines(response);
    },
  };
}

function readLines(response: Response): { next(): Promise<Json>; close(): Promise<void> } {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("the answer has no body");
  const decoder = new TextDecoder();
  let rest = "";
  return {
    next: async () => {
      while (!rest.includes("\n")) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        rest += decoder.decode(value, { stream: true });
      }
      const end = rest.indexOf("\n");
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return JSON.parse(line);
    },
    close: () => reader.cancel(),
  };
}

export const WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A CRD for widgets with status, scale, columns, a selectable field and a second version. */
export function widgetDefinition(): Json {
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            size: { type: "integer", minimum: 0, default: 1 },
            color: { type: "string" },
            replicas: { type: "integer" },
          },
        },
        status: { type: "object", properties: { phase: { type: "string" }, replicas: { type: "integer" } } },
      },
    },
  };
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema,
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    },
    additionalPrinterColumns: [
      { name: "Size", type: "integer", jsonPath: ".spec.size" },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ],
    selectableFields: [{ jsonPath: ".spec.color" }],
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
      versions: [version("v1", true), version("v2", false)],
    },
  };
}

export function widget(name: string, more: Json = {}): Json {
  const { metadata, ...rest } = more;
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, ...metadata }, ...rest };
}

/** A client of an app that serves widgets. */
export async function openWithWidgets(options: Partial<AppOptions> = {}): Promise<Client> {
  const client = await openClient(options);
  const made = await client.post(DEFINITIONS, widgetDefinition());
  if (made.code !== 201) throw new Error(made.text);
  await client.app.settled();
  return client;
}
