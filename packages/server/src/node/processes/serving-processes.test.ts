/** Several processes behind one port behave as one server. */
import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Program } from "../child.testing.ts";
import { until } from "../scratch.testing.ts";
import { type RunningServer, startServer } from "../start.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
type Json = ReturnType<typeof JSON.parse>;

let program: Program;
let server: RunningServer;
const lines: string[] = [];
const messages: string[] = [];
const defects: unknown[] = [];

beforeAll(async () => {
  program = await bundleProgram(new URL("./serving-process.ts", import.meta.url));
  server = await startServer({
    tls: "none",
    processes: 2,
    processFile: program.file,
    tokenFile: 'admin,admin,1,"system:masters"\nalice,alice,2,"devs"',
    audit: { write: (line) => void lines.push(line) },
    followers: { log: (message) => void messages.push(message) },
    onDefect: (error) => void defects.push(error),
  });
});

afterAll(async () => {
  await server.stop();
  program.remove();
  expect(defects).toEqual([]);
});

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly json: Json;
}

/** Connections go to the processes in turn: each agent keeps one of them. */
function newClient(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

function send(agent: Agent, method: string, path: string, body?: unknown, token = "admin"): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(server.url + path, { agent, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        const json = text.startsWith("{") ? JSON.parse(text.split("\n")[0] ?? "") : undefined;
        resolve({ code: response.statusCode ?? 0, text, json });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Names of events, as they come. */
function watch(path: string): { readonly seen: string[]; readonly isOpen: Promise<void>; close(): void } {
  const seen: string[] = [];
  let open = (): void => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const sent = request(server.url + path, { agent: newClient(), headers: { authorization: "Bearer admin" } });
  sent.on("error", () => {});
  sent.on("response", (response) => {
    open();
    let rest = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) seen.push(`${JSON.parse(part).type} ${JSON.parse(part).object.metadata.name}`);
    });
    response.on("error", () => {});
  });
  sent.end();
  return { seen, isOpen, close: () => sent.destroy() };
}

test("what one process has acknowledged, every process reads and enforces", async () => {
  const [one, two] = [newClient(), newClient()];
  for (let i = 0; i < 30; i++) {
    const [writer, reader] = i % 2 === 0 ? [one, two] : [two, one];
    const made = await send(writer, "POST", MAPS, { metadata: { name: `m${i}` } });
    expect(made.code).toBe(201);
    expect((await send(reader, "GET", `${MAPS}/m${i}`)).json).toEqual(made.json);
    expect((await send(reader, "GET", `${MAPS}?limit=500`)).text).toContain(`"m${i}"`);
  }
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
  const subjects = [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }];
  await send(one, "POST", `${RBAC}/clusterroles`, { metadata: { name: "r" }, rules });
  for (let i = 0; i < 10; i++) {
    const [writer, reader] = i % 2 === 0 ? [one, two] : [two, one];
    const binding = { metadata: { name: "b" }, roleRef, subjects };
    expect((await send(writer, "POST", `${RBAC}/clusterrolebindings`, binding)).code).toBe(201);
    expect((await send(reader, "GET", `${MAPS}/m1`, undefined, "alice")).code).toBe(200);
    expect((await send(writer, "DELETE", `${RBAC}/clusterrolebindings/b`)).code).toBe(200);
    expect((await send(reader, "GET", `${MAPS}/m1`, undefined, "alice")).code).toBe(403);
  }
});

test("concurrent writers of one object lose no update", async () => {
  const clients = [newClient(), newClient(), newClient(), newClient()];
  const [first = newClient()] = clients;
  await send(first, "POST", MAPS, { metadata: { name: "counter" }, data: { n: "0" } });
  const increment = async (agent: Agent): Promise<void> => {
    for (;;) {
      const { json } = await send(agent, "GET", `${MAPS}/counter`);
      const next = { ...json, data: { n: String(Number(json.data.n) + 1) } };
      if ((await send(agent, "PUT", `${MAPS}/counter`, next)).code === 200) return;
    }
  };
  await Promise.all(
    clients.map(async (agent) => {
      for (let i = 0; i < 10; i++) await increment(agent);
    }),
  );
  expect((await send(first, "GET", `${MAPS}/counter`)).json.data.n).toBe("40");
});

test("watches at all processes see every event once, in order", async () => {
  const { json } = await send(newClient(), "GET", MAPS);
  const watches = [1, 2, 3].map(() => watch(`${MAPS}?watch=true&resourceVersion=${json.metadata.resourceVersion}`));
  await Promise.all(watches.map(({ isOpen }) => isOpen));
  const expected: string[] = [];
  for (let i = 0; i < 20; i++) {
    await send(newClient(), "POST", MAPS, { metadata: { name: `w${i}` } });
    await send(newClient(), "DELETE", `${MAPS}/w${i}`);
    expected.push(`ADDED w${i}`, `DELETED w${i}`);
  }
  await until(() => watches.every(({ seen }) => seen.length >= expected.length));
  for (const { seen, close } of watches) {
    expect(seen).toEqual(expected);
    close();
  }
});

test("metrics and the audit log are those of all processes", async () => {
  const count = async (): Promise<number> => {
    const { text } = await send(newClient(), "GET", "/metrics");
    const found = text.match(/^apiserver_request_total\{.*code="404".*resource="configmaps".*\} (\d+)$/m);
    return Number(found?.[1] ?? 0);
  };
  const before = await count();
  for (let i = 0; i < 6; i++) await send(newClient(), "GET", `${MAPS}/missing${i}`);
  expect(await count()).toBe(before + 6);
  await until(() => [0, 1, 2, 3, 4, 5].every((i) => lines.some((line) => line.includes(`missing${i}`))));
});

test("a process that ends is replaced, and nothing acknowledged is lost", async () => {
  const agents = Array.from({ length: 4 }, newClient);
  for (const agent of agents) await send(agent, "GET", "/livez");
  const { default: cluster } = await import("node:cluster");
  const [victim] = Object.values(cluster.workers ?? {});
  victim?.process.kill("SIGKILL");
  await until(() => messages.some((message) => message.includes("is replaced")));
  const isServed = async (): Promise<boolean> => {
    const answers = await Promise.all([1, 2].map(() => send(newClient(), "GET", `${MAPS}/m1`).catch(() => undefined)));
    return answers.every((answer) => answer?.code === 200);
  };
  while (!(await isServed()) || Object.keys(cluster.workers ?? {}).length < 2)
    await new Promise((r) => setTimeout(r, 50));
});
