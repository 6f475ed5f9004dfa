/** The version of Portcullis and the Kubernetes versions it supports. */
import { KUBERNETES_VERSIONS, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";

/** The version in package.json; a test compares them. */
export const VERSION = "0.2.0";

export function versionText(isJson: boolean): string {
  const [oldest = SERVER_VERSION] = KUBERNETES_VERSIONS;
  if (!isJson)
    return `portcullis ${VERSION}, Kubernetes ${SERVER_VERSION} (and ${oldest} to ${SERVER_VERSION} by --kube-version)\n`;
  const data = {
    version: VERSION,
    kubernetes: SERVER_VERSION,
    kubernetesVersions: KUBERNETES_VERSIONS,
    node: process.version,
  };
  return `${JSON.stringify(data, undefined, 2)}\n`;
}
