import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClusterClient } from "./client.ts";
import { LineReader } from "./lines.ts";
import { Reflector } from "./reflector.ts";

/** An API server with scripted responses. */
class Script {
  readonly requests: URL[] = [];
  readonly watches: ServerResponse[] = [];
  readonly lists: string[] = [];
  /** Answers watches with this code. */
  refuses = 200;
  readonly server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://test");
    this.requests.push(url);
    if (url.searchParams.get("watch") !== "true") response.end(this.lists.shift() ?? "{}");
    else if (this.refuses !== 200) response.writeHead(this.refuses).end("{}");
    else {
      response.flushHeaders();
      this.watches.push(response);
    }
  });

  send(type: string, object: object): void {
    this.watches.at(-1)?.write(`${JSON.stringify({ type, object })}\n`);
  }

  watchedFrom(): (string | null)[] {
    return this.requests
      .filter(({ searchParams }) => searchParams.has("watch"))
      .map(({ searchParams }) => searchParams.get("resourceVersion"));
  }
}

let script: Script;
let stop: AbortController;
let reflector: Reflector;
let running: Promise<void>;

beforeEach(async () => {
  script = new Script();
  stop = new AbortController();
  await new Promise<void>((resolve) => script.server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  stop.abort();
  await running;
  script.server.closeAllConnections();
  await new Promise((resolve) => script.server.close(resolve));
});

function start(watchSeconds?: number): void {
  const { port } = script.server.address() as AddressInfo;
  reflector = new Reflector({
    client: new ClusterClient({ server: `http://127.0.0.1:${port}` }),
    path: "/api/v1/things",
    onChange: () => {},
    onProblem: () => {},
    watchSeconds,
  });
  running = reflector.run(stop.signal);
}

function thing(name: string, resourceVersion: string): object {
  return { metadata: { name, resourceVersion } };
}

function list(resourceVersion: string, ...names: readonly string[]): string {
  return JSON.stringify({ metadata: { resourceVersion }, items: names.map((name) => thing(name, "1")) });
}

function names(): string[] {
  return reflector.objects().map((object) => JSON.parse(JSON.stringify(object)).metadata.name);
}

function watches(count: number): Promise<void> {
  return vi.waitFor(() => expect(script.watches.length).toBe(count), { timeout: 5000, interval: 5 });
}

function holds(...expected: readonly string[]): Promise<void> {
  return vi.waitFor(() => expect(names()).toEqual(expected), { timeout: 5000, interval: 5 });
}

test("events update the listed objects", async () => {
  script.lists.push(list("10", "a", "b"));
  start();
  await watches(1);
  expect(reflector.isSynced).toBe(true);
  script.send("ADDED", thing("c", "11"));
  script.send("DELETED", thing("a", "12"));
  await holds("b", "c");
  expect(script.watchedFrom()).toEqual(["10"]);
});

test("a list of several pages is used only when it is complete", async () => {
  script.lists.push(
    JSON.stringify({ metadata: { resourceVersion: "10", continue: "more" }, items: [thing("a", "1")] }),
    list("10", "b"),
  );
  start();
  await watches(1);
  expect(names()).toEqual(["a", "b"]);
  expect(script.requests[1]?.searchParams.get("continue")).toBe("more");
});

test("a watch that timed out continues from the last event or bookmark, without a list", async () => {
  script.lists.push(list("10", "a"));
  start(0);
  await watches(1);
  script.send("ADDED", thing("b", "11"));
  script.send("BOOKMARK", { metadata: { resourceVersion: "20" } });
  script.watches[0]?.end();
  await watches(2);
  expect(script.watchedFrom()).toEqual(["10", "20"]);
  expect(names()).toEqual(["a", "b"]);
});

test("a watch that ends early leads to a new list, even if its versions are lower", async () => {
  script.lists.push(list("10", "a"), list("3", "z"));
  start();
  await watches(1);
  script.watches[0]?.end();
  await watches(2);
  await holds("z");
  expect(script.watchedFrom()).toEqual(["10", "3"]);
});

test("an expired version leads to a new list", async () => {
  script.lists.push(list("10", "a"), list("30", "c"));
  start();
  await watches(1);
  script.send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" });
  await watches(2);
  await holds("c");
  expect(script.watchedFrom()).toEqual(["10", "30"]);
});

test("a watch that is refused with 410 leads to a new list", async () => {
  script.lists.push(list("10", "a"), list("30", "c"));
  script.refuses = 410;
  start();
  await vi.waitFor(() => expect(script.requests.length).toBeGreaterThanOrEqual(2), { interval: 5 });
  script.refuses = 200;
  await watches(1);
  await holds("c");
});

test("a connection that breaks leads to a new list, and the old objects stay until then", async () => {
  script.lists.push(list("10", "a"), list("5", "z"));
  start();
  await watches(1);
  script.watches[0]?.destroy();
  expect(names()).toEqual(["a"]);
  await watches(2);
  await holds("z");
});

test("lines are complete, however the chunks are split", () => {
  const reader = new LineReader();
  const pushed = ["ab", "c\nde", "\n\nf", "\n"].map((text) => reader.push(Buffer.from(text)));
  expect(pushed.flat().map(String)).toEqual(["abc", "de", "f"]);
});
