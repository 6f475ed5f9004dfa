import { beforeEach, expect, test } from "vitest";
import { type Client, NOW, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import { openTokenKey } from "./token-key.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const AUTHORIZATION = "/apis/authorization.k8s.io/v1";
const AUTHENTICATION = "/apis/authentication.k8s.io/v1";
const TOKEN = "/api/v1/namespaces/default/serviceaccounts/default/token";

let api: Client;
let now = NOW;

beforeEach(async () => {
  now = NOW;
  api = await openWithWidgets({ tokenKey: await openTokenKey(new MemoryStore()), now: () => now });
});

const alice = { token: "alice" };

async function grant(rules: object[], subject: object = { kind: "User", name: "alice" }): Promise<void> {
  const metadata = { name: "r" };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
  await api.post(`${RBAC}/namespaces/default/roles`, { metadata, rules });
  await api.post(`${RBAC}/namespaces/default/rolebindings`, { metadata, roleRef, subjects: [subject] });
}

const getWidgets = { apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] };

test("a role grants its permissions as soon as it is bound", async () => {
  await api.post(WIDGETS, widget("a"));
  expect((await api.get(`${WIDGETS}/a`, alice)).code).toBe(403);
  await grant([getWidgets]);
  expect((await api.get(`${WIDGETS}/a`, alice)).code).toBe(200);
  expect((await api.get(WIDGETS, alice)).code).toBe(403);
  await api.delete(`${RBAC}/namespaces/default/rolebindings/r`);
  expect((await api.get(`${WIDGETS}/a`, alice)).code).toBe(403);
});

test("the default cluster roles exist and aggregate others", async () => {
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
  const subjects = [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "devs" }];
  await api.post(`${RBAC}/namespaces/default/rolebindings`, { metadata: { name: "b" }, roleRef, subjects });
  expect((await api.get("/api/v1/namespaces/default/configmaps", alice)).code).toBe(200);
  expect((await api.get("/api/v1/namespaces/default/secrets", alice)).code).toBe(403);
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  const rules = [{ ...getWidgets, verbs: ["list"] }];
  await api.post(`${RBAC}/clusterroles`, { metadata: { name: "widgets-view", labels }, rules });
  expect((await api.get(WIDGETS, alice)).code).toBe(200);
});

test("a user who writes a role must hold its permissions", async () => {
  await grant([{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["create"] }]);
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] }];
  const { code, json } = await api.post(`${RBAC}/namespaces/default/roles`, { metadata: { name: "x" }, rules }, alice);
  expect(code).toBe(403);
  expect(json.message).toBe(
    'roles.rbac.authorization.k8s.io "x" is forbidden: user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
  );
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
  const bound = await api.post(`${RBAC}/namespaces/default/rolebindings`, { metadata: { name: "y" }, roleRef }, alice);
  expect(bound.code).toBe(403);
});

test.each([
  { verb: "get", isAllowed: true, reason: 'RBAC: allowed by RoleBinding "r/default" of Role "r" to User "alice"' },
  { verb: "list", isAllowed: false, reason: undefined },
])("a review shows whether the user may $verb, and why", async ({ verb, isAllowed, reason }) => {
  await grant([getWidgets]);
  const resourceAttributes = { group: "example.com", resource: "widgets", namespace: "default", verb };
  const self = await api.post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: { resourceAttributes } }, alice);
  expect([self.code, self.json.status.allowed, self.json.status.reason]).toEqual([201, isAllowed, reason]);
  const spec = { resourceAttributes, user: "alice" };
  const other = await api.post(`${AUTHORIZATION}/subjectaccessreviews`, { spec });
  expect(other.json.status.allowed).toBe(isAllowed);
  const local = await api.post(`${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`, { spec });
  expect(local.json.status.allowed).toBe(isAllowed);
});

test("a review with no question or two is invalid", async () => {
  const place = `${AUTHORIZATION}/selfsubjectaccessreviews`;
  const nothing = await api.post(place, { spec: {} });
  expect(nothing.json.message).toBe(
    '.authorization.k8s.io "" is invalid: spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  );
  const both = await api.post(place, {
    spec: { resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/x", verb: "get" } },
  });
  expect(both.json.details.causes[0].message).toContain('{"Path":"/x","Verb":"get"}');
});

test("the rules of a user are listed", async () => {
  await grant([getWidgets]);
  const spec = { namespace: "default" };
  const { json } = await api.post(`${AUTHORIZATION}/selfsubjectrulesreviews`, { spec }, alice);
  expect(json.status.resourceRules).toContainEqual(getWidgets);
  expect(json.status.nonResourceRules[0].nonResourceURLs).toContain("/api");
});

test("a service account token is valid until it expires or the account is deleted", async () => {
  await grant([getWidgets], { kind: "ServiceAccount", name: "default", namespace: "default" });
  await api.post(WIDGETS, widget("a"));
  const asked = await api.post(TOKEN, { spec: { expirationSeconds: 600 } });
  expect([asked.code, asked.json.status.expirationTimestamp]).toEqual([201, "2026-01-02T03:14:05Z"]);
  const { token } = asked.json.status;
  expect((await api.get(`${WIDGETS}/a`, { token })).code).toBe(200);
  const { json } = await api.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, { token });
  expect(json.status.userInfo).toMatchObject({
    username: "system:serviceaccount:default:default",
    groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
  });
  now += 700_000;
  expect((await api.get(`${WIDGETS}/a`, { token })).code).toBe(401);
  now = NOW;
  await api.delete("/api/v1/namespaces/default/serviceaccounts/default");
  expect((await api.get(`${WIDGETS}/a`, { token })).code).toBe(401);
});

test("an issued token is named in the audit event", async () => {
  const lines: string[] = [];
  const audit = { write: (line: string) => void lines.push(line) };
  const client = await openWithWidgets({ tokenKey: await openTokenKey(new MemoryStore()), audit });
  const { token } = (await client.post(`${TOKEN}?dryRun=All`, { spec: {} })).json.status;
  const { jti } = JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
  const { annotations } = JSON.parse(lines.at(-1) ?? "");
  expect(annotations["authentication.kubernetes.io/issued-credential-id"]).toBe(`JTI=${jti}`);
});

test("a modified token, or one for another audience, is refused", async () => {
  const { token } = (await api.post(TOKEN, { spec: { audiences: ["vault"] } })).json.status;
  expect((await api.get("/version", { token })).code).toBe(401);
  const review = (audiences: string[]) => api.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token, audiences } });
  expect((await review(["vault"])).json.status).toMatchObject({ authenticated: true, audiences: ["vault"] });
  expect((await review(["other"])).json.status).toEqual({ user: {}, error: "invalid bearer token" });
  const good = (await api.post(TOKEN, { spec: {} })).json.status.token;
  const [header, payload, signature] = good.split(".");
  const forged = `${header}.${payload.slice(0, -2)}AA.${signature}`;
  expect((await api.get("/version", { token: forged })).code).toBe(401);
});

test("tokens live at least ten minutes", async () => {
  const { code, json } = await api.post(TOKEN, { spec: { expirationSeconds: 60 } });
  expect([code, json.details.causes[0].field]).toEqual([422, "spec.expirationSeconds"]);
});

test.each([
  { name: "a user", headers: { "impersonate-user": "bob" }, user: "bob", groups: ["system:authenticated"] },
  {
    name: "a service account with its groups",
    headers: { "impersonate-user": "system:serviceaccount:default:x" },
    user: "system:serviceaccount:default:x",
    groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
  },
  {
    name: "several groups",
    headers: { "impersonate-user": "bob", "impersonate-group": "a, b" },
    user: "bob",
    groups: ["a", "b", "system:authenticated"],
  },
])("an administrator may impersonate $name", async ({ headers, user, groups }) => {
  const { json } = await api.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, { headers });
  expect(json.status.userInfo).toEqual({ username: user, groups });
});

test("other users may impersonate only with permission", async () => {
  const headers = { authorization: "Bearer alice", "impersonate-user": "bob" };
  const { json } = await api.get("/api/v1/namespaces/default", { headers });
  expect(json.message).toBe(
    'namespaces "default" is forbidden: User "alice" cannot impersonate-on:user-info:get resource "namespaces" in API group "" in the namespace "default"',
  );
  const nobody = await api.get("/version", { headers: { "impersonate-group": "g" } });
  expect([nobody.code, nobody.json.message]).toEqual([
    400,
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
  ]);
});

test("the keys that tokens are signed with are published to service accounts", async () => {
  const { token } = (await api.post(TOKEN, { spec: {} })).json.status;
  const { text, headers } = await api.get("/openid/v1/jwks", { token });
  expect(headers.get("content-type")).toBe("application/jwk-set+json");
  expect(JSON.parse(text).keys[0]).toMatchObject({ alg: "ES256", use: "sig", crv: "P-256" });
});

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const leaseRule = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "a" }, spec: {} };
const putLease = (query = "") => api.put(`${LEASES}/a${query}`, lease, alice);
const applyLease = (query = "") =>
  api.send("PATCH", `${LEASES}/a?fieldManager=m${query}`, {
    ...alice,
    body: lease,
    type: "application/apply-patch+yaml",
  });

// biome-ignore format: a table
test.each([
  { name: "a PUT",                verb: "update", write: () => putLease() },
  { name: "a PUT without effect", verb: "update", write: () => putLease("?dryRun=All") },
  { name: "apply",                verb: "patch",  write: () => applyLease() },
  { name: "apply without effect", verb: "patch",  write: () => applyLease("&dryRun=All") },
])("$name that creates needs permission to create", async ({ verb, write }) => {
  await grant([{ ...leaseRule, verbs: [verb] }]);
  const { code, json } = await write();
  expect([code, json.message]).toEqual([
    403,
    'leases.coordination.k8s.io "a" is forbidden: User "alice" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
  ]);
  expect((await api.get(`${LEASES}/a`)).code).toBe(404);
  await api.put(`${RBAC}/namespaces/default/roles/r`, { metadata: { name: "r" }, rules: [{ ...leaseRule, verbs: [verb, "create"] }] });
  expect((await write()).code).toBe(201);
});

test("an invalid lease is reported before a missing permission", async () => {
  await grant([{ ...leaseRule, verbs: ["update"] }]);
  const wrong = { ...lease, spec: { leaseDurationSeconds: -1 } };
  expect((await api.put(`${LEASES}/a`, wrong, alice)).code).toBe(422);
});

test("an update of an existing object needs no permission to create", async () => {
  await api.post(LEASES, lease);
  await grant([{ ...leaseRule, verbs: ["patch"] }]);
  expect((await applyLease()).code).toBe(200);
});
