import { expect, test } from "vitest";
import type { AuthorizationAttributes } from "../kubecel/library/authz.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { rbacAuthorizer, rbacSource, rulesFor, serverAuthorizer, unionAuthorizer } from "./authorizer.ts";

const API = "rbac.authorization.k8s.io/v1";

function json(data: unknown): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

const clusterRole = (name: string, over: object) =>
  json({ apiVersion: API, kind: "ClusterRole", metadata: { name }, ...over });
const bind = (name: string, role: string, subjects: object[]) =>
  json({
    apiVersion: API,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { kind: "ClusterRole", name: role },
    subjects,
  });

function question(
  over: Partial<AuthorizationAttributes> & { readonly who?: string; readonly groups?: string[] },
): AuthorizationAttributes {
  const { who = "alice", groups = [], ...rest } = over;
  return {
    user: { name: who, uid: "", groups, extra: new Map() },
    verb: "get",
    resourceRequest: true,
    path: "",
    apiGroup: "",
    apiVersion: "v1",
    resource: "pods",
    subresource: "",
    namespace: "",
    name: "",
    fieldSelector: "",
    labelSelector: "",
    ...rest,
  };
}

const pods = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };
const alice = { kind: "User", name: "alice" };

test("the reason names the binding that allows it", () => {
  const authorizer = rbacAuthorizer(rbacSource([clusterRole("r", pods), bind("b", "r", [alice])]));
  expect(authorizer.authorize(question({}))).toEqual({
    decision: "allow",
    reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "alice"',
    error: undefined,
  });
});

test("a role binding covers its namespace and service accounts in it", () => {
  const objects = [
    json({ apiVersion: API, kind: "Role", metadata: { name: "r", namespace: "n" }, ...pods }),
    json({
      apiVersion: API,
      kind: "RoleBinding",
      metadata: { name: "b", namespace: "n" },
      roleRef: { kind: "Role", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "robot" }],
    }),
  ];
  const authorizer = rbacAuthorizer(rbacSource(objects));
  const who = "system:serviceaccount:n:robot";
  expect(authorizer.authorize(question({ who, namespace: "n" })).reason).toBe(
    'RBAC: allowed by RoleBinding "b/n" of Role "r" to ServiceAccount "robot/n"',
  );
  expect(authorizer.authorize(question({ who, namespace: "m" })).decision).toBe("noOpinion");
  expect(authorizer.authorize(question({ who })).decision).toBe("noOpinion");
});

test("missing roles are the reason", () => {
  const objects = [
    bind("b", "gone", [alice]),
    json({
      apiVersion: API,
      kind: "ClusterRoleBinding",
      metadata: { name: "c" },
      roleRef: { kind: "Group", name: "x" },
      subjects: [alice],
    }),
  ];
  expect(rbacAuthorizer(rbacSource(objects)).authorize(question({})).reason).toBe(
    'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, unsupported role reference kind: "Group"]',
  );
});

test("aggregated roles collect the rules of others, step by step", () => {
  const select = (label: string) => ({
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: "true" } }] },
  });
  const objects = [
    clusterRole("admin", select("to-admin")),
    clusterRole("edit", { ...select("to-edit"), metadata: { name: "edit", labels: { "to-admin": "true" } } }),
    clusterRole("extra", { ...pods, metadata: { name: "extra", labels: { "to-edit": "true" } } }),
    clusterRole("loop", { ...select("loop"), metadata: { name: "loop", labels: { loop: "true" } } }),
    bind("b", "admin", [alice]),
    bind("l", "loop", [alice]),
  ];
  const source = rbacSource(objects);
  expect(rbacAuthorizer(source).authorize(question({})).decision).toBe("allow");
  expect(rulesFor(question({}).user, "", source).rules).toHaveLength(1);
});

test("the privileged group may do everything, without a reason", () => {
  const authorizer = serverAuthorizer(rbacSource([]));
  expect(authorizer.authorize(question({ groups: ["system:masters"], verb: "anything" }))).toMatchObject({
    decision: "allow",
    reason: "",
  });
  expect(authorizer.authorize(question({})).decision).toBe("noOpinion");
});

test("a union stops at the first opinion and collects the reasons of authorizers without one", () => {
  const says = (decision: "allow" | "deny" | "noOpinion", reason: string, error?: string) => ({
    authorize: () => ({ decision, reason, error }),
  });
  expect(
    unionAuthorizer([says("noOpinion", "a"), says("deny", "b"), says("allow", "c")]).authorize(question({})),
  ).toEqual({
    decision: "deny",
    reason: "b",
    error: undefined,
  });
  expect(unionAuthorizer([says("noOpinion", "a", "x"), says("noOpinion", "", "y")]).authorize(question({}))).toEqual({
    decision: "noOpinion",
    reason: "a",
    error: "[x, y]",
  });
});
