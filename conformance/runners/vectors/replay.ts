/** Sends the steps of a vector to a server inside the process and returns the responses in comparable form. */
import type { App } from "@portcullis/server";
import { parseExactly, pointTo, steadyText, withoutIdentity, withoutVolatile } from "./normal.ts";
import type { HookCall, ScriptedWebhook } from "./scripted-webhook.ts";
import type { Outcome, Step, Vector } from "./vector.ts";

type Json = ReturnType<typeof JSON.parse>;

/** A response as it came. */
export interface Answer {
  readonly code: number;
  readonly json: Json;
  readonly text: string;
  readonly warnings: readonly string[];
}

export interface Names {
  readonly group: string;
  readonly short: string;
  readonly captured: Record<string, string>;
  readonly webhook: ScriptedWebhook | undefined;
}

let serial = 0;

/** `webhook` answers for the webhooks of vectors that have some. */
export async function replay(app: App, vector: Vector, webhook?: ScriptedWebhook): Promise<Outcome[]> {
  const id = (serial++).toString(36).padStart(12, "0");
  const names: Names = { group: `g${id}.example.com`, short: `n${id}`, captured: {}, webhook };
  const outcomes: Outcome[] = [];
  const session = vector.webhooks && webhook?.open(names.short, withNames(vector.webhooks, names));
  for (const step of vector.setup ?? []) {
    const answer = await perform(app, step, names);
    if (answer.code >= 400 && step.until === undefined)
      outcomes.push({ setupFailed: anonymous(outcomeOf(answer, step), names) });
  }
  for (const step of vector.steps) {
    if (session !== undefined) session.calls = [];
    const outcome = outcomeOf(await perform(app, step, names), step);
    const calls = session && (await comparableCalls(app, session.calls, vector, step));
    outcomes.push(anonymous({ ...outcome, ...(calls && { calls }) }, names));
  }
  for (const step of vector.cleanup ?? []) await perform(app, step, names);
  return outcomes;
}

async function perform(app: App, step: Step, names: Names): Promise<Answer> {
  const named: Step = withNames(step, names);
  const current = JSON.stringify(named).includes("{{rv}}") ? await currentVersion(app, named) : undefined;
  const final: Step = current === undefined ? named : JSON.parse(JSON.stringify(named).replaceAll("{{rv}}", current));
  const answer = await send(app, final);
  await app.settled();
  for (const [name, pointer] of Object.entries(final.capture ?? {}))
    names.captured[name] = String(pointTo(answer.json, pointer) ?? "");
  return answer;
}

async function currentVersion(app: App, { path }: Step): Promise<string> {
  const target = path.replace(/\?.*$/, "").replace(/\/(status|scale)$/, "");
  return (await send(app, { path: target })).json?.metadata?.resourceVersion ?? "0";
}

async function send(app: App, step: Step): Promise<Answer> {
  const query = new URLSearchParams(step.query ?? {}).toString();
  const target = query === "" ? step.path : `${step.path}${step.path.includes("?") ? "&" : "?"}${query}`;
  const written = step.raw ?? (step.body === undefined ? undefined : JSON.stringify(step.body));
  const body = written?.replace(/\{\{pad:(\d+)\}\}/g, (_, count) => "x".repeat(Number(count)));
  const headers = new Map(
    Object.entries({ accept: "application/json", authorization: `Bearer ${step.as ?? "admin"}`, ...step.headers }).map(
      ([name, value]) => [name.toLowerCase(), value],
    ),
  );
  if (body !== undefined) headers.set("content-type", step.contentType ?? "application/json");
  const response = await app.handle({
    method: step.method ?? "GET",
    target,
    header: (name) => headers.get(name),
    headerValues: (name) => [headers.get(name) ?? []].flat(),
    headerNames: () => [...headers.keys()],
    readBody: async () => new TextEncoder().encode(body ?? ""),
  });
  const text =
    typeof response.body === "string"
      ? response.body
      : response.body instanceof Uint8Array
        ? new TextDecoder().decode(response.body)
        : "";
  const warnings = response.headers
    .filter(([name]) => name.toLowerCase() === "warning")
    .map(([, value]) => asHeader(value));
  return { code: response.status, json: tryParse(text), text, warnings };
}

/** What a client that reads headers as Latin-1 sees of UTF-8. */
function asHeader(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function tryParse(text: string): Json {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

export function outcomeOf({ code, json, text, warnings }: Answer, step: Step): Outcome {
  const now = Date.now();
  if (json?.kind === "Status" && code >= 400) {
    const causes = (json.details?.causes ?? []).map((cause: Json) => ({
      field: cause.field ?? "",
      reason: cause.reason ?? "",
      message: steadyText(cause.message ?? "", now),
    }));
    const { name, group, kind, retryAfterSeconds } = json.details ?? {};
    const details = step.details === true ? { object: { details: { name, group, kind, retryAfterSeconds } } } : {};
    return {
      code,
      reason: json.reason ?? "",
      message: steadyText(json.message ?? "", now),
      causes,
      warnings,
      ...details,
    };
  }
  if (json === undefined) return { code, object: code >= 400 || step.text === true ? text : null, warnings };
  const shown =
    step.pick === undefined
      ? json
      : Object.fromEntries(step.pick.map((pointer) => [pointer, pointTo(json, pointer) ?? null]));
  return { code, object: withoutVolatile(shown, step.managedFields === true), warnings };
}

/** The requests that webhooks got, without what differs between runs and without calls that only end the setup. */
async function comparableCalls(app: App, calls: readonly HookCall[], vector: Vector, step: Step): Promise<unknown[]> {
  const me = (await send(app, WHO_AM_I)).json?.status?.userInfo;
  const seen = inOrder(
    calls.filter(({ hook }) => !hook.startsWith("ready")),
    vector,
  );
  return seen.map(({ hook, query, text, method, headers }) => {
    const review = withoutIdentity(parseExactly(text), me, step.managedFields === true);
    const shown = Object.fromEntries(COMPARED_HEADERS.map((name) => [name, headers[name] ?? null]));
    return { hook, query, review, ...(vector.callHeaders === true && { method, headers: shown }) };
  });
}

const WHO_AM_I: Step = {
  method: "POST",
  path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
};

const COMPARED_HEADERS = ["accept", "content-type", "user-agent", "authorization", "accept-encoding"];

/** Neighbours that are called at once are sorted by name. */
function inOrder(calls: readonly HookCall[], { webhooks }: Vector): HookCall[] {
  const isBeside = ({ hook }: HookCall): boolean => [webhooks?.[hook] ?? {}].flat()[0]?.validating === true;
  const sorted: HookCall[] = [];
  let beside: HookCall[] = [];
  const flush = (): void => {
    sorted.push(...beside.sort((left, right) => (left.hook < right.hook ? -1 : left.hook > right.hook ? 1 : 0)));
    beside = [];
  };
  for (const call of calls) {
    if (isBeside(call)) beside.push(call);
    else {
      flush();
      sorted.push(call);
    }
  }
  flush();
  return sorted;
}

export function withNames<T>(value: T, { group, short, captured, webhook }: Names): T {
  const reversed = group.split(".").reverse().join(".");
  const json = JSON.stringify(value);
  let text = (webhook?.fill(json) ?? json)
    .replaceAll("{{g}}", group)
    .replaceAll("{{n}}", short)
    .replaceAll("{{rg}}", reversed);
  for (const [name, found] of Object.entries(captured))
    text = text.replaceAll(`{{c.${name}}}`, JSON.stringify(found).slice(1, -1));
  return JSON.parse(text);
}

/** Hides unique names, also truncated ones, and the name CEL gives the type of self. */
export function anonymous(outcome: Outcome, { group, short, captured, webhook }: Names): Outcome {
  const reversed = group.split(".").reverse().join(".");
  const json = JSON.stringify(outcome);
  let text = (webhook?.clear(json, short) ?? json)
    .replaceAll(group, "{{g}}")
    .replaceAll(short, "{{n}}")
    .replaceAll(reversed, "{{rg}}");
  for (const [name, found] of Object.entries(captured)) {
    if (found.length >= 20) text = text.replaceAll(JSON.stringify(found).slice(1, -1), `{{c.${name}}}`);
  }
  return JSON.parse(
    text.replace(/selfType\d+/g, "selfType<N>").replace(/\b([gn])0{4}[0-9a-z.]*(?= \.\.\.)/g, "{{$1}}"),
  );
}
