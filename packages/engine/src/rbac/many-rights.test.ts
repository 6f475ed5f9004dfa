/** Roles and bindings that are few bytes each and very many together. */
import { checkWork } from "@portcullis/gostd/work";
import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import type { JsonObject } from "../value/json.ts";
import { aggregateRoles } from "./aggregate.ts";
import { distinctRulesFor, rbacAuthorizer, rbacSource, rulesFor } from "./authorizer.ts";
import { uncoveredRules } from "./escalation.ts";
import { readRole } from "./objects.ts";

const API = "rbac.authorization.k8s.io/v1";
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const json = (data: unknown): JsonObject => fromPlain(data) as JsonObject;
const alice = { name: "alice", uid: "", groups: [], extra: new Map() };

const rules = range(5_000).map((i) => ({ apiGroups: ["a"], resources: [`r${i}`], verbs: ["get"] }));
const role = json({ apiVersion: API, kind: "ClusterRole", metadata: { name: "r" }, rules });
const bindings = range(2_000).map((i) =>
  json({
    apiVersion: API,
    kind: "RoleBinding",
    metadata: { name: `b${i}`, namespace: "n" },
    roleRef: { kind: "ClusterRole", name: "r" },
    subjects: [{ kind: "User", name: "alice" }],
  }),
);
const source = rbacSource([role, ...bindings]);

test("a role that many bindings name is looked at once", () => {
  const question = { user: alice, verb: "get", resourceRequest: true, path: "", apiGroup: "", apiVersion: "v1" };
  const place = { resource: "none", subresource: "", namespace: "n", name: "", fieldSelector: "", labelSelector: "" };
  const authorizer = rbacAuthorizer(source);
  const before = performance.now();
  for (let i = 0; i < 20; i++) expect(authorizer.authorize({ ...question, ...place }).decision).toBe("noOpinion");
  // With each binding it would be 200 million rules.
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("a list of rules ends where it would be too long, and says so", () => {
  const found = rulesFor(alice, "n", source);
  expect(found.rules).toHaveLength(20_000);
  expect(found.errors).toEqual(["there are too many rules to list them all"]);
  expect(distinctRulesFor(alice, "n", source)).toHaveLength(5_000);
});

test("a binding is found by its first subject that is the user", () => {
  const binding = json({
    apiVersion: API,
    kind: "ClusterRoleBinding",
    metadata: { name: "c" },
    roleRef: { kind: "ClusterRole", name: "r" },
    subjects: [
      { kind: "Group", name: "devs" },
      { kind: "User", name: "alice" },
    ],
  });
  const groups = ["others", "devs"];
  expect(
    rbacSource([role, binding])
      .bindings("", { ...alice, groups })
      .map(({ subject }) => subject.kind),
  ).toEqual(["Group"]);
  expect(
    rbacSource([role, binding])
      .bindings("", alice)
      .map(({ subject }) => subject.kind),
  ).toEqual(["User"]);
  expect(rbacSource([role, binding]).bindings("n", alice)).toEqual([]);
});

test("thousands of collected rules are compared in linear time", () => {
  const part = (i: number): JsonObject =>
    json({
      kind: "ClusterRole",
      metadata: { name: `p${i}`, labels: { a: "b" } },
      rules: range(200).map((j) => ({ apiGroups: ["a"], resources: [`r${i}-${j}`], verbs: ["get"] })),
    });
  const collecting = json({
    kind: "ClusterRole",
    metadata: { name: "all" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
  });
  const roles = [collecting, ...range(200).map(part), part(1)].map(readRole);
  const before = performance.now();
  expect(aggregateRoles(roles).find(({ name }) => name === "all")?.rules).toHaveLength(40_000);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("a rule with more parts than fit into memory is refused, and checking it can be ended", () => {
  const names = range(1_000).map((i) => `n${i}`);
  const rule = { apiGroups: names, resources: names, verbs: names, resourceNames: names, nonResourceURLs: [] };
  expect(uncoveredRules([], [rule])).toHaveLength(10_000);
  const all = { apiGroups: ["*"], resources: ["*"], verbs: ["*"], resourceNames: [], nonResourceURLs: [] };
  const end = (): void => {
    throw new Error("ended");
  };
  expect(() => checkWork(end, () => uncoveredRules([all], [rule]))).toThrow("ended");
});
