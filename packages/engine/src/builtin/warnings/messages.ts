/** Messages of warnings about objects that are accepted. Follows pkg/api/<kind>/warnings.go and the strategies. */
import { quote } from "@portcullis/gostd/quote";
import type { FieldPath } from "../../field/path.ts";
import { isEnabled } from "../../value/gates.ts";
import { since } from "../../value/server-version.ts";

export const about = (path: FieldPath, text: string): string => `${path}: ${text}`;

export const podName = (problems: readonly string[]): string =>
  `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`;
export const ownerName = (problems: readonly string[]): string =>
  `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`;

/** Labels of nodes that have been replaced, and by what. */
export const OLD_NODE_LABELS: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};
export const oldKey = (key: string, advice: string): string => `${key} is ${advice}`;
export const badValue = (value: string, problem: string): string => `${value} is invalid, ${problem}`;
export const nullSelector = (): string => "a null labelSelector results in matching no pod";

export const OLD_POD_ANNOTATIONS: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};
export const oldSeccomp = (): string => 'non-functional in v1.27+; use the "seccompProfile" field instead';
export const oldAppArmor = (): string => 'deprecated since v1.30; use the "appArmorProfile" field instead';

export const gone = (deprecated: string, since: string): string =>
  `deprecated in ${deprecated}, non-functional in ${since}+`;
export const gitRepo = (): string =>
  isEnabled("GitRepoVolumeDriver") || !since("1.33")
    ? "deprecated in v1.11"
    : "deprecated in v1.11, and disabled by default in v1.33+";
export const noSources = (volume: string): string => `volume ${quote(volume)} (Projected) has no sources provided`;
export const overlapping = (volume: string, source: string, paths: string): string =>
  `volume ${quote(volume)} (${source}): overlapping paths: ${paths}`;
export const pathOf = (path: string, source: string): string =>
  source === "" ? quote(path) : `${quote(path)} (${source})`;
export const named = (kind: string, name: string): string => `${kind} ${quote(name)}`;

export const repeated = (what: string, value: string): string => `duplicate ${what} ${quote(value)}`;
export const emptyName = (): string => 'invalid empty name ""';
export const fractional = (amount: string): string =>
  `fractional byte value ${quote(amount)} is invalid, must be an integer`;
export const hiddenVariable = (name: string): string =>
  `hides previous definition of ${quote(name)}, which may be dropped when using apply`;
export const hostIpAlone = (shown: string): string => `hostIP set without hostPort: ${shown}`;
export const portWith = (what: string, other: FieldPath): string => `${what} port definition with ${other}`;
export const portNameTwice = (name: string, other: FieldPath): string =>
  `duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`;
export const negativeGrace = (): string => "must be >= 0; negative values are invalid and will be treated as 1";
export const manyIndexes = (): string =>
  "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
export const endlessHistory = (): string =>
  "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";
export const zoneInSchedule = (): string =>
  "cannot use TZ or CRON_TZ in spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

export const oldTopology = (old: string, now: string): string =>
  `annotation ${old} is deprecated, please use ${now} instead`;
export const ignoredHeadless = (member: string): string => `spec.${member} is ignored for headless services`;
export const externalIps = (): string =>
  "spec.externalIPs is deprecated and may no longer be implemented in some clusters";
export const externalIpsIgnored = (): string => 'spec.externalIPs is ignored when spec.type is "ExternalName"';
export const externalNameIgnored = (): string => 'spec.externalName is ignored when spec.type is not "ExternalName"';
export const preferClose = (): string => 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"';
export const ingressClass = (): string =>
  "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead";
export const oldAddressType = (): string => "FQDN endpoints are deprecated";

export const OLD_VOLUME_ANNOTATIONS: Readonly<Record<string, string>> = {
  "volume.beta.kubernetes.io/storage-class": 'deprecated since v1.8; use "storageClassName" attribute instead',
  "volume.beta.kubernetes.io/mount-options": 'deprecated since v1.31; use "mountOptions" attribute instead',
};
export const recycle = (): string =>
  "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";
export const tokenInSecrets = (): string =>
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";
export const configSource = (): string => "spec.configSource: the feature is removed";
export const externalId = (): string => "spec.externalID: this field is deprecated, and is unused by Kubernetes";
export const mountableSecrets = (path: FieldPath): string =>
  `${path}: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;

export const noPem = (what: string): string => `tls: failed to find any PEM data in ${what} input`;
export const switchedPem = (): string =>
  "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
export const skippedPem = (wanted: string, what: string, found: readonly string[]): string =>
  `tls: failed to find ${wanted} PEM block in ${what} input after skipping PEM blocks of the following types: [${found.join(" ")}]`;
export const certificateForKey = (): string =>
  "tls: found a certificate rather than a key in the PEM for the private key";
export const skippedKey = (found: readonly string[]): string =>
  `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${found.join(" ")}]`;
export const upperCaseDriver = (driver: string): string =>
  `spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`;
