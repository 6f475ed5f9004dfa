/** The bindings of bootstrap roles. Facts from kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.30 to 1.37. */

export interface BindingData {
  readonly name: string;
  /** Absent for a ClusterRoleBinding. */
  readonly namespace?: string;
  /** If it differs from the name. */
  readonly role?: string;
  readonly when?: string;
  /** Written `Group NAME`, `User NAME` or `NAMESPACE/ACCOUNT`; a condition in brackets can come first. */
  readonly subjects: readonly string[];
}

export const BINDINGS: readonly BindingData[] = [
  { name: "cluster-admin", subjects: ["Group system:masters"] },
  { name: "system:basic-user", subjects: ["Group system:authenticated"] },
  {
    name: "system:cluster-trust-bundle-discovery",
    when: "ClusterTrustBundle",
    subjects: ["Group system:serviceaccounts"],
  },
  { name: "system:discovery", subjects: ["Group system:authenticated"] },
  { name: "system:kube-controller-manager", subjects: ["User system:kube-controller-manager"] },
  { name: "system:kube-dns", subjects: ["kube-system/kube-dns"] },
  { name: "system:kube-scheduler", subjects: ["User system:kube-scheduler"] },
  { name: "system:monitoring", subjects: ["Group system:monitoring"] },
  // Nodes have the node authorizer instead.
  { name: "system:node", subjects: [] },
  { name: "system:node-proxier", subjects: ["User system:kube-proxy"] },
  {
    name: "system:public-info-viewer",
    subjects: ["Group system:authenticated", "Group system:unauthenticated"],
  },
  { name: "system:service-account-issuer-discovery", subjects: ["Group system:serviceaccounts"] },
  { name: "system:volume-scheduler", subjects: ["User system:kube-scheduler"] },
];

export const NAMESPACE_BINDINGS: readonly BindingData[] = [
  {
    namespace: "kube-public",
    name: "system:controller:bootstrap-signer",
    subjects: ["kube-system/bootstrap-signer"],
  },
  {
    namespace: "kube-system",
    name: "system::extension-apiserver-authentication-reader",
    role: "extension-apiserver-authentication-reader",
    subjects: ["User system:kube-controller-manager", "User system:kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-controller-manager",
    subjects: [
      "User system:kube-controller-manager",
      "kube-system/kube-controller-manager",
      "[31-] kube-system/leader-election-controller",
    ],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-scheduler",
    subjects: ["User system:kube-scheduler", "kube-system/kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:bootstrap-signer",
    subjects: ["kube-system/bootstrap-signer"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:cloud-provider",
    subjects: ["kube-system/cloud-provider"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:token-cleaner",
    subjects: ["kube-system/token-cleaner"],
  },
];
