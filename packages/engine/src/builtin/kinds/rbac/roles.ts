/** Role and ClusterRole. */
import { CREATED, NAME } from "../../columns/column.ts";
import { validateClusterRole, validateRole } from "../../validate/rbac.ts";
import { defineKind, type KindRules } from "../kind.ts";
import { segmentName } from "../names.ts";

const shared: KindRules = {
  checkName: segmentName,
  metadata: { update: "both" },
  validatedTwiceBefore: "1.35",
  columns: [NAME, CREATED],
  createOnUpdate: true,
};

export const role = defineKind("rbac.authorization.k8s.io/v1", "Role", { ...shared, validate: validateRole });

export const clusterRole = defineKind("rbac.authorization.k8s.io/v1", "ClusterRole", {
  ...shared,
  validate: validateClusterRole,
});
