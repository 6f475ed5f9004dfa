/**
 * The roles and bindings that a new server starts with: those that people bind or that say what everybody may do. Roles of
 * components that do not run here are left out. Facts from kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
 *
 * A rule is written `verbs|groups|resources`, or `verbs|paths` for paths that are no resources; the core group is `core`.
 */
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";

interface RoleData {
  readonly name: string;
  /** The role that gathers this one. */
  readonly feeds?: string;
  /** The name under which this role gathers others. */
  readonly gathers?: string;
  readonly rules: readonly string[];
}

const ROLES: readonly RoleData[] = [
  {
    name: "cluster-admin",
    rules: ["*|*|*", "*|*"],
  },
  {
    name: "admin",
    gathers: "admin",
    rules: [],
  },
  {
    name: "edit",
    feeds: "admin",
    gathers: "edit",
    rules: [],
  },
  {
    name: "view",
    feeds: "edit",
    gathers: "view",
    rules: [],
  },
  {
    name: "system:aggregate-to-admin",
    feeds: "admin",
    rules: [
      "create|authorization.k8s.io|localsubjectaccessreviews",
      "create delete deletecollection get list patch update watch|rbac.authorization.k8s.io|rolebindings roles",
    ],
  },
  {
    name: "system:aggregate-to-edit",
    feeds: "edit",
    rules: [
      "get list watch|core|pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy",
      "impersonate|core|serviceaccounts",
      "create delete deletecollection patch update|core|pods pods/attach pods/exec pods/portforward pods/proxy",
      "create|core|pods/eviction",
      "create delete deletecollection patch update|core|configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
      "create|core|serviceaccounts/token",
      "create delete deletecollection patch update|core events.k8s.io|events",
      "create delete deletecollection patch update|apps|daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
      "create delete deletecollection patch update|autoscaling|horizontalpodautoscalers",
      "create delete deletecollection patch update|batch|cronjobs jobs",
      "create delete deletecollection patch update|extensions|daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
      "create delete deletecollection patch update|policy|poddisruptionbudgets",
      "create delete deletecollection patch update|networking.k8s.io|ingresses networkpolicies",
      "create delete deletecollection get list patch update watch|coordination.k8s.io|leases",
      "create delete deletecollection patch update|resource.k8s.io|resourceclaims resourceclaimtemplates",
    ],
  },
  {
    name: "system:aggregate-to-view",
    feeds: "view",
    rules: [
      "get list watch|core|configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
      "get list watch|core|bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
      "get list watch|core|namespaces",
      "get list watch|core events.k8s.io|events",
      "get list watch|discovery.k8s.io|endpointslices",
      "get list watch|apps|controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
      "get list watch|autoscaling|horizontalpodautoscalers horizontalpodautoscalers/status",
      "get list watch|batch|cronjobs cronjobs/status jobs jobs/status",
      "get list watch|extensions|daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
      "get list watch|policy|poddisruptionbudgets poddisruptionbudgets/status",
      "get list watch|networking.k8s.io|ingresses ingresses/status networkpolicies",
      "get list watch|resource.k8s.io|resourceclaims resourceclaims/status resourceclaimtemplates",
    ],
  },
  {
    name: "system:auth-delegator",
    rules: ["create|authentication.k8s.io|tokenreviews", "create|authorization.k8s.io|subjectaccessreviews"],
  },
  {
    name: "system:basic-user",
    rules: [
      "create|authorization.k8s.io|selfsubjectaccessreviews selfsubjectrulesreviews",
      "create|authentication.k8s.io|selfsubjectreviews",
    ],
  },
  {
    name: "system:discovery",
    rules: ["get|/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/"],
  },
  {
    name: "system:monitoring",
    rules: [
      "get|/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz",
      "get|core|nodes/metrics",
    ],
  },
  {
    name: "system:public-info-viewer",
    rules: ["get|/healthz /livez /readyz /version /version/"],
  },
  {
    name: "system:service-account-issuer-discovery",
    rules: [
      "get|/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/",
    ],
  },
  {
    name: "system:kube-aggregator",
    rules: ["get list watch|core|endpoints services"],
  },
];

/** A role and the groups it is bound to. */
const BINDINGS: readonly (readonly [role: string, ...groups: string[]])[] = [
  ["cluster-admin", "system:masters"],
  ["system:basic-user", "system:authenticated"],
  ["system:discovery", "system:authenticated"],
  ["system:monitoring", "system:monitoring"],
  ["system:public-info-viewer", "system:authenticated", "system:unauthenticated"],
  ["system:service-account-issuer-discovery", "system:serviceaccounts"],
];

const GROUP = "rbac.authorization.k8s.io";
const METADATA = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

export function bootstrapClusterRoles(): JsonObject[] {
  return ROLES.map(({ name, feeds, gathers, rules }) => {
    const labels = { ...METADATA.labels, ...(feeds === undefined ? {} : { [aggregationLabel(feeds)]: "true" }) };
    const selector = gathers === undefined ? undefined : { matchLabels: { [aggregationLabel(gathers)]: "true" } };
    return json({
      apiVersion: `${GROUP}/v1`,
      kind: "ClusterRole",
      metadata: { ...METADATA, name, labels },
      rules: gathers === undefined ? rules.map(ruleOf) : null,
      ...(selector === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [selector] } }),
    });
  });
}

export function bootstrapClusterRoleBindings(): JsonObject[] {
  return BINDINGS.map(([role, ...groups]) =>
    json({
      apiVersion: `${GROUP}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { ...METADATA, name: role },
      roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: role },
      subjects: groups.map((name) => ({ apiGroup: GROUP, kind: "Group", name })),
    }),
  );
}

function aggregationLabel(role: string): string {
  return `${GROUP}/aggregate-to-${role}`;
}

function ruleOf(text: string): object {
  const [verbs = "", groups = "", resources] = text.split("|");
  if (resources === undefined) return { verbs: verbs.split(" "), nonResourceURLs: groups.split(" ") };
  const apiGroups = groups.split(" ").map((group) => (group === "core" ? "" : group));
  return { verbs: verbs.split(" "), apiGroups, resources: resources.split(" ") };
}

function json(data: object): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("a role is an object");
  return value;
}
