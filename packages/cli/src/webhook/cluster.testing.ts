/**
 * A cluster for the webhook: our own server, and a fake of the API server's webhook client. The fake reads the stored
 * entry, trusts its caBundle and applies its failurePolicy.
 */
import { request } from "node:https";
import { createAuthority, MemoryStore, type RunningServer, startServer } from "@portcullis/server";
import { type RunningWebhook, startWebhook, type WebhookOptions } from "@portcullis/webhook";
import { expect, vi } from "vitest";

/** Responses are read by path, without types. */
export type Json = ReturnType<typeof JSON.parse>;

const TOKEN = "admin";
const POLICY_API = "/apis/admissionregistration.k8s.io/v1";
export const NAMESPACE = "portcullis-system";
export const NAME = "portcullis-webhook";

export class TestCluster {
  readonly store = new MemoryStore();
  readonly #webhooks: RunningWebhook[] = [];
  #server: RunningServer | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  kubeconfig(): string {
    const cluster = { name: "c", cluster: { server: this.url } };
    const user = { name: "u", user: { token: TOKEN } };
    const context = { name: "c", context: { cluster: "c", user: "u" } };
    return JSON.stringify({ clusters: [cluster], users: [user], contexts: [context], "current-context": "c" });
  }

  static async start(): Promise<TestCluster> {
    const cluster = new TestCluster();
    await cluster.startServer();
    await cluster.create("/api/v1/namespaces", { metadata: { name: NAMESPACE } });
    return cluster;
  }

  async startServer(store = this.store): Promise<void> {
    const tokenFile = `${TOKEN},admin,1,"system:masters"`;
    this.#server = await startServer({ tls: "none", port: this.#port, store, tokenFile });
    this.#port = this.#server.port;
  }

  async stopServer(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  async startWebhook(options: Partial<WebhookOptions> = {}): Promise<RunningWebhook> {
    const webhook = await startWebhook({
      access: { server: this.url, token: () => TOKEN },
      issue: async (hosts) => {
        const authority = await createAuthority(Date.now());
        return { ...(await authority.issue({ commonName: "webhook", hosts })), ca: authority.cert };
      },
      namespace: NAMESPACE,
      name: NAME,
      url: (port) => `https://127.0.0.1:${port}`,
      host: "127.0.0.1",
      port: 0,
      graceMs: 1000,
      ...options,
    });
    this.#webhooks.push(webhook);
    return webhook;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#webhooks.map((webhook) => webhook.stop()));
    await this.stopServer();
  }

  async send(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  async create(path: string, body: object): Promise<Json> {
    const made = await this.send("POST", path, body);
    expect(made.metadata?.uid, made.message).toBeDefined();
    return made;
  }

  async addPolicy(name: string, spec: object): Promise<void> {
    await this.create(`${POLICY_API}/validatingadmissionpolicies`, { metadata: { name }, spec: policySpec(spec) });
  }

  async addBinding(name: string, spec: object = {}): Promise<void> {
    await this.create(`${POLICY_API}/validatingadmissionpolicybindings`, {
      metadata: { name: `${name}-binding` },
      spec: { policyName: name, validationActions: ["Deny"], ...spec },
    });
  }

  /** A policy and a binding of the same name. */
  async enforce(name: string, spec: object, binding: object = {}): Promise<void> {
    await this.addPolicy(name, spec);
    await this.addBinding(name, binding);
  }

  async changePolicy(name: string, change: (spec: Json) => void): Promise<void> {
    const path = `${POLICY_API}/validatingadmissionpolicies/${name}`;
    const policy = await this.send("GET", path);
    change(policy.spec);
    await this.send("PUT", path, policy);
  }

  async removePolicy(name: string): Promise<void> {
    await this.send("DELETE", `${POLICY_API}/validatingadmissionpolicies/${name}`);
  }

  async configuration(): Promise<Json> {
    return this.send("GET", `${POLICY_API}/validatingwebhookconfigurations/${NAME}`);
  }

  async entries(): Promise<Json[]> {
    return (await this.configuration()).webhooks ?? [];
  }

  /** Waits for the entry of a policy. */
  async entry(policy: string): Promise<Json> {
    return vi.waitFor(
      async () => {
        const found = (await this.entries()).find(({ clientConfig }) =>
          clientConfig.url.endsWith(`/policies/${policy}`),
        );
        expect(found).toBeDefined();
        return found;
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  /** The result of a request for which this entry is called. */
  async admit(policy: string, review: object = reviewOf({})): Promise<Admitted> {
    const entry = await this.entry(policy);
    try {
      const { code, text } = await callEntry(entry, review);
      if (code !== 200) throw new Error(`answered with ${code}: ${text}`);
      const { response } = JSON.parse(text);
      return { allowed: response.allowed, message: response.status?.message ?? "", response };
    } catch (error) {
      const message = `failed calling webhook: ${error instanceof Error ? error.message : error}`;
      return { allowed: entry.failurePolicy === "Ignore", message, response: undefined };
    }
  }
}

export interface Admitted {
  readonly allowed: boolean;
  readonly message: string;
  /** Undefined if the call failed. */
  readonly response: Json;
}

export interface Called {
  readonly code: number;
  readonly text: string;
}

/** Each call opens a new connection, so that it sees the current certificate. */
export function callEntry(entry: Json, review: object): Promise<Called> {
  const { url, caBundle } = entry.clientConfig;
  return post(url, Buffer.from(caBundle, "base64").toString(), JSON.stringify(review));
}

export function post(url: string, ca: string, body: string, method = "POST"): Promise<Called> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request(url, { method, ca, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ code: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const CONFIG_MAPS = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps"],
  // The server enforces policies too, and must let the test write other config maps.
  resourceNames: ["settings"],
  operations: ["CREATE", "UPDATE"],
};

function policySpec(spec: object): object {
  return { matchConstraints: { resourceRules: [CONFIG_MAPS] }, ...spec };
}

/** Denies config maps without the key `ok`. */
export const NEEDS_OK = { validations: [{ expression: "has(object.data) && 'ok' in object.data", message: "no ok" }] };

/** A CREATE of a config map by default. */
export function reviewOf(request: object, data?: object): object {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      requestKind: { group: "", version: "v1", kind: "ConfigMap" },
      requestResource: { group: "", version: "v1", resource: "configmaps" },
      name: "settings",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "alice", groups: ["devs"] },
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "settings", namespace: "default" },
        ...(data && { data }),
      },
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
      ...request,
    },
  };
}

export function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 25 });
}
