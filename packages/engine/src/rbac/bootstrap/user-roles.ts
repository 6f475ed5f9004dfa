/** Cluster roles for people and for all users. Facts from kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.30 to 1.37. */
import type { RoleData } from "./role-data.ts";

export const USER_ROLES: readonly RoleData[] = [
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
      "[-34] create delete deletecollection patch update|core|configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
      "[35-] create delete deletecollection patch update|core|configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
      "create|core|serviceaccounts/token",
      "[35-] create delete deletecollection patch update|core events.k8s.io|events",
      "create delete deletecollection patch update|apps|daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
      "create delete deletecollection patch update|autoscaling|horizontalpodautoscalers",
      "create delete deletecollection patch update|batch|cronjobs jobs",
      "create delete deletecollection patch update|extensions|daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
      "create delete deletecollection patch update|policy|poddisruptionbudgets",
      "create delete deletecollection patch update|networking.k8s.io|ingresses networkpolicies",
      "create delete deletecollection get list patch update watch|coordination.k8s.io|leases",
      "[34-] create delete deletecollection patch update|resource.k8s.io|resourceclaims resourceclaimtemplates",
      "[GenericWorkload] create delete deletecollection patch update|scheduling.k8s.io|podgroups workloads",
      "[EvictionRequestAPI] create delete deletecollection patch update|lifecycle.k8s.io|evictionrequests",
      "[CompositePodGroup] create delete deletecollection patch update|scheduling.k8s.io|compositepodgroups",
    ],
  },
  {
    name: "system:aggregate-to-view",
    feeds: "view",
    rules: [
      "get list watch|core|configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
      "[-34] get list watch|core|bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
      "[35-] get list watch|core|bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
      "get list watch|core|namespaces",
      "[35-] get list watch|core events.k8s.io|events",
      "get list watch|discovery.k8s.io|endpointslices",
      "get list watch|apps|controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
      "get list watch|autoscaling|horizontalpodautoscalers horizontalpodautoscalers/status",
      "get list watch|batch|cronjobs cronjobs/status jobs jobs/status",
      "get list watch|extensions|daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
      "get list watch|policy|poddisruptionbudgets poddisruptionbudgets/status",
      "get list watch|networking.k8s.io|ingresses ingresses/status networkpolicies",
      "[34-] get list watch|resource.k8s.io|resourceclaims resourceclaims/status resourceclaimtemplates",
      "[GenericWorkload] get list watch|scheduling.k8s.io|podgroups podgroups/status workloads",
      "[EvictionRequestAPI] get list watch|lifecycle.k8s.io|evictionrequests evictions",
      "[CompositePodGroup] get list watch|scheduling.k8s.io|compositepodgroups compositepodgroups/status",
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
    name: "system:cluster-trust-bundle-discovery",
    when: "ClusterTrustBundle",
    rules: ["get list watch|certificates.k8s.io|clustertrustbundles"],
  },
  {
    name: "system:discovery",
    rules: ["get|/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/"],
  },
  {
    name: "system:heapster",
    rules: ["get list watch|core|events namespaces nodes pods", "get list watch|extensions|deployments"],
  },
  {
    name: "system:monitoring",
    rules: [
      "[-35] get|/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*",
      "[-35 ComponentFlagz] get|/flagz",
      "[-35 ComponentStatusz] get|/statusz",
      "[36- !ComponentFlagz !ComponentStatusz] get|/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*",
      "[36- ComponentFlagz !ComponentStatusz] get|/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*",
      "[36- !ComponentFlagz ComponentStatusz] get|/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz",
      "[36- ComponentFlagz ComponentStatusz] get|/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz",
      "[34-] get|core|nodes/metrics",
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
    name: "cluster-admin",
    rules: ["*|*|*", "*|*"],
  },
];
