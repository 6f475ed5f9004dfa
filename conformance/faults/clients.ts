/** Clients that keep on reading, writing and watching while the suite breaks things, and what they saw. */
import type { Operation } from "../../packages/server/src/node/history.testing.ts";
import { ADMIN, ALICE } from "./served.ts";

type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  readonly code: number;
  readonly json: Json;
}

/** Undefined if the connection broke: the server may have done it or not. */
async function send(url: string, method: string, body?: unknown, token = ADMIN): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { code: response.status, json: text.startsWith("{") ? JSON.parse(text) : undefined };
  } catch {
    return undefined;
  }
}

const MAPS = "/api/v1/namespaces/default/configmaps";
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** What all clients of a run have in common. */
export class Run {
  isOver = false;
  readonly #urls: readonly string[];
  #next = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** The servers in turn. */
  url(): string {
    return this.#urls[this.#next++ % this.#urls.length] as string;
  }
}

/** One ConfigMap that many clients read and replace. */
export class Register {
  readonly history: Operation[] = [];
  readonly name: string;
  acknowledged = 0;
  readonly #run: Run;

  constructor(run: Run, name: string) {
    this.#run = run;
    this.name = name;
  }

  async client(id: string): Promise<void> {
    for (let count = 0; !this.#run.isOver; count++) {
      const seen = await this.#read();
      if (seen !== undefined && count % 3 !== 0) await this.#write(seen, `${id}-${count}`);
      if (seen === undefined) await pause(20);
    }
  }

  async #read(): Promise<{ readonly object: Json } | undefined> {
    const start = performance.now();
    const answer = await send(`${this.#run.url()}${MAPS}/${this.name}`, "GET");
    const end = performance.now();
    if (answer?.code !== 200 && answer?.code !== 404) return undefined;
    const object = answer.code === 200 ? answer.json : undefined;
    this.history.push({ kind: "read", start, end, value: object?.data.v, revision: object && revisionOf(object) });
    return { object };
  }

  async #write({ object }: { readonly object: Json }, value: string): Promise<void> {
    const start = performance.now();
    const body =
      object === undefined ? { metadata: { name: this.name }, data: { v: value } } : { ...object, data: { v: value } };
    const place = `${this.#run.url()}${MAPS}`;
    const answer = await (object === undefined
      ? send(place, "POST", body)
      : send(`${place}/${this.name}`, "PUT", body));
    const write = { kind: "write", start, expected: object === undefined ? 0 : revisionOf(object), value } as const;
    if (answer?.code === 200 || answer?.code === 201) {
      this.history.push({ ...write, end: performance.now(), revision: revisionOf(answer.json) });
      this.acknowledged++;
    } else if (answer === undefined || answer.code >= 500)
      this.history.push({ ...write, end: Number.POSITIVE_INFINITY });
  }
}

function revisionOf(object: Json): number {
  return Number(object.metadata.resourceVersion);
}

/** Follows a register as an informer does: a watch that resumes where it broke off, a list where that is too late. */
export class Watcher {
  readonly violations: string[] = [];
  readonly #seen = new Map<number, string>();
  readonly #run: Run;
  readonly #name: string;
  #last = 0;
  /** Revisions up to here may be missing: they were listed and not watched. */
  #gaps: [from: number, to: number][] = [];

  constructor(run: Run, name: string) {
    this.#run = run;
    this.#name = name;
  }

  get events(): number {
    return this.#seen.size;
  }

  async client(): Promise<void> {
    while (!this.#run.isOver) {
      if (this.#last === 0) await this.#list();
      if (this.#last !== 0) await this.#watch().catch(() => {});
      await pause(20);
    }
  }

  /** What acknowledged writes it should have seen and did not. */
  check(history: readonly Operation[]): string[] {
    const missing = history.filter(({ kind, revision = 0, value }) => {
      const isSkipped = this.#gaps.some(([from, to]) => revision > from && revision <= to);
      if (kind !== "write" || revision === 0 || revision > this.#last || isSkipped) return false;
      return this.#seen.get(revision) !== value;
    });
    return [...this.violations, ...missing.map(({ revision, value }) => `no event for ${value} at ${revision}`)];
  }

  async #list(): Promise<void> {
    const answer = await send(`${this.#run.url()}${MAPS}?fieldSelector=metadata.name%3D${this.#name}`, "GET");
    if (answer?.code !== 200) return;
    const revision = revisionOf(answer.json);
    this.#gaps.push([this.#newest(), revision]);
    this.#last = revision;
  }

  #newest(): number {
    return Math.max(0, ...this.#seen.keys());
  }

  async #watch(): Promise<void> {
    const query = `watch=true&fieldSelector=metadata.name%3D${this.#name}&resourceVersion=${this.#last}&timeoutSeconds=3`;
    const response = await fetch(`${this.#run.url()}${MAPS}?${query}`, {
      headers: { authorization: `Bearer ${ADMIN}` },
      signal: AbortSignal.timeout(6_000),
    });
    if (response.status === 410) this.#last = 0;
    if (response.status !== 200 || response.body === null) return;
    let rest = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(JSON.parse(line));
    }
  }

  #receive({ type, object }: Json): void {
    if (type === "ERROR") {
      this.#last = 0;
      return;
    }
    const revision = revisionOf(object);
    if (revision <= this.#last) this.violations.push(`the event of ${revision} came after ${this.#last}`);
    this.#last = revision;
    this.#seen.set(revision, object.data.v);
  }
}

/** Gives and takes a right, and checks after each acknowledged change what the user may do. */
export class Authority {
  readonly violations: string[] = [];
  checks = 0;
  readonly #run: Run;
  readonly #name: string;
  readonly #lag: number;

  /** `lag` is how many milliseconds a server may take to learn of a change that another one acknowledged. */
  constructor(run: Run, name: string, lag: number) {
    this.#run = run;
    this.#name = name;
    this.#lag = lag;
  }

  async client(): Promise<void> {
    for (let isAllowed = true; !this.#run.isOver; isAllowed = !isAllowed) {
      if (await this.#set(isAllowed)) await this.#check(isAllowed);
      await pause(20);
    }
  }

  /** Tried until it is known to be so. */
  async #set(isAllowed: boolean): Promise<boolean> {
    const place = `/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings`;
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    const subjects = [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }];
    while (!this.#run.isOver) {
      const answer = isAllowed
        ? await send(`${this.#run.url()}${place}`, "POST", { metadata: { name: this.#name }, roleRef, subjects })
        : await send(`${this.#run.url()}${place}/${this.#name}`, "DELETE");
      const code = answer?.code ?? 0;
      if (isAllowed ? code === 201 || code === 409 : code === 200 || code === 404) return true;
      await pause(20);
    }
    return false;
  }

  async #check(isAllowed: boolean): Promise<void> {
    const changed = performance.now();
    for (let i = 0; i < 2; i++) {
      const start = performance.now();
      const answer = await send(`${this.#run.url()}${MAPS}?limit=1`, "GET", undefined, ALICE);
      if (answer?.code !== 200 && answer?.code !== 403) continue;
      this.checks++;
      if ((answer.code === 200) === isAllowed) continue;
      if (start - changed < this.#lag) i--;
      else this.violations.push(`${await this.#describe(answer.code, isAllowed, { changed, start })}`);
    }
  }

  /** A server that is late is something else than one that stays behind. */
  async #describe(code: number, isAllowed: boolean, { changed, start }: Record<"changed" | "start", number>) {
    const times = `${Math.round(start - changed)} ms after the change, within ${Math.round(performance.now() - start)} ms`;
    for (const end = performance.now() + 30_000; performance.now() < end && !this.#run.isOver; await pause(20)) {
      const answer = await send(`${this.#run.url()}${MAPS}?limit=1`, "GET", undefined, ALICE);
      if (answer?.code === (isAllowed ? 200 : 403))
        return `answered ${code}, allowed: ${isAllowed}, ${times}; right after ${Math.round(performance.now() - changed)} ms`;
    }
    return `answered ${code}, allowed: ${isAllowed}, ${times}; not right later`;
  }
}
