import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Attributes } from "@portcullis/engine/internal/review/authorizer";
import { expect, test } from "vitest";
import { abacAuthorizer, parseAbacPolicies } from "./abac.ts";

const GROUP = "abac.authorization.kubernetes.io";
const policy = (spec: object): string => JSON.stringify({ apiVersion: `${GROUP}/v1beta1`, kind: "Policy", spec });

function user(name: string, ...groups: string[]): User {
  return { name, uid: "", groups: [...groups, "system:authenticated"], extra: new Map() };
}

const GET_POD: Attributes = {
  user: user("alice", "devs"),
  verb: "get",
  isResource: true,
  path: "/api/v1/namespaces/a/pods/p",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "a",
  name: "p",
};
const GET_PATH: Attributes = { ...GET_POD, isResource: false, path: "/healthz/etcd", resource: "", namespace: "" };

async function verdict(line: string, attributes: Attributes): Promise<string> {
  const { authorize } = abacAuthorizer(parseAbacPolicies(line, "file"));
  return (await authorize(attributes)).verdict;
}

test.each([
  { name: "a user", line: policy({ user: "alice", namespace: "a", resource: "pods" }), allows: true },
  { name: "a group", line: policy({ group: "devs", namespace: "*", resource: "*", apiGroup: "*" }), allows: true },
  { name: "everyone", line: policy({ user: "*", namespace: "a", resource: "pods" }), allows: true },
  { name: "nobody", line: policy({ namespace: "a", resource: "pods" }), allows: false },
  { name: "a user in another group", line: policy({ user: "alice", group: "ops", resource: "*" }), allows: false },
  { name: "another namespace", line: policy({ user: "alice", namespace: "b", resource: "pods" }), allows: false },
  {
    name: "the core group only",
    line: policy({ user: "alice", namespace: "a", resource: "pods", apiGroup: "apps" }),
    allows: false,
  },
  { name: "paths only", line: policy({ user: "alice", nonResourcePath: "*" }), allows: false },
  { name: "everything, in the first version", line: '{"user":"alice"}', allows: true },
  { name: "everyone, in the first version", line: '{"readonly":true}', allows: true },
])("a policy for $name decides about reading a pod", async ({ line, allows }) => {
  expect(await verdict(line, GET_POD)).toBe(allows ? "allow" : "no-opinion");
});

test("a policy that only reads allows no writes", async () => {
  const line = policy({ user: "alice", namespace: "*", resource: "*", readonly: true });
  expect(await verdict(line, { ...GET_POD, verb: "watch" })).toBe("allow");
  expect(await verdict(line, { ...GET_POD, verb: "delete" })).toBe("no-opinion");
});

test.each([
  ["*", "allow"],
  ["/healthz*", "allow"],
  ["/healthz/etcd", "allow"],
  ["/healthz", "no-opinion"],
  ["", "no-opinion"],
])("the path %s decides about /healthz/etcd: %s", async (nonResourcePath, expected) => {
  expect(await verdict(policy({ user: "alice", nonResourcePath }), GET_PATH)).toBe(expected);
});

test("rights are listed as rules", () => {
  const lines = [policy({ user: "alice", namespace: "a", resource: "pods", nonResourcePath: "/x", readonly: true })];
  const { rulesFor } = abacAuthorizer(parseAbacPolicies(`# comment\n\n${lines}`, "file"));
  const verbs = ["get", "list", "watch"];
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  expect(rulesFor(user("alice"), "a")).toEqual({
    rules: [
      { ...none, verbs, apiGroups: [""], resources: ["pods"] },
      { ...none, verbs, nonResourceURLs: ["/x"] },
    ],
    errors: [],
  });
  expect(rulesFor(user("alice"), "b").rules).toEqual([]);
});

test("a line that is not a policy is refused with its number", () => {
  const line = '{"apiVersion":"v1","kind":"Pod"}';
  expect(() => parseAbacPolicies(`#\n${line}`, "/f")).toThrow(
    `error reading policy file /f, line 2: ${line}: no kind "Pod" is registered for version "v1"`,
  );
});
