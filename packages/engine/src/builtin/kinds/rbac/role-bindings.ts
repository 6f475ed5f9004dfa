/** RoleBinding and ClusterRoleBinding. Follows pkg/apis/rbac/v1/defaults.go. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, text } from "../../columns/column.ts";
import { type Draft, fillZero, inner } from "../../defaults/draft.ts";
import { objectOf, objectsOf, textOf } from "../../object.ts";
import { keptRoleRef, validateClusterRoleBinding, validateRoleBinding } from "../../validate/rbac.ts";
import { defineKind, type KindRules } from "../kind.ts";
import { segmentName } from "../names.ts";

const shared: KindRules = {
  checkName: segmentName,
  metadata: { update: "both" },
  validatedTwiceBefore: "1.35",
  columns: [
    NAME,
    text("Role", (binding) => roleText(objectOf(binding, "roleRef"))),
    AGE,
    text("Users", (binding) => subjectText(binding, "User"), 1),
    text("Groups", (binding) => subjectText(binding, "Group"), 1),
    text("ServiceAccounts", (binding) => subjectText(binding, "ServiceAccount"), 1),
  ],
  createOnUpdate: true,
};

export const roleBinding = defineKind("rbac.authorization.k8s.io/v1", "RoleBinding", {
  ...shared,
  defaults: { "v1.RoleBinding": fillRoleRef, "v1.Subject": fillSubject },
  validate: validateRoleBinding,
  validateUpdate: (binding, old) => [...validateRoleBinding(binding), ...keptRoleRef(binding, old)],
});

export const clusterRoleBinding = defineKind("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", {
  ...shared,
  defaults: { "v1.ClusterRoleBinding": fillRoleRef, "v1.Subject": fillSubject },
  validate: validateClusterRoleBinding,
  validateUpdate: (binding, old) => [...validateClusterRoleBinding(binding), ...keptRoleRef(binding, old)],
});

const GROUP = "rbac.authorization.k8s.io";

function fillRoleRef(binding: Draft): void {
  fillZero(inner(binding, "roleRef"), "apiGroup", GROUP);
}

function fillSubject(subject: Draft): void {
  if (subject["kind"] === "User" || subject["kind"] === "Group") fillZero(subject, "apiGroup", GROUP);
}

function roleText(role: JsonObject | undefined): string {
  return `${textOf(role, "kind")}/${textOf(role, "name")}`;
}

function subjectText(binding: JsonObject, kind: string): string {
  const found = objectsOf(binding, "subjects").filter((each) => each["kind"] === kind);
  const named = found.map((each) => {
    const name = textOf(each, "name");
    return kind === "ServiceAccount" ? `${textOf(each, "namespace")}/${name}` : name;
  });
  return named.join(", ");
}
