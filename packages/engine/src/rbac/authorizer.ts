/**
 * Authorization by roles and bindings.
 *
 * A role can only allow; whatever no rule covers gets no opinion, with the problems met on the way as the reason.
 * Cluster role bindings are looked at first, then the bindings of the namespace, each in the order of names (upstream
 * leaves the order to chance). Follows kubernetes plugin/pkg/auth/authorizer/rbac and pkg/registry/rbac/validation.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { aggregate } from "../field/format.ts";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer, UserInfo } from "../kubecel/library/authz.ts";
import type { JsonObject } from "../value/json.ts";
import { aggregateRoles } from "./aggregate.ts";
import * as messages from "./messages.ts";
import { type PolicyRule, type Role, type RoleBinding, readRole, readRoleBinding, type Subject } from "./objects.ts";
import { ruleAllows } from "./rules.ts";

/** Where roles and bindings are looked up. */
export interface RbacSource {
  role(namespace: string, name: string): Role | undefined;
  clusterRole(name: string): Role | undefined;
  roleBindings(namespace: string): readonly RoleBinding[];
  clusterRoleBindings(): readonly RoleBinding[];
}

const GROUP_PREFIX = "rbac.authorization.k8s.io/";

/** A source made of manifests; other kinds are skipped. */
export function rbacSource(objects: readonly JsonObject[]): RbacSource {
  const ofKind = (kind: string): JsonObject[] =>
    objects.filter(({ apiVersion, kind: found }) => found === kind && String(apiVersion).startsWith(GROUP_PREFIX));
  const roles = new Map(ofKind("Role").map((json) => [keyOf(readRole(json)), readRole(json)]));
  const clusterRoles = new Map(aggregateRoles(ofKind("ClusterRole").map(readRole)).map((role) => [role.name, role]));
  const roleBindings = sorted(ofKind("RoleBinding").map(readRoleBinding));
  const clusterRoleBindings = sorted(ofKind("ClusterRoleBinding").map(readRoleBinding));
  return {
    role: (namespace, name) => roles.get(`${namespace}/${name}`),
    clusterRole: (name) => clusterRoles.get(name),
    roleBindings: (namespace) => roleBindings.filter((binding) => binding.namespace === namespace),
    clusterRoleBindings: () => clusterRoleBindings,
  };
}

function keyOf({ namespace, name }: Role): string {
  return `${namespace}/${name}`;
}

function sorted(bindings: RoleBinding[]): readonly RoleBinding[] {
  return bindings.sort((left, right) => compareStrings(left.name, right.name));
}

export function rbacAuthorizer(source: RbacSource): Authorizer {
  return {
    authorize(question) {
      const errors: string[] = [];
      for (const grant of grantsFor(question.user, question.namespace, source)) {
        if (grant.error !== undefined) errors.push(grant.error);
        else if (grant.rules.some((rule) => ruleAllows(rule, question))) {
          const reason = messages.allowedBy(messages.describeBinding(grant.binding, grant.subject));
          return { decision: "allow", reason, error: undefined };
        }
      }
      const reason = errors.length === 0 ? "" : messages.resolutionErrors(aggregate(errors));
      return { decision: "noOpinion", reason, error: undefined };
    },
  };
}

/** All rules that apply to a user in a namespace ("" for cluster-wide ones only), and what could not be resolved. */
export function rulesFor(
  user: UserInfo,
  namespace: string,
  source: RbacSource,
): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } {
  const grants = [...grantsFor(user, namespace, source)];
  return {
    rules: grants.flatMap((grant) => (grant.error === undefined ? grant.rules : [])),
    errors: grants.flatMap((grant) => grant.error ?? []),
  };
}

type Grant =
  | {
      readonly binding: RoleBinding;
      readonly subject: Subject;
      readonly rules: readonly PolicyRule[];
      readonly error: undefined;
    }
  | { readonly error: string };

function* grantsFor(user: UserInfo, namespace: string, source: RbacSource): Generator<Grant> {
  yield* grantsOf(source.clusterRoleBindings(), user, source);
  if (namespace !== "") yield* grantsOf(source.roleBindings(namespace), user, source);
}

function* grantsOf(bindings: readonly RoleBinding[], user: UserInfo, source: RbacSource): Generator<Grant> {
  for (const binding of bindings) {
    const subject = binding.subjects.find((each) => isSubject(each, user, binding.namespace));
    if (subject === undefined) continue;
    const role = resolveRole(binding, source);
    yield typeof role === "string" ? { error: role } : { binding, subject, rules: role.rules, error: undefined };
  }
}

/** A text says why there is no such role. */
export function resolveRole(
  { roleRef, namespace }: Pick<RoleBinding, "roleRef" | "namespace">,
  source: RbacSource,
): Role | string {
  switch (roleRef.kind) {
    case "Role":
      return source.role(namespace, roleRef.name) ?? messages.roleNotFound("role", roleRef.name);
    case "ClusterRole":
      return source.clusterRole(roleRef.name) ?? messages.roleNotFound("clusterrole", roleRef.name);
    default:
      return messages.unsupportedRoleKind(roleRef.kind);
  }
}

function isSubject({ kind, name, namespace }: Subject, user: UserInfo, bindingNamespace: string): boolean {
  switch (kind) {
    case "User":
      return user.name === name;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount": {
      const home = namespace || bindingNamespace;
      return home !== "" && user.name === `system:serviceaccount:${home}:${name}`;
    }
    default:
      return false;
  }
}

const PRIVILEGED_GROUP = "system:masters";

/** Members of `system:masters` may do everything, without a reason given. */
const privilegedAuthorizer: Authorizer = {
  authorize: ({ user }) => ({
    decision: user.groups.includes(PRIVILEGED_GROUP) ? "allow" : "noOpinion",
    reason: "",
    error: undefined,
  }),
};

/** Asks one after the other until one has an opinion. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return { authorize: (question) => askInTurn(authorizers, question) };
}

function askInTurn(authorizers: readonly Authorizer[], question: AuthorizationAttributes): AuthorizationDecision {
  const reasons: string[] = [];
  const errors: string[] = [];
  for (const authorizer of authorizers) {
    const answer = authorizer.authorize(question);
    if (answer.error !== undefined) errors.push(answer.error);
    if (answer.reason !== "") reasons.push(answer.reason);
    if (answer.decision !== "noOpinion") return answer;
  }
  const error = errors.length === 0 ? undefined : aggregate(errors);
  return { decision: "noOpinion", reason: reasons.join("\n"), error };
}

/** What an API server with `--authorization-mode=RBAC` asks: the privileged group, then roles. */
export function serverAuthorizer(source: RbacSource): Authorizer {
  return unionAuthorizer([privilegedAuthorizer, rbacAuthorizer(source)]);
}
