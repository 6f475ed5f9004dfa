import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../app/app.testing.ts";
import { type RunningServer, startServer } from "./start.ts";
import { type Authority, createAuthority } from "./tls.ts";

/** An extension API server for `wardle.example.com/v1`, which reports what it was asked. */
const VERSION = "/apis/wardle.example.com/v1";
const RESOURCES = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "wardle.example.com/v1",
  resources: [
    { name: "flunders", singularName: "flunder", namespaced: true, kind: "Flunder", verbs: ["get", "list"] },
    { name: "flunders/status", singularName: "", namespaced: true, kind: "Flunder", verbs: ["get"] },
  ],
};
const FLUNDER = { type: "object", properties: { spec: { type: "string" } } };
const DOCUMENT_2 = {
  swagger: "2.0",
  paths: {
    [`${VERSION}/flunders`]: { get: { responses: { 200: { schema: { $ref: "#/definitions/example.Flunder" } } } } },
    "/apis/other.example.com/v1/things": {},
  },
  definitions: {
    "example.Flunder": {
      ...FLUNDER,
      properties: { metadata: { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" } },
    },
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": { type: "object", description: "another one" },
    "example.Unused": {},
  },
};
const DOCUMENT_3 = { openapi: "3.0.0", components: { schemas: { Flunder: FLUNDER } } };

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly client: string | undefined;
}

let authority: Authority;
let extension: Server;
let api: RunningServer;
const asked: Asked[] = [];

beforeAll(async () => {
  authority = await createAuthority(Date.now());
  const serving = await authority.issue({ commonName: "wardle", hosts: ["wardle.default.svc"] });
  const options = { ...serving, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  extension = createServer(options, (request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const peer = (request.socket as import("node:tls").TLSSocket).getPeerCertificate().subject?.CN;
      asked.push({ url: request.url ?? "", headers: request.headers, body, client: [peer].flat()[0] });
      const send = (code: number, value: unknown): void => {
        response.writeHead(code, { "content-type": "application/json", "x-extension": "yes" });
        response.end(JSON.stringify(value));
      };
      const path = (request.url ?? "").split("?")[0];
      if (path === VERSION) return send(200, RESOURCES);
      if (path === "/openapi/v2") return send(200, DOCUMENT_2);
      if (path === "/openapi/v3") {
        return send(200, { paths: { [VERSION.slice(1)]: { serverRelativeURL: `/openapi/v3${VERSION}?hash=1` } } });
      }
      if (path === `/openapi/v3${VERSION}`) return send(200, DOCUMENT_3);
      if (path === `${VERSION}/namespaces/default/flunders/moved`) {
        response.writeHead(302, { location: "https://example.com/" });
        return response.end();
      }
      if (path?.startsWith(`${VERSION}/namespaces/default/flunders`)) return send(201, { kind: "Flunder" });
      return send(404, {});
    });
  });
  await new Promise<void>((resolve) => extension.listen(0, "127.0.0.1", resolve));
  const { port } = extension.address() as AddressInfo;
  api = await startServer({
    tls: "none",
    tokenFile: 'admin,admin,1,"system:masters"\njane,jane,uid-7,"devs"',
    services: new Map([["wardle.default", { host: "127.0.0.1", port }]]),
    proxyClient: await authority.issue({ commonName: "front-proxy" }),
  });
});

afterAll(async () => {
  await api.stop();
  extension.closeAllConnections();
  extension.close();
});

const service = (name: string, options: object = {}) => ({
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: `v1.${name}.example.com` },
  spec: {
    group: `${name}.example.com`,
    version: "v1",
    groupPriorityMinimum: 2000,
    versionPriority: 10,
    service: { name, namespace: "default" },
    caBundle: Buffer.from(authority.cert).toString("base64"),
    ...options,
  },
});

async function get(path: string, init: RequestInit = {}): Promise<Response> {
  const { headers, ...rest } = init;
  return fetch(`${api.url}${path}`, { headers: { authorization: "Bearer admin", ...headers }, ...rest });
}

async function read(path: string, init: RequestInit = {}): Promise<Json> {
  return (await get(path, init)).json() as Promise<Json>;
}

async function condition(name: string): Promise<object> {
  await api.app.settled();
  const found = await read(`/apis/apiregistration.k8s.io/v1/apiservices/v1.${name}.example.com`);
  return found.status?.conditions?.[0];
}

test("an APIService without a backend is unavailable, and requests get 503", async () => {
  expect((await api.create(service("nobody"))).code).toBe(201);
  expect(await condition("nobody")).toMatchObject({
    type: "Available",
    status: "False",
    reason: "ServiceNotFound",
    message: 'service/nobody in "default" is not present',
  });
  const answer = await get("/apis/nobody.example.com/v1/things");
  expect([answer.status, await answer.text()]).toEqual([503, "service unavailable\n"]);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const metrics = await (await get("/metrics")).text();
  expect(metrics).toContain('aggregator_unavailable_apiservice{name="v1.nobody.example.com"} 1\n');
  expect(metrics).toContain(
    'aggregator_unavailable_apiservice_total{name="v1.nobody.example.com",reason="ServiceNotFound"} 1\n',
  );
});

test("the index names the groups of extension API servers", async () => {
  const { paths } = await read("/");
  expect(paths).toEqual(expect.arrayContaining(["/apis/nobody.example.com", "/apis/nobody.example.com/v1"]));
});

test("a Service without endpoints is reported", async () => {
  const ports = [{ port: 443, name: "https" }];
  await api.create({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "empty", namespace: "default" },
    spec: { ports },
  });
  await api.create(service("empty"));
  expect(await condition("empty")).toMatchObject({ reason: "EndpointsNotFound" });
  await api.create(service("badport", { service: { name: "empty", namespace: "default", port: 8443 } }));
  expect(await condition("badport")).toMatchObject({
    reason: "ServicePortError",
    message: 'service/empty in "default" is not listening on port 8443',
  });
});

test("requests are passed on with the user's identity and the proxy's certificate", async () => {
  await api.create(service("wardle"));
  expect(await condition("wardle")).toMatchObject({ status: "True", reason: "Passed", message: "all checks passed" });
  await api.create({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "jane" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  });
  const answer = await get(`${VERSION}/namespaces/default/flunders?dryRun=All&a=b%20c`, {
    method: "POST",
    body: '{"kind":"Flunder"}',
    headers: { authorization: "Bearer jane", "x-remote-user": "admin", "x-remote-group": "system:masters" },
  });
  expect([answer.status, await answer.text(), answer.headers.get("x-extension")]).toEqual([
    201,
    '{"kind":"Flunder"}',
    "yes",
  ]);
  const { url, headers, body, client } = asked.at(-1) as Asked;
  expect([url, body, client]).toEqual([
    `${VERSION}/namespaces/default/flunders?a=b+c&dryRun=All`,
    '{"kind":"Flunder"}',
    "front-proxy",
  ]);
  expect(headers).toMatchObject({
    "x-remote-user": "jane",
    "x-remote-uid": "uid-7",
    "x-remote-group": "devs, system:authenticated",
    "audit-id": answer.headers.get("audit-id"),
  });
  expect(headers["authorization"]).toBeUndefined();
});

test("requests are authorized before they are passed on", async () => {
  const before = asked.length;
  const headers = { "impersonate-user": "joe" };
  expect((await get(`${VERSION}/namespaces/default/flunders`, { headers })).status).toBe(403);
  expect(asked.length).toBe(before);
});

test("a redirect of an extension API server is refused", async () => {
  const answer = await get(`${VERSION}/namespaces/default/flunders/moved`);
  expect([answer.status, await answer.text()]).toEqual([
    502,
    "the backend attempted to redirect this request, which is not permitted",
  ]);
});

test("discovery has the groups of extension API servers", async () => {
  const groups = (await read("/apis")).groups.map(({ name }: { name: string }) => name);
  expect(groups).toContain("wardle.example.com");
  const group = await read("/apis/wardle.example.com");
  expect(group).toMatchObject({ kind: "APIGroup", preferredVersion: { groupVersion: "wardle.example.com/v1" } });
  expect(await read(VERSION)).toEqual(RESOURCES);
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const { items } = await read("/apis", { headers: { accept } });
  const find = (name: string) => items.find((item: { metadata: { name: string } }) => item.metadata.name === name);
  expect(find("wardle.example.com").versions).toEqual([
    {
      version: "v1",
      resources: [
        {
          resource: "flunders",
          responseKind: { group: "", version: "", kind: "Flunder" },
          scope: "Namespaced",
          singularResource: "flunder",
          verbs: ["get", "list"],
          subresources: [
            { subresource: "status", responseKind: { group: "", version: "", kind: "Flunder" }, verbs: ["get"] },
          ],
        },
      ],
      freshness: "Current",
    },
  ]);
  expect(find("nobody.example.com").versions).toEqual([{ version: "v1", freshness: "Stale" }]);
});

test("OpenAPI documents have what extension API servers publish of their version", async () => {
  const { paths } = await read("/openapi/v3");
  expect(paths["apis/wardle.example.com/v1"]).toEqual({ serverRelativeURL: `/openapi/v3${VERSION}?hash=1` });
  expect(await read(`/openapi/v3${VERSION}?hash=1`)).toEqual(DOCUMENT_3);
  const { paths: paths2, definitions } = await read("/openapi/v2");
  expect(paths2[`${VERSION}/flunders`]).toBeDefined();
  expect(paths2["/apis/other.example.com/v1/things"]).toBeUndefined();
  expect(definitions["example.Unused"]).toBeUndefined();
  const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  expect(definitions[`${meta}_v2`]).toEqual({ type: "object", description: "another one" });
  expect(definitions["example.Flunder"].properties.metadata).toEqual({ $ref: `#/definitions/${meta}_v2` });
});

test("a server that does not serve the version, or presents another certificate, is unavailable", async () => {
  const backend = { name: "wardle", namespace: "default" };
  await api.create(service("again", { service: backend, caBundle: "", insecureSkipTLSVerify: true }));
  expect(await condition("again")).toMatchObject({
    reason: "FailedDiscoveryCheck",
    message: expect.stringMatching(
      /^failing or missing response from (https:\/\/127\.0\.0\.1:\d+\/apis\/again\.example\.com\/v1): bad status from \1: 404$/,
    ),
  });
  const other = await createAuthority(Date.now());
  const caBundle = Buffer.from(other.cert).toString("base64");
  await api.create(service("stranger", { service: backend, caBundle }));
  expect(await condition("stranger")).toMatchObject({
    message: expect.stringMatching(
      /: Get "https:.*": tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    ),
  });
});
