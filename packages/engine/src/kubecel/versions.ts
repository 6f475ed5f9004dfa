/** The supported versions of Kubernetes. In a file of its own, so that options and help load nothing else. */

export type KubernetesVersion = `1.${number}`;

/** Oldest first. */
export const KUBERNETES_VERSIONS = [
  "1.30",
  "1.31",
  "1.32",
  "1.33",
  "1.34",
  "1.35",
  "1.36",
] as const satisfies readonly KubernetesVersion[];
/** The version that everything answers as unless another is asked for. */
export const SERVER_VERSION: KubernetesVersion = "1.36";
/** The compatibility version of new expressions on a server of the newest version. */
export const DEFAULT_COMPATIBILITY_VERSION: KubernetesVersion = compatibilityVersion(SERVER_VERSION);

/** The oldest version that a server of this version must be able to roll back to. */
export function compatibilityVersion(server: KubernetesVersion): KubernetesVersion {
  return `1.${minorOf(server) - 1}`;
}

/** 36 for `1.36`. */
export function minorOf(version: KubernetesVersion): number {
  return Number(version.slice(2));
}
