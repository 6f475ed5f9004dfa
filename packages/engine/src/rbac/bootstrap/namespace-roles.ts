/** Roles in `kube-system` and `kube-public`. Facts from kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.30 to 1.37. */
import type { RoleData } from "./role-data.ts";

export const NAMESPACE_ROLES: readonly RoleData[] = [
  {
    name: "system:controller:bootstrap-signer",
    namespace: "kube-public",
    rules: [
      "get list watch|core|configmaps",
      "update|core|configmaps|cluster-info",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "extension-apiserver-authentication-reader",
    namespace: "kube-system",
    rules: ["get list watch|core|configmaps|extension-apiserver-authentication"],
  },
  {
    name: "system::leader-locking-kube-controller-manager",
    namespace: "kube-system",
    rules: [
      "[-34] watch|core|configmaps",
      "[-34] get update|core|configmaps|kube-controller-manager",
      "[31-] create get list update watch|coordination.k8s.io|leases",
      "[31-] create get list update watch|coordination.k8s.io|leasecandidates",
    ],
  },
  {
    name: "system::leader-locking-kube-scheduler",
    namespace: "kube-system",
    rules: [
      "[-34] watch|core|configmaps",
      "[-34] get update|core|configmaps|kube-scheduler",
      "[31-] create get list update watch|coordination.k8s.io|leases",
      "[31-] create get list update watch|coordination.k8s.io|leasecandidates",
    ],
  },
  {
    name: "system:controller:bootstrap-signer",
    namespace: "kube-system",
    rules: ["get list watch|core|secrets"],
  },
  {
    name: "system:controller:cloud-provider",
    namespace: "kube-system",
    rules: ["create get list watch|core|configmaps"],
  },
  {
    name: "system:controller:token-cleaner",
    namespace: "kube-system",
    rules: ["delete get list watch|core|secrets", "create patch update|core events.k8s.io|events"],
  },
];
