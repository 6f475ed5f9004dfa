/**
 * Repairs roles and bindings that exist already: what is missing is added, and what was added by others stays. Follows
 * component-helpers auth/rbac/reconciliation.
 */

import { deepEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { metaOf, objectOf, withMeta } from "../value/metadata.ts";
import { objectsOf } from "../value/read.ts";
import { withMember, withoutMember } from "../value/rewrite.ts";
import { uncoveredRules } from "./escalation.ts";
import { type PolicyRule, readRole } from "./objects.ts";

const AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

/** What is to be stored, or "recreate" for a binding whose role cannot be changed. */
export function reconciled(existing: JsonObject, expected: JsonObject): JsonObject | "recreate" {
  if (mapOf(existing, "annotations")[AUTO_UPDATE] === "false") return existing;
  if (expected["roleRef"] === undefined) return reconciledRole(withExpectedMetadata(existing, expected), expected);
  if (!deepEqual(existing["roleRef"] ?? null, expected["roleRef"])) return "recreate";
  return reconciledBinding(withExpectedMetadata(existing, expected), expected);
}

function reconciledRole(existing: JsonObject, expected: JsonObject): JsonObject {
  const missing = uncoveredRules(readRole(existing).rules, readRole(expected).rules).map(jsonOfRule);
  const role =
    missing.length === 0 ? existing : withMember(existing, "rules", [...itemsOf(existing, "rules"), ...missing]);
  const [had, wanted] = [existing["aggregationRule"], expected["aggregationRule"]];
  if (!isObject(wanted)) return isObject(had) ? withoutMember(role, "aggregationRule") : role;
  const selectors = isObject(had) ? itemsOf(had, "clusterRoleSelectors") : [];
  const lacking = missingItems(selectors, itemsOf(wanted, "clusterRoleSelectors"));
  if (lacking.length === 0) return role;
  return withMember(role, "aggregationRule", objectOf({ clusterRoleSelectors: [...selectors, ...lacking] }));
}

function reconciledBinding(existing: JsonObject, expected: JsonObject): JsonObject {
  const subjects = itemsOf(existing, "subjects");
  const missing = missingItems(subjects, itemsOf(expected, "subjects"));
  return missing.length === 0 ? existing : withMember(existing, "subjects", [...subjects, ...missing]);
}

function withExpectedMetadata(existing: JsonObject, expected: JsonObject): JsonObject {
  const [annotations, labels] = (["annotations", "labels"] as const).map((member) =>
    objectOf({ ...mapOf(expected, member), ...mapOf(existing, member) }),
  );
  const isSame =
    deepEqual(annotations ?? null, mapOf(existing, "annotations")) &&
    deepEqual(labels ?? null, mapOf(existing, "labels"));
  return isSame ? existing : withMeta(existing, { annotations, labels });
}

function mapOf(object: JsonObject, member: "annotations" | "labels"): JsonObject {
  const map = metaOf(object)[member];
  return isObject(map) ? map : objectOf({});
}

function itemsOf(object: JsonObject, member: string): readonly JsonObject[] {
  const items = object[member];
  return isArray(items) ? objectsOf(items) : [];
}

function missingItems(had: readonly JsonValue[], wanted: readonly JsonObject[]): readonly JsonObject[] {
  return wanted.filter((item) => !had.some((other) => deepEqual(other, item)));
}

function jsonOfRule(rule: PolicyRule): JsonObject {
  const members = Object.entries(rule).filter(([, items]) => items.length > 0);
  return objectOf(Object.fromEntries(members));
}
