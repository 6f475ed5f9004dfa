/** Requests with large bodies, performed by another thread, are decided as on the main thread. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditLog } from "../../observe/observer.ts";
import { bundleProgram, type Program } from "../child.testing.ts";
import { type RunningServer, startServer } from "../start.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const POLICIES = "/apis/admissionregistration.k8s.io/v1";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const large = (extra = {}) => ({ text: "x".repeat(100_000), ...extra });

let program: Program;
let server: RunningServer;
const lines: string[] = [];
const audit: AuditLog = { write: (line) => void lines.push(line) };
const defects: unknown[] = [];

beforeAll(async () => {
  program = await bundleProgram(new URL("./heavy-thread.ts", import.meta.url));
  server = await startServer({
    tls: "none",
    heavyThread: program.file,
    tokenFile: 'admin,admin,1,"system:masters"\nalice,alice,2,"devs"',
    audit,
    onDefect: (error) => void defects.push(error),
  });
});

afterAll(async () => {
  await server.stop();
  program.remove();
  expect(defects).toEqual([]);
});

async function send(method: string, path: string, body?: unknown, { type = "application/json", token = "admin" } = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = text.startsWith("{") ? JSON.parse(text) : undefined;
  return { code: response.status, json, text, warnings: response.headers.get("warning") ?? "" };
}

/** How many requests of a verb the thread's admission has seen. */
async function countSteps(): Promise<number> {
  const { text } = await send("GET", "/metrics");
  const counts = text.match(/^apiserver_admission_step_admission_duration_seconds_count\{.*"admit".*\} (\d+)$/gm) ?? [];
  return counts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test("a large object is stored, read, changed and deleted; both threads count", async () => {
  const before = await countSteps();
  const made = await send("POST", MAPS, { metadata: { name: "a" }, data: large() });
  expect(made.code).toBe(201);
  expect((await send("POST", MAPS, { metadata: { name: "a" }, data: large() })).code).toBe(409);
  expect((await send("GET", `${MAPS}/a`)).json).toEqual(made.json);
  const patch = { metadata: { labels: { a: "b" } } };
  const patched = await send("PATCH", `${MAPS}/a`, patch, { type: "application/merge-patch+json" });
  expect(patched.json.metadata).toMatchObject({ labels: { a: "b" }, uid: made.json.metadata.uid });
  expect((await send("DELETE", `${MAPS}/a`)).code).toBe(200);
  expect((await send("GET", `${MAPS}/a`)).code).toBe(404);
  expect(await countSteps()).toBe(before + 4);
});

test("a policy applies from the moment its write is acknowledged", async () => {
  const matchConstraints = {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
  };
  const validations = [{ expression: "!has(object.data.refused)", message: "refused by policy" }];
  const spec = { matchConstraints, validations, auditAnnotations: [{ key: "k", valueExpression: "'seen'" }] };
  await send("POST", `${POLICIES}/validatingadmissionpolicies`, { metadata: { name: "p" }, spec });
  const binding = { policyName: "p", validationActions: ["Deny"] };
  const body = { metadata: { name: "b" }, data: large({ refused: "yes" }) };
  expect((await send("POST", `${MAPS}?dryRun=All`, body)).code).toBe(201);
  await send("POST", `${POLICIES}/validatingadmissionpolicybindings`, { metadata: { name: "p" }, spec: binding });
  const refused = await send("POST", `${MAPS}?dryRun=All`, body);
  expect(refused.code).toBe(422);
  expect(refused.json.message).toContain("refused by policy");
  expect((await send("DELETE", `${POLICIES}/validatingadmissionpolicybindings/p`)).code).toBe(200);
  expect((await send("POST", `${MAPS}?dryRun=All`, body)).code).toBe(201);
  expect(lines.map((line) => JSON.parse(line).annotations?.["p/k"])).toContain("seen");
});

test("a new kind is known, with its warnings", async () => {
  const properties = { spec: { type: "object", properties: { text: { type: "string" } } } };
  const version = { name: "v1", served: true, storage: true, deprecated: true };
  const made = await send("POST", DEFINITIONS, {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ ...version, schema: { openAPIV3Schema: { type: "object", properties } } }],
    },
  });
  expect(made.code).toBe(201);
  await server.app.settled();
  const path = "/apis/example.com/v1/namespaces/default/things";
  const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } };
  const stored = await send("POST", path, { ...thing, spec: large({ other: 1 }) });
  expect(stored.code).toBe(201);
  expect(stored.json.spec.other).toBeUndefined();
  expect(stored.warnings.match(/deprecated/g)).toHaveLength(1);
  expect(stored.warnings).toContain('unknown field \\"spec.other\\"');
});

test("rights are those of the user: a create by PUT or apply needs `create`", async () => {
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] }];
  await send("POST", `${rbac}/roles`, { metadata: { name: "r" }, rules });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
  const subjects = [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }];
  await send("POST", `${rbac}/rolebindings`, { metadata: { name: "r" }, roleRef, subjects });
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: large() };
  const options = { type: "application/apply-patch+yaml", token: "alice" };
  const refused = await send("PATCH", `${MAPS}/c?fieldManager=m`, body, options);
  expect(refused.code).toBe(403);
  expect(refused.json.message).toContain('cannot create resource "configmaps"');
});

test("tokens of other users are reviewed by the main thread's authenticators", async () => {
  const spec = { token: "alice", audiences: [] };
  const metadata = { annotations: large() };
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata, spec };
  const { json } = await send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review);
  expect(json.status).toMatchObject({ authenticated: true, user: { username: "alice" } });
});

test("a request ends at its deadline, and the next one is served", async () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, ""]));
  const timedOut = await send("POST", `${MAPS}?dryRun=All&timeout=1ms`, { metadata: { name: "d" }, data: many });
  expect(timedOut.code).toBe(504);
  expect((await send("POST", `${MAPS}?dryRun=All`, { metadata: { name: "d" }, data: large() })).code).toBe(201);
});
