import type { User } from "@portcullis/engine/internal/rbac/user";
import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import type { AppOptions } from "../app/options.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const AGENT = "system:serviceaccount:default:agent";

/** A pod's service account on node1, and its administrator. */
async function openOnNode(options: Partial<AppOptions> = {}): Promise<Client> {
  const extra = new Map([["authentication.kubernetes.io/node-name", ["node1"]]]);
  const agent: User = { name: AGENT, uid: "", groups: ["system:serviceaccounts"], extra };
  const admin: User = { name: "admin", uid: "", groups: ["system:masters"], extra: new Map() };
  const authenticate = async (request: { header(name: string): string | undefined }) =>
    request.header("authorization") === "Bearer agent" ? agent : admin;
  return openClient({ authenticators: [authenticate], ...options });
}

async function grant(api: Client, rules: object[]): Promise<void> {
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
  const subjects = [{ kind: "ServiceAccount", namespace: "default", name: "agent" }];
  await api.post(`${RBAC}/clusterroles`, { metadata: { name: "r" }, rules });
  await api.post(`${RBAC}/clusterrolebindings`, { metadata: { name: "r" }, roleRef, subjects });
}

const review = (api: Client, wanted: Record<string, string>) =>
  api.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { token: "agent", headers: { ...wanted } });

const NODES = { apiGroups: ["authentication.k8s.io"], resources: ["nodes"] };
const REVIEWS = { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] };
const nodeRights = (mode: string): object[] => [
  { ...NODES, verbs: [`impersonate:${mode}`] },
  { ...REVIEWS, verbs: [`impersonate-on:${mode}:create`] },
];

test("a service account may be allowed to impersonate the node that it runs on, and no other", async () => {
  const api = await openOnNode();
  await grant(api, nodeRights("associated-node"));
  const own = await review(api, { "impersonate-user": "system:node:node1" });
  expect(own.json.status.userInfo).toEqual({
    username: "system:node:node1",
    groups: ["system:nodes", "system:authenticated"],
  });
  const other = await review(api, { "impersonate-user": "system:node:node2" });
  expect([other.code, other.json.message]).toEqual([
    403,
    `selfsubjectreviews.authentication.k8s.io is forbidden: User "${AGENT}" cannot impersonate-on:arbitrary-node:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`,
  ]);
});

test("the right to impersonate the own node is one for every node", async () => {
  const api = await openOnNode();
  const [node = {}, verb = {}] = nodeRights("associated-node");
  await grant(api, [{ ...node, resourceNames: ["node1"] }, verb]);
  const { code, json } = await review(api, { "impersonate-user": "system:node:node1" });
  expect([code, json.message]).toEqual([
    403,
    `nodes.authentication.k8s.io "*" is forbidden: User "${AGENT}" cannot impersonate:associated-node resource "nodes" in API group "authentication.k8s.io" at the cluster scope`,
  ]);
});

test("an authorizer sees the keys of the extra values of the account on the node, and no value", async () => {
  const asked: string[] = [];
  const authorizer: NonNullable<AppOptions["authorizers"]>[number] = async ({ user, verb }) => {
    asked.push(`${verb} ${JSON.stringify([...user.extra])}`);
    return { verdict: "allow", reason: "" };
  };
  const api = await openOnNode({ authorizers: [authorizer] });
  await review(api, { "impersonate-user": "system:node:node1" });
  const keys = '[["authentication.kubernetes.io/associated-node-keys",["authentication.kubernetes.io/node-name"]]]';
  expect(asked.slice(0, 2)).toEqual([
    `impersonate-on:associated-node:create ${keys}`,
    `impersonate:associated-node ${keys}`,
  ]);
});

const GATE_OFF: Partial<AppOptions> = { featureGates: new Map([["ConstrainedImpersonation", false]]) };

test.each([
  { name: "where the gate is off", options: GATE_OFF },
  { name: "before 1.36", options: { version: "1.35" } satisfies Partial<AppOptions> },
])("constrained rights do not count $name", async ({ options }) => {
  const api = await openOnNode(options);
  await grant(api, nodeRights("arbitrary-node"));
  const { code, json } = await review(api, { "impersonate-user": "system:node:node1" });
  expect([code, json.message]).toEqual([
    403,
    `users "system:node:node1" is forbidden: User "${AGENT}" cannot impersonate resource "users" in API group "" at the cluster scope`,
  ]);
});

test("where the gate is off, the right to impersonate a UID is asked for last", async () => {
  const api = await openOnNode(GATE_OFF);
  await grant(api, [{ apiGroups: [""], resources: ["users"], verbs: ["impersonate"] }]);
  const wanted = { "impersonate-user": "bob", "impersonate-uid": "1", "impersonate-group": "devs" };
  const { json } = await review(api, wanted);
  expect(json.message).toMatch(/^groups "devs" is forbidden/);
});
