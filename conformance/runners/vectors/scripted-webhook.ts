/** An HTTPS webhook that answers as vectors script it, and keeps what it was sent. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer, type Server } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAuthority } from "@portcullis/server";
import type { HookScript, Vector } from "./vector.ts";

type Json = ReturnType<typeof JSON.parse>;

/** One review that a webhook was sent. */
export interface HookCall {
  readonly hook: string;
  readonly method: string;
  readonly query: string;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

/** What one vector has to do with the webhook. */
export interface HookSession {
  readonly scripts: NonNullable<Vector["webhooks"]>;
  readonly counts: Map<string, number>;
  calls: HookCall[];
}

export class ScriptedWebhook {
  readonly port: number;
  readonly closedPort: number;
  /** In base64: of the authority, of one that signed nothing, and of the webhook itself. */
  readonly certificates: { readonly ca: string; readonly other: string; readonly own: string };
  readonly #server: Server;
  readonly #sessions: Map<string, HookSession>;

  private constructor(
    server: Server,
    sessions: Map<string, HookSession>,
    certificates: ScriptedWebhook["certificates"],
    closedPort: number,
  ) {
    this.#server = server;
    this.#sessions = sessions;
    this.certificates = certificates;
    this.closedPort = closedPort;
    this.port = portOf(server);
  }

  static async start(): Promise<ScriptedWebhook> {
    const [authority, other] = [await createAuthority(Date.now()), await createAuthority(Date.now())];
    const { cert, key } = await authority.issue({ commonName: "webhook", hosts: ["127.0.0.1", "*.default.svc"] });
    const sessions = new Map<string, HookSession>();
    const server = createHttpsServer({ cert, key }, (request, response) => {
      respond(request, response, sessions).catch((error) => response.destroy(error));
    });
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const certificates = { ca: base64(authority.cert), other: base64(other.cert), own: base64(cert) };
    return new ScriptedWebhook(server, sessions, certificates, await closedPort());
  }

  open(name: string, scripts: HookSession["scripts"]): HookSession {
    const session: HookSession = { scripts, counts: new Map(), calls: [] };
    this.#sessions.set(name, session);
    return session;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Fills in where the webhook is and who vouches for it. */
  fill(text: string): string {
    const { ca, other, own } = this.certificates;
    return text
      .replaceAll("{{webhookUrl}}", "https://127.0.0.1:{{port}}/{{n}}")
      .replaceAll('"{{port}}"', String(this.port))
      .replaceAll("{{port}}", String(this.port))
      .replaceAll("{{closedPort}}", String(this.closedPort))
      .replaceAll("{{caBundle}}", ca)
      .replaceAll("{{otherCaBundle}}", other)
      .replaceAll("{{servingCert}}", own);
  }

  /** The way back. */
  clear(text: string, short: string): string {
    const { ca, other, own } = this.certificates;
    return text
      .replaceAll(ca, "{{caBundle}}")
      .replaceAll(other, "{{otherCaBundle}}")
      .replaceAll(own, "{{servingCert}}")
      .replace(new RegExp(`"port":${this.port}\\b`, "g"), '"port":"{{port}}"')
      .replaceAll(`:${this.port}`, ":{{port}}")
      .replaceAll(`:${this.closedPort}`, ":{{closedPort}}")
      .replaceAll(`https://127.0.0.1:{{port}}/${short}`, "{{webhookUrl}}")
      .replace(/127\.0\.0\.1:\d+->/g, "127.0.0.1:<port>->")
      .replaceAll(`${short}-gen-`, "{{n}}-gen-")
      .replace(/(\{\{n\}\}-gen-)[a-z0-9]{5}(?![a-z0-9])/g, "$1<gen>");
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function portOf(server: Server | ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: ReadonlyMap<string, HookSession>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const url = new URL(request.url ?? "/", "https://webhook");
  const [, short = "", ...rest] = url.pathname.split("/");
  const session = sessions.get(short);
  if (session === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [hook, text] = [rest.join("/"), Buffer.concat(chunks).toString()];
  const script = scriptFor(hook, session);
  const { method = "", headers } = request;
  session.calls.push({ hook, method, query: url.search.slice(1), text, headers });
  if (script.delayMs !== undefined) await sleep(script.delayMs);
  if (script.hangup === true) request.socket.destroy();
  else write(response, script, text === "" ? {} : JSON.parse(text));
}

/** The last of several scripts repeats. */
function scriptFor(hook: string, { scripts, counts }: HookSession): HookScript {
  const list = [scripts[hook] ?? {}].flat();
  const count = counts.get(hook) ?? 0;
  counts.set(hook, count + 1);
  return list[Math.min(count, list.length - 1)] ?? {};
}

function write(response: ServerResponse, script: HookScript, review: Json): void {
  response.statusCode = script.httpStatus ?? 200;
  response.setHeader("content-type", "application/json");
  for (const [name, value] of Object.entries(script.headers ?? {})) {
    if (value === null) response.removeHeader(name);
    else response.setHeader(name, value);
  }
  const uid = review.request?.uid;
  response.end(script.raw?.replaceAll("{{uid}}", uid) ?? JSON.stringify(documentOf(script, review)));
}

function documentOf(script: HookScript, review: Json): Json {
  const header = {
    apiVersion: script.apiVersion === undefined ? review.apiVersion : script.apiVersion,
    kind: script.kind === undefined ? "AdmissionReview" : script.kind,
  };
  const document = { ...header, ...(script.noResponse === true ? {} : { response: responseOf(script, review) }) };
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}

function responseOf(script: HookScript, review: Json): Json {
  const { patch, patchType, ...own } = script.respond ?? { allowed: true };
  const uid = script.uid === undefined ? review.request?.uid : script.uid;
  const text = script.patchText ?? (patch === undefined ? undefined : JSON.stringify(patch));
  const sent = script.patchRaw ?? (text === undefined ? undefined : base64(text));
  const type = patchType === undefined && sent !== undefined ? "JSONPatch" : (patchType ?? undefined);
  return {
    ...(uid === null ? {} : { uid }),
    ...own,
    ...(sent === undefined ? {} : { patch: sent }),
    ...(type === undefined ? {} : { patchType: type }),
  };
}
