import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Json } from "../app/app.testing.ts";
import { type RunningServer, startServer } from "./start.ts";
import { type Authority, createAuthority } from "./tls.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";

let authority: Authority;
let hook: Server;
let api: RunningServer;
let url: string;
let behave: (response: ServerResponse, request: Json) => void = () => {};

beforeAll(async () => {
  authority = await createAuthority(Date.now());
  hook = createServer(await authority.issue({ commonName: "hook", hosts: ["127.0.0.1"] }), (request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => behave(response, JSON.parse(text).request));
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  api = await startServer({ tls: "none" });
});

afterAll(async () => {
  await api.stop();
  hook.closeAllConnections();
  hook.close();
});

async function send(method: string, path: string, body?: object): Promise<{ code: number; json: Json }> {
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json" };
  const answer = await fetch(`${api.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { code: answer.status, json: (await answer.json()) as Json };
}

const configuration = (kind: string, name: string, options: object = {}): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks: [
    {
      name: "a.b.c",
      clientConfig: { url: `${url}/x`, caBundle: Buffer.from(authority.cert).toString("base64") },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      timeoutSeconds: 1,
      ...options,
    },
  ],
});

const answerWith = (response: ServerResponse, content: object): void => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: content }));
};

beforeEach(async () => {
  for (const kind of ["mutating", "validating"]) await send("DELETE", `${GROUP}/${kind}webhookconfigurations`);
});

/** Creates a config map, and reads a namespace again and again until that is answered. */
async function createWhileReading(name: string): Promise<{ code: number; message: string; slowest: number }> {
  let isDone = false;
  const created = send("POST", MAPS, { metadata: { name } }).finally(() => {
    isDone = true;
  });
  let slowest = 0;
  for (let reads = 0; reads === 0 || !isDone; reads++) {
    const start = performance.now();
    expect((await send("GET", "/api/v1/namespaces/default")).code).toBe(200);
    slowest = Math.max(slowest, performance.now() - start);
  }
  const { code, json } = await created;
  return { code, message: json.message ?? "", slowest };
}

const FAILED = 'Internal error occurred: failed calling webhook "a.b.c": ';

test.each([
  {
    name: "hangs",
    act: () => {},
    problem: /^failed to call webhook: Post "https:\/\/127\.0\.0\.1:\d+\/x\?timeout=1s": context deadline exceeded$/,
  },
  {
    name: "sends 100 MB",
    act: (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      const part = Buffer.alloc(1024 * 1024, "a");
      let left = 100;
      const more = (): void => {
        while (left-- > 0 && response.write(part));
      };
      response.on("drain", more);
      more();
    },
    problem: /Original error: (?:the answer is larger than 16777216 bytes|context deadline exceeded)$/,
  },
  {
    name: "redirects to itself",
    act: (response: ServerResponse) => {
      response.writeHead(307, { location: "/x" });
      response.end();
    },
    problem: /^failed to call webhook: Post "\/x": stopped after 10 redirects$/,
  },
  {
    name: "answers with another uid",
    act: (response: ServerResponse) => answerWith(response, { uid: "other", allowed: true }),
    problem: /^received invalid webhook response: expected response\.uid="[0-9a-f-]+", got "other"$/,
  },
  {
    name: "closes halfway",
    act: (response: ServerResponse) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    },
    problem: /Original error: unexpected EOF$/,
  },
])("a webhook that $name fails the request, and others are served", async ({ act, problem }) => {
  await api.create(configuration("Validating", "c") as Json);
  behave = act;
  const { code, message, slowest } = await createWhileReading("a");
  expect([code, message.slice(0, FAILED.length)]).toEqual([500, FAILED]);
  expect(message.slice(FAILED.length)).toMatch(problem);
  expect(slowest).toBeLessThan(1_000);
});

test("a webhook with a certificate of another authority fails the request", async () => {
  const other = await createAuthority(Date.now());
  const clientConfig = { url, caBundle: Buffer.from(other.cert).toString("base64") };
  await api.create(configuration("Validating", "c", { clientConfig }) as Json);
  const { message } = await createWhileReading("a");
  expect(message).toMatch(/tls: failed to verify certificate: x509: certificate signed by unknown authority$/);
});

test("a thousand configurations are asked, and other requests are served", async () => {
  let calls = 0;
  behave = (response, { uid }) => {
    calls++;
    answerWith(response, { uid, allowed: true });
  };
  for (let at = 0; at < 1000; at++) {
    const timeoutSeconds = 30;
    await api.create(configuration("Validating", `c${at}`, { timeoutSeconds }) as Json);
  }
  const { code, slowest } = await createWhileReading("thousand");
  expect([code, calls]).toEqual([201, 1000]);
  // The webhooks are in the same process, with a thousand handshakes of their own.
  expect(slowest).toBeLessThan(10_000);
}, 60_000);

test("a patch that doubles the object again and again is refused in bounded time", async () => {
  await api.create(configuration("Mutating", "c", { timeoutSeconds: 10 }) as Json);
  const operations = [
    { op: "add", path: "/data", value: { a: "x".repeat(1000) } },
    ...Array.from({ length: 40 }, (_, at) => ({ op: "copy", from: "/data", path: `/data/k${at}` })),
  ];
  behave = (response, { uid }) => {
    const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
    answerWith(response, { uid, allowed: true, patchType: "JSONPatch", patch });
  };
  const start = performance.now();
  const { code, slowest } = await createWhileReading("exploding");
  expect(code).toBe(500);
  expect(performance.now() - start).toBeLessThan(8_000);
  expect(slowest).toBeLessThan(3_000);
});
