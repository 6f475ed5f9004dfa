import { request } from "node:https";
import { afterEach, expect, test } from "vitest";
import { type RunningServer, startServer } from "./start.ts";
import { createAuthority } from "./tls.ts";

let server: RunningServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

interface Sent {
  readonly ca?: string | undefined;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Sent with a POST. */
  readonly body?: string;
}

function get(url: string, { ca, token, cert, key, body }: Sent): Promise<{ code: number; text: string }> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, cert, key, method, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ code: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test("a server uses TLS with a certificate of its own CA", async () => {
  server = await startServer();
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const { code, text } = await get(`${server.url}/api/v1/namespaces/default`, { ca: server.ca, token: server.token });
  expect([code, JSON.parse(text).kind]).toEqual([200, "Namespace"]);
  await expect(get(`${server.url}/version`, {})).rejects.toThrow();
});

test("a client certificate of the server's CA authenticates", async () => {
  const authority = await createAuthority(Date.now());
  const own = await authority.issue({ commonName: "kube-apiserver", hosts: ["127.0.0.1"] });
  server = await startServer({ tls: { ...own, ca: authority.cert } });
  const admin = await authority.issue({ commonName: "eve", organizations: ["system:masters"] });
  expect((await get(`${server.url}/api/v1/namespaces`, { ca: authority.cert, ...admin })).code).toBe(200);
  const plain = await authority.issue({ commonName: "eve" });
  const refused = await get(`${server.url}/api/v1/namespaces`, { ca: authority.cert, ...plain });
  expect(JSON.parse(refused.text).message).toContain('User "eve" cannot list');
});

test.each([
  [
    "the first administrator's token of a file",
    'a,alice,1,"devs"\nb,bob,2,"ops,system:masters"\nc,carol,3,"system:masters"',
    "bob",
  ],
  ["a token of its own where a file has no administrator's", 'a,alice,1,"devs"', "admin"],
])("the kubeconfig has %s", async (_, tokenFile, name) => {
  server = await startServer({ tokenFile });
  const { token } = JSON.parse(server.kubeconfig()).users[0].user;
  expect(token).toBe(server.token);
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const review = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  const { code, text } = await get(`${server.url}${path}`, { ca: server.ca, token, body: review });
  expect([code, JSON.parse(text).status.userInfo.username]).toEqual([201, name]);
});

test("a client certificate of another CA does not authenticate", async () => {
  server = await startServer();
  const other = await createAuthority(Date.now());
  const forged = await other.issue({ commonName: "eve", organizations: ["system:masters"] });
  const { text } = await get(`${server.url}/api/v1/namespaces`, { ca: server.ca, ...forged });
  // Not even as the anonymous user: credentials that are wrong are an error.
  expect(JSON.parse(text)).toMatchObject({ code: 401, message: "Unauthorized" });
});

test("the headers of a watch come before its first event, and stopping ends it", async () => {
  server = await startServer({ tls: "none" });
  const headers = { authorization: `Bearer ${server.token}` };
  const url = `${server.url}/api/v1/namespaces/default/configmaps?watch=true`;
  const response = await fetch(url, { headers });
  expect(response.status).toBe(200);
  const ended = response.text();
  await server.stop();
  server = undefined;
  expect(await ended).toBe("");
});

test("each warning has its own header", async () => {
  server = await startServer({ tls: "none" });
  const { hostname, port } = new URL(server.url);
  const { request: plain } = await import("node:http");
  const raw = await new Promise<string[]>((resolve, reject) => {
    const body = JSON.stringify({ metadata: { name: "c", x: 1, y: 2 } });
    const headers = { authorization: `Bearer ${server?.token}`, "content-type": "application/json" };
    const sent = plain(
      { hostname, port, method: "POST", path: "/api/v1/namespaces/default/configmaps", headers },
      (response) => {
        response.resume();
        resolve(response.rawHeaders);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
  expect(raw.filter((name) => name === "Warning")).toHaveLength(2);
});
