/** `--kube-version`: one version, or several whose results are compared. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import {
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
  SERVER_VERSION,
} from "@portcullis/engine/internal/kubecel/versions";
import type { OptionSpec } from "./option-spec.ts";

export function readVersion(text: string): KubernetesVersion {
  const version = KUBERNETES_VERSIONS.find((each) => each === minorOf(text));
  if (version === undefined) {
    throw new UsageError(`unknown Kubernetes version \`${text}\`; one of ${KUBERNETES_VERSIONS.join(", ")}`);
  }
  return version;
}

/** `v1.33.4` is 1.33: decisions do not change within a minor version. */
function minorOf(text: string): string {
  return /^v?(\d+\.\d+)(\.\d+)?$/.exec(text.trim())?.[1] ?? text;
}

/** `1.33,1.36`, in the given order without duplicates. */
export function readVersions(text: string): readonly KubernetesVersion[] {
  const versions = text
    .split(",")
    .filter((each) => each.trim() !== "")
    .map(readVersion);
  if (versions.length === 0) throw new UsageError("`--kube-version` needs a version");
  return [...new Set(versions)];
}

export const KUBE_VERSION: OptionSpec = {
  type: "string",
  value: "VERSION",
  values: KUBERNETES_VERSIONS,
  group: "the API server",
  text: `behave as this Kubernetes version, ${KUBERNETES_VERSIONS[0]} to ${SERVER_VERSION} (default ${SERVER_VERSION})`,
};

export const KUBE_VERSIONS: OptionSpec = {
  ...KUBE_VERSION,
  value: "VERSION,…",
  text: `behave as this Kubernetes version, ${KUBERNETES_VERSIONS[0]} to ${SERVER_VERSION} (default ${SERVER_VERSION}); with several versions, differences are reported`,
};
