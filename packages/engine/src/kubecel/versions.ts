/** The compatibility versions of expressions. In a file of its own, so that options and help load nothing else. */
import { currentMinor, type KubernetesVersion, minorOf } from "../value/server-version.ts";

export { KUBERNETES_VERSIONS, type KubernetesVersion, minorOf, SERVER_VERSION } from "../value/server-version.ts";

/** The compatibility version of new expressions where the caller names no version. */
export function defaultCompatibilityVersion(): KubernetesVersion {
  return `1.${currentMinor() - 1}`;
}

/**
 * The oldest version that a server of this version must be able to roll back to.
 * @example compatibilityVersion("1.37") // "1.36"
 */
export function compatibilityVersion(server: KubernetesVersion): KubernetesVersion {
  return `1.${minorOf(server) - 1}`;
}
