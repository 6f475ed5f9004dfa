/** The Kubernetes version that the corpora were recorded with, unless their name says another one. */
export const RECORDED_VERSION = "1.36";

/** The recorded server ran alone: what kube-controller-manager does besides keeping namespaces was not done. */
export const RECORDED_CONTROLLERS = [
  "namespace-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
] as const;
