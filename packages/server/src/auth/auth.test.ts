import { expect, test } from "vitest";
import { openClient, openWithWidgets, WIDGETS } from "../app/app.testing.ts";
import { parseTokenFile } from "./authenticate.ts";

test("a token file may name several groups, in quotes", () => {
  const users = parseTokenFile('t1,alice,1,"devs,ops"\nt2,bob,2\n# a comment\n\n');
  expect(users.get("t1")).toMatchObject({ name: "alice", uid: "1", groups: ["devs", "ops"] });
  expect(users.get("t2")).toMatchObject({ name: "bob", groups: [] });
});

test("an unknown token is unauthorized", async () => {
  const api = await openClient();
  const { code, json } = await api.get("/api/v1/namespaces", { token: "wrong" });
  expect([code, json.reason, json.message]).toEqual([401, "Unauthorized", "Unauthorized"]);
});

test.each([
  { path: WIDGETS, what: 'cannot list resource "widgets" in API group "example.com" in the namespace "default"' },
  {
    path: `${WIDGETS}/a/status`,
    what: 'cannot get resource "widgets/status" in API group "example.com" in the namespace "default"',
  },
  { path: "/api/v1/namespaces", what: 'cannot list resource "namespaces" in API group "" at the cluster scope' },
  { path: "/metrics", what: 'cannot get path "/metrics"' },
])("a plain user $what", async ({ path, what }) => {
  const api = await openWithWidgets();
  const { code, json } = await api.get(path, { token: "alice" });
  expect(code).toBe(403);
  expect(json.message).toContain(`forbidden: User "alice" ${what}`);
});

test("without a token only health and version are open", async () => {
  const api = await openClient();
  const anonymous = { headers: { authorization: "" } };
  expect((await api.get("/livez", anonymous)).text).toBe("ok");
  expect((await api.get("/version", anonymous)).json.minor).toBe("37");
  const { code, json } = await api.get("/apis", anonymous);
  expect(code).toBe(403);
  expect(json.message).toBe('forbidden: User "system:anonymous" cannot get path "/apis"');
});

test("an additional authorizer grants only what it allows", async () => {
  const api = await openWithWidgets({
    authorizers: [async ({ verb }) => ({ verdict: verb === "list" ? "allow" : "no-opinion", reason: "" })],
  });
  expect((await api.get(WIDGETS, { token: "alice" })).code).toBe(200);
  expect((await api.get(`${WIDGETS}/a`, { token: "alice" })).code).toBe(403);
});
