/**
 * The roles and bindings that a server has from the start, by version and feature gates. Follows kubernetes
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
 */
import type { JsonObject } from "../value/json.ts";
import { objectOf } from "../value/metadata.ts";
import { BINDINGS, type BindingData, NAMESPACE_BINDINGS } from "./bootstrap/bindings.ts";
import { COMPONENT_ROLES } from "./bootstrap/component-roles.ts";
import { CONTROLLERS_A_TO_I } from "./bootstrap/controller-roles-a-to-i.ts";
import { CONTROLLERS_J_TO_Z } from "./bootstrap/controller-roles-j-to-z.ts";
import { NAMESPACE_ROLES } from "./bootstrap/namespace-roles.ts";
import { applies, type RoleData, readConditional, ruleFrom } from "./bootstrap/role-data.ts";
import { USER_ROLES } from "./bootstrap/user-roles.ts";

const GROUP = "rbac.authorization.k8s.io";
const CONTROLLER_PREFIX = "system:controller:";

/** By resource. */
export interface BootstrapPolicy {
  readonly clusterroles: readonly JsonObject[];
  readonly clusterrolebindings: readonly JsonObject[];
  readonly roles: readonly JsonObject[];
  readonly rolebindings: readonly JsonObject[];
}

export function bootstrapPolicy(): BootstrapPolicy {
  const controllers = [...CONTROLLERS_A_TO_I, ...CONTROLLERS_J_TO_Z];
  const controllerRoles = controllers.map((role) => ({ ...role, name: CONTROLLER_PREFIX + role.name }));
  const clusterRoles = [...USER_ROLES, ...COMPONENT_ROLES, ...controllerRoles];
  const bindings = [...BINDINGS, ...controllers.map(controllerBinding)];
  return {
    clusterroles: clusterRoles.filter(isPresent).map(roleFrom),
    clusterrolebindings: bindings.filter(isPresent).map(bindingFrom),
    roles: NAMESPACE_ROLES.filter(isPresent).map(roleFrom),
    rolebindings: NAMESPACE_BINDINGS.filter(isPresent).map(bindingFrom),
  };
}

/** Each controller has a service account of its name. */
function controllerBinding({ name, when }: RoleData): BindingData {
  const subjects = [`kube-system/${name}`];
  return { name: CONTROLLER_PREFIX + name, subjects, ...(when === undefined ? {} : { when }) };
}

function isPresent({ when }: RoleData | BindingData): boolean {
  return when === undefined || applies(when);
}

function roleFrom({ name, namespace, feeds, gathers, rules }: RoleData): JsonObject {
  const present = rules.map(readConditional).filter((text) => text !== undefined);
  const labels = feeds === undefined ? {} : { [aggregationLabel(feeds)]: "true" };
  return objectOf({
    apiVersion: `${GROUP}/v1`,
    kind: namespace === undefined ? "ClusterRole" : "Role",
    metadata: metadataOf(name, namespace, labels),
    rules: gathers === undefined ? present.map(ruleFrom) : null,
    ...(gathers === undefined ? {} : { aggregationRule: aggregationOf(gathers) }),
  });
}

function aggregationOf(role: string): JsonObject {
  const selector = objectOf({ matchLabels: objectOf({ [aggregationLabel(role)]: "true" }) });
  return objectOf({ clusterRoleSelectors: [selector] });
}

function aggregationLabel(role: string): string {
  return `${GROUP}/aggregate-to-${role}`;
}

function bindingFrom({ name, namespace, role = name, subjects }: BindingData): JsonObject {
  const present = subjects.map(readConditional).filter((text) => text !== undefined);
  const prefix = namespace === undefined ? "Cluster" : "";
  return objectOf({
    apiVersion: `${GROUP}/v1`,
    kind: `${prefix}RoleBinding`,
    metadata: metadataOf(name, namespace, {}),
    roleRef: objectOf({ apiGroup: GROUP, kind: `${prefix}Role`, name: role }),
    ...(present.length === 0 ? {} : { subjects: present.map(subjectFrom) }),
  });
}

function subjectFrom(text: string): JsonObject {
  const [, namespace, account] = /^([^ /]+)\/(.+)$/.exec(text) ?? [];
  if (namespace !== undefined) return objectOf({ kind: "ServiceAccount", name: account, namespace });
  const [kind = "", name = ""] = text.split(" ");
  return objectOf({ apiGroup: GROUP, kind, name });
}

function metadataOf(name: string, namespace: string | undefined, labels: Record<string, string>): JsonObject {
  return objectOf({
    annotations: objectOf({ "rbac.authorization.kubernetes.io/autoupdate": "true" }),
    labels: objectOf({ "kubernetes.io/bootstrapping": "rbac-defaults", ...labels }),
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });
}
