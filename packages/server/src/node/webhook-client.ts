/**
 * Calling webhooks over HTTPS: bounded in time and size, on connections that are kept open.
 *
 * Admission webhooks may redirect and ask for a repetition with `Retry-After`, as Go's client allows; conversion webhooks
 * may not.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent, type RequestOptions, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, createSecureContext, type SecureContext } from "node:tls";
import type { WebhookAnswer } from "@portcullis/engine/internal/webhooks/answer";
import { quote } from "@portcullis/gostd/quote";
import { parse } from "@portcullis/gostd/url";
import { type CallWebhook, type WebhookRequest, WebhookUnreachable } from "../conversion/call-webhook.ts";
import { posting } from "../conversion/messages.ts";
import { BoundedCache } from "../webhooks/bounded-cache.ts";
import { readAnswer } from "./webhook-answer.ts";
import { brokenOff, identityProblem, type Target, unreachable } from "./webhook-errors.ts";

export interface WebhookClient {
  readonly call: CallWebhook;
  /** Closes idle connections. */
  close(): void;
}

export interface WebhookClientOptions {
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** To one webhook at a time. */
const MAX_CONNECTIONS = 256;
/** Webhooks with the same CAs share one: parsing certificates takes longer than a call. */
const MAX_CONTEXTS = 200;
type SecureContexts = BoundedCache<string, SecureContext>;

export function createWebhookClient(options: WebhookClientOptions = {}): WebhookClient {
  const { timeoutMs = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: "lifo" } as const;
  const agents = { https: new Agent(pool), http: new HttpAgent(pool) };
  const contexts: SecureContexts = new BoundedCache(MAX_CONTEXTS);
  return {
    call: (sent) => {
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(sent.timeoutMs ?? timeoutMs)));
      return callRepeatedly(sent, { agents, contexts, maxAnswerBytes, signal });
    },
    close: () => {
      agents.https.destroy();
      agents.http.destroy();
    },
  };
}

interface Exchange {
  readonly agents: { readonly https: Agent; readonly http: HttpAgent };
  readonly contexts: SecureContexts;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

const MAX_RETRIES = 10;

/** An overloaded webhook says when to come back. */
async function callRepeatedly(sent: WebhookRequest, exchange: Exchange): Promise<WebhookAnswer> {
  for (let attempt = 1; ; attempt++) {
    const { retryAfter, ...answer } = await follow(sent, exchange);
    const isBusy = answer.code === 429 || answer.code >= 500;
    const isOver = sent.isRepeatable !== true || attempt > MAX_RETRIES;
    if (!isBusy || isOver || retryAfter === undefined || !/^[+-]?\d+$/.test(retryAfter)) return answer;
    if (!(await waits(Math.max(0, Number(retryAfter)), exchange.signal))) throw new WebhookUnreachable(timedOut(sent));
  }
}

/** False where the time of the call is over before. */
function waits(seconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(seconds * 1000, true, { signal }).catch(() => false);
}

const MAX_REQUESTS = 10;
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Received extends WebhookAnswer {
  readonly retryAfter: string | undefined;
}

/** One request and the places it is sent on to. */
async function follow(sent: WebhookRequest, exchange: Exchange): Promise<Received> {
  let hop: Hop = { url: new URL(sent.url), method: "POST", referer: undefined };
  for (let requests = 1; ; requests++) {
    const incoming = await send(sent, hop, exchange).catch((error) => refuse(error, hop));
    const { statusCode: code = 0, headers } = incoming;
    if (code >= 300 && code < 400 && sent.isRepeatable !== true) {
      incoming.destroy();
      throw new WebhookUnreachable("redirects are not followed");
    }
    const location = REDIRECTS.has(code) ? headers.location : undefined;
    if (location === undefined) {
      const body = await readAnswer(incoming, exchange.maxAnswerBytes, () => interruption(sent, exchange.signal));
      return { code, contentType: headers["content-type"] ?? "", body, retryAfter: headers["retry-after"] };
    }
    incoming.resume();
    hop = nextHop(hop, location, code);
    if (requests === MAX_REQUESTS) throw elsewhere(location, tooManyRedirects());
  }
}

/** Where a request is sent. */
interface Hop {
  readonly url: URL;
  readonly method: "POST" | "GET";
  /** Where it was sent before. */
  readonly referer: string | undefined;
}

function nextHop({ url, method }: Hop, location: string, code: number): Hop {
  const problem = parse(location).error ?? (URL.canParse(location, url.href) ? undefined : "invalid URL");
  if (problem !== undefined) throw new WebhookUnreachable(badLocation(location, problem));
  const next = new URL(location, url);
  return { url: next, method: KEEPS_METHOD.has(code) ? method : "GET", referer: url.href };
}

const tooManyRedirects = (): string => `stopped after ${MAX_REQUESTS} redirects`;
const badLocation = (location: string, problem: string): string =>
  `failed to parse Location header ${quote(location)}: ${problem}`;

/** An error about another place than the one that was asked first names that place. */
function refuse(error: unknown, { url, referer }: Hop): never {
  const isElsewhere = referer !== undefined && error instanceof WebhookUnreachable && !error.isComplete;
  throw isElsewhere ? elsewhere(url.href, error.message) : error;
}

function elsewhere(url: string, reason: string): WebhookUnreachable {
  return new WebhookUnreachable(posting(url, reason), { isComplete: true });
}

/** Resolves when the head of the answer is there. */
function send(sent: WebhookRequest, hop: Hop, { agents, contexts, signal }: Exchange): Promise<IncomingMessage> {
  const { url, method } = hop;
  const target = targetOf(url, sent);
  const body = method === "POST" ? sent.body : undefined;
  return new Promise((resolve, reject) => {
    const isPlain = url.protocol === "http:";
    if (!isPlain && url.protocol !== "https:") {
      reject(new WebhookUnreachable(`unsupported protocol scheme "${url.protocol.replace(/:$/, "")}"`));
      return;
    }
    const options = requestOptions(hop, target, body, sent);
    const outgoing = isPlain
      ? requestHttp({ ...options, method, signal, agent: agents.http }, resolve)
      : requestHttps({ ...options, ...tlsOptions(url, sent, contexts), method, signal, agent: agents.https }, resolve);
    outgoing.on("error", (error) =>
      reject(signal.aborted ? new WebhookUnreachable(timedOut(sent)) : unreachable(error, target)),
    );
    outgoing.end(body);
  });
}

/** A service is connected to where it was resolved to; a place that it redirects to is not. */
function targetOf(url: URL, { connect, url: original }: WebhookRequest): Target {
  if (connect !== undefined && url.host === new URL(original).host) return connect;
  const standard = url.protocol === "http:" ? 80 : 443;
  return { host: bareHost(url.hostname), port: url.port === "" ? standard : Number(url.port) };
}

function requestOptions(
  { url, referer }: Hop,
  { host, port }: Target,
  body: string | undefined,
  { isRepeatable, headers }: WebhookRequest,
): RequestOptions {
  return {
    host,
    port,
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      "user-agent": "kube-apiserver-admission",
      accept: "application/json, */*",
      ...(isRepeatable === true ? { "accept-encoding": "gzip" } : {}),
      ...headers,
      ...(referer === undefined ? {} : { referer }),
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    },
  };
}

/** A certificate must be of the name in the URL, wherever the connection leads. */
function tlsOptions(
  url: URL,
  { ca, identity, isInsecure = false, serverName }: WebhookRequest,
  contexts: SecureContexts,
): RequestOptions & Pick<ConnectionOptions, "secureContext"> {
  const host = serverName ?? bareHost(url.hostname);
  // The agent distinguishes connections by these, and not by their context.
  const trust = { ...(ca === undefined ? {} : { ca, ...TRUST_AS_GIVEN }), ...identity };
  const key = [ca, identity?.cert, identity?.key].join("\0");
  return {
    servername: isIP(host) === 0 ? host : "",
    checkServerIdentity: (_, certificate) => identityProblem(host, certificate),
    ...trust,
    ...(isInsecure && { rejectUnauthorized: false }),
    secureContext: contexts.get(key, () => createSecureContext(trust)),
  };
}

/** A bundle may name the webhook's own certificate instead of an authority. Known since Node 20.18. */
const TRUST_AS_GIVEN: RequestOptions & { allowPartialTrustChain: boolean } = { allowPartialTrustChain: true };

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The time of a conversion is the client's own, which Go reports in more words. */
function timedOut({ timeoutMs }: WebhookRequest): string {
  const reason = "context deadline exceeded";
  return timeoutMs === undefined ? `${reason} (Client.Timeout exceeded while awaiting headers)` : reason;
}

function interruption({ timeoutMs }: WebhookRequest, { aborted }: AbortSignal): WebhookUnreachable {
  if (!aborted) return brokenOff("unexpected EOF");
  const reason = "context deadline exceeded";
  return brokenOff(
    timeoutMs === undefined ? `${reason} (Client.Timeout or context cancellation while reading body)` : reason,
  );
}
