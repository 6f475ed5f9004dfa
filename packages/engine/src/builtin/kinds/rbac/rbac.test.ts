import { expect, test } from "vitest";
import { testKinds, update } from "../kind.testing.ts";

const rule = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const binding = { roleRef: { kind: "Role", name: "r" }, subjects: [{ kind: "User", name: "u" }] };

testKinds({
  "rbac.authorization.k8s.io/v1/Role": {
    valid: { rules: [rule] },
    wrong: { rules: [{ ...rule, verbs: [] }] },
    errors: ["rules[0].verbs: Required value: verbs must contain at least one value"],
  },
  "rbac.authorization.k8s.io/v1/ClusterRole": {
    valid: { rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }] },
    wrong: { rules: [{ resources: ["pods"], verbs: ["get"] }] },
    errors: ["rules[0].apiGroups: Required value: resource rules must supply at least one api group"],
  },
  "rbac.authorization.k8s.io/v1/RoleBinding": {
    valid: binding,
    wrong: { roleRef: { kind: "Pod", name: "r" } },
    errors: ['roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"'],
  },
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": {
    valid: { roleRef: { kind: "ClusterRole", name: "r" } },
    wrong: { roleRef: { kind: "Role", name: "r" } },
    errors: ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
  },
});

test("the role of a binding cannot change", () => {
  const changed = { ...binding, roleRef: { kind: "Role", name: "other" } };
  const { errors } = update("rbac.authorization.k8s.io/v1/RoleBinding", binding, changed);
  expect(errors).toEqual([expect.stringMatching(/^roleRef: Invalid value: .*: field is immutable$/)]);
});
