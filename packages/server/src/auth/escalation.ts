/**
 * Nobody gives away rights they do not have: who writes a role or a binding must hold what it gives, or be allowed to
 * `escalate` or `bind`. Follows kubernetes pkg/registry/rbac/escalation_check.go and the policybased storages.
 */
import { missingRights } from "@portcullis/engine/internal/rbac/escalation";
import { aggregationNeedsAll, grantsTooMuch } from "@portcullis/engine/internal/rbac/messages";
import { type PolicyRule, readRole, readRoleBinding } from "@portcullis/engine/internal/rbac/objects";
import { MASTERS } from "@portcullis/engine/internal/rbac/user";
import type { AdmissionPlugin, AdmissionRequest } from "@portcullis/engine/internal/review/cluster-view";
import { groupResourceOf } from "@portcullis/engine/internal/review/kind";
import { forbidden, notFound } from "@portcullis/engine/internal/status/error";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { withMeta } from "@portcullis/engine/internal/value/metadata";
import { watchWork } from "@portcullis/engine/internal/value/watch-work";
import { RBAC_GROUP, type Rbac } from "./rbac.ts";

const ALL: PolicyRule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] };
const FULL_AUTHORITY = [ALL, { ...ALL, apiGroups: [], resources: [], nonResourceURLs: ["*"] }];

export function escalationCheck(rbac: Rbac): AdmissionPlugin {
  return {
    name: "RBACEscalation",
    mutate: async (request) => {
      const { object, user, endpoint } = request;
      const isFree = endpoint.type.group !== RBAC_GROUP || user.groups.includes(MASTERS);
      if (object === undefined || isFree || isOnlyCollected(object, request.old)) return object;
      await (endpoint.type.kind.endsWith("Binding")
        ? checkBinding(request, object, rbac)
        : checkRole(request, object, rbac));
      return object;
    },
  };
}

/** Finalizers and owners may change without a look at the rights. */
function isOnlyCollected(object: JsonObject, old: JsonObject | undefined): boolean {
  if (old === undefined) return false;
  const ignored = { finalizers: undefined, ownerReferences: undefined, managedFields: undefined };
  return deepEqual(withMeta(object, ignored), withMeta(old, ignored));
}

async function checkRole(request: AdmissionRequest, object: JsonObject, rbac: Rbac): Promise<void> {
  const { name, namespace, endpoint } = request;
  const { group, plural } = endpoint.type;
  if (await mayDo(request, "escalate", { group, resource: plural, namespace, name })) return;
  checkRights(request, readRole(object).rules, rbac);
  const aggregates = [object, request.old].some((each) => isObject(each?.["aggregationRule"]));
  const rules = rbac.distinctRulesFor(request.user, namespace);
  if (aggregates && missingRights(rules, FULL_AUTHORITY).length > 0) throw refusal(request, aggregationNeedsAll());
}

async function checkBinding(request: AdmissionRequest, object: JsonObject, rbac: Rbac): Promise<void> {
  const { namespace } = request;
  const { roleRef } = readRoleBinding(object);
  const resource = roleRef.kind === "ClusterRole" ? "clusterroles" : "roles";
  if (await mayDo(request, "bind", { group: RBAC_GROUP, resource, namespace, name: roleRef.name })) return;
  const rules = rbac.rulesOf({ roleRef, namespace });
  // Upstream looks the role up on behalf of the request, and names what the request is about.
  if (typeof rules === "string") throw notFound(groupResourceOf(request.endpoint.type), roleRef.name);
  checkRights(request, rules, rbac);
}

function checkRights(request: AdmissionRequest, given: readonly PolicyRule[], rbac: Rbac): void {
  const { user, namespace } = request;
  const missing = watchWork(request, () => missingRights(rbac.distinctRulesFor(user, namespace), given));
  if (missing.length > 0) throw refusal(request, grantsTooMuch(user.name, user.groups, missing));
}

function refusal({ endpoint, name }: AdmissionRequest, cause: string): Error {
  return forbidden(groupResourceOf(endpoint.type), name, cause);
}

interface Target {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

async function mayDo({ cluster, user }: AdmissionRequest, verb: string, target: Target): Promise<boolean> {
  const about = { ...target, user, verb, isResource: true, path: "", version: "*", subresource: "" };
  return (await cluster.authorizer(about)).verdict === "allow";
}
