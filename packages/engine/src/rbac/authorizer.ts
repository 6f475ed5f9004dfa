/**
 * Authorization by roles and bindings.
 *
 * A role can only allow; whatever no rule covers gets no opinion, with the problems met on the way as the reason.
 * Cluster role bindings are looked at first, then the bindings of the namespace, each in the order of names (upstream
 * leaves the order to chance). Follows kubernetes plugin/pkg/auth/authorizer/rbac and pkg/registry/rbac/validation.
 */
import { aggregate } from "../field/format.ts";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer, UserInfo } from "../kubecel/library/authz.ts";
import type { JsonObject } from "../value/json.ts";
import { aggregateRoles } from "./aggregate.ts";
import { BindingIndex, type BoundSubject, indexByNamespace } from "./binding-index.ts";
import * as messages from "./messages.ts";
import { type PolicyRule, type Role, type RoleBinding, readRole, readRoleBinding, type Subject } from "./objects.ts";
import { ruleAllows } from "./rules.ts";

/** Where roles and bindings are looked up. */
export interface RbacSource {
  role(namespace: string, name: string): Role | undefined;
  clusterRole(name: string): Role | undefined;
  /** The bindings of a user in a namespace, or those for the whole cluster where it is "". */
  bindings(namespace: string, user: UserInfo): readonly BoundSubject[];
}

const GROUP_PREFIX = "rbac.authorization.k8s.io/";

/** A source made of manifests; other kinds are skipped. */
export function rbacSource(objects: readonly JsonObject[]): RbacSource {
  const ofKind = (kind: string): JsonObject[] =>
    objects.filter(({ apiVersion, kind: found }) => found === kind && String(apiVersion).startsWith(GROUP_PREFIX));
  const roles = new Map(ofKind("Role").map((json) => [keyOf(readRole(json)), readRole(json)]));
  const clusterRoles = new Map(aggregateRoles(ofKind("ClusterRole").map(readRole)).map((role) => [role.name, role]));
  const clusterRoleBindings = new BindingIndex(ofKind("ClusterRoleBinding").map(readRoleBinding));
  const roleBindings = indexByNamespace(ofKind("RoleBinding").map(readRoleBinding));
  return {
    role: (namespace, name) => roles.get(`${namespace}/${name}`),
    clusterRole: (name) => clusterRoles.get(name),
    bindings: (namespace, user) =>
      (namespace === "" ? clusterRoleBindings : roleBindings.get(namespace))?.find(user) ?? [],
  };
}

function keyOf({ namespace, name }: Role): string {
  return `${namespace}/${name}`;
}

export function rbacAuthorizer(source: RbacSource): Authorizer {
  return {
    authorize(question) {
      const errors: string[] = [];
      // Many bindings may be to one role.
      const seen = new Set<readonly PolicyRule[]>();
      for (const grant of grantsFor(question.user, question.namespace, source)) {
        if (grant.error !== undefined) errors.push(grant.error);
        else if (isNew(seen, grant.rules) && grant.rules.some((rule) => ruleAllows(rule, question))) {
          const reason = messages.allowedBy(messages.describeBinding(grant.binding, grant.subject));
          return { decision: "allow", reason, error: undefined };
        }
      }
      const reason = errors.length === 0 ? "" : messages.resolutionErrors(aggregate(errors));
      return { decision: "noOpinion", reason, error: undefined };
    },
  };
}

function isNew<T>(seen: Set<T>, item: T): boolean {
  const { size } = seen;
  return seen.add(item).size > size;
}

/** All rules that apply to a user in a namespace ("" for cluster-wide ones only), and what could not be resolved. */
export function rulesFor(
  user: UserInfo,
  namespace: string,
  source: RbacSource,
): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } {
  const rules: PolicyRule[] = [];
  const errors: string[] = [];
  for (const grant of grantsFor(user, namespace, source)) {
    if (grant.error !== undefined) errors.push(grant.error);
    else if (rules.length + grant.rules.length > MAX_RULES)
      return { rules, errors: [...errors, messages.tooManyRules()] };
    else rules.push(...grant.rules);
  }
  return { rules, errors };
}

/** A thousand bindings to one role with ten thousand rules are ten million, and the list of them half a gigabyte. */
const MAX_RULES = 20_000;

/** The same for checks: rules that several bindings grant are there once, and none are left out. */
export function distinctRulesFor(user: UserInfo, namespace: string, source: RbacSource): readonly PolicyRule[] {
  const roles = new Set<readonly PolicyRule[]>();
  for (const grant of grantsFor(user, namespace, source)) if (grant.error === undefined) roles.add(grant.rules);
  return [...roles].flat();
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
  yield* grantsOf("", user, source);
  if (namespace !== "") yield* grantsOf(namespace, user, source);
}

function* grantsOf(namespace: string, user: UserInfo, source: RbacSource): Generator<Grant> {
  for (const { binding, subject } of source.bindings(namespace, user)) {
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
