/**
 * Pod Security for callers without a server: an object from a file, with a level or with the namespace that it is in.
 *
 * ```ts
 * checkPodSecurity(pod, { policy: { level: "baseline", version: "latest" }, serverMinor: 36 })
 * // ["violates PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)"]
 * ```
 */
import type { JsonObject } from "../value/json.ts";
import { objectLabels, textOf } from "../value/read.ts";
import { DEFAULT_CONFIGURATION, type PodSecurityConfiguration } from "./configuration.ts";
import { applyPodPolicy, type PodVerdict } from "./evaluate.ts";
import { formatLevelVersion, type LevelVersion, parseLevel, parseVersion, policyOf } from "./level.ts";
import * as messages from "./messages.ts";
import { podOf } from "./pod-spec.ts";
import { evaluatePod, shownDetails } from "./registry.ts";

export interface LevelCheck {
  readonly policy: LevelVersion;
  readonly serverMinor: number;
}

/** The violations of a pod, or of the pod template of an object, at a level. Empty for all other kinds. */
export function checkPodSecurity(object: JsonObject, { policy, serverMinor }: LevelCheck): string[] {
  const pod = podOf(object, resourceOf(object));
  const violations = pod === undefined ? [] : evaluatePod(policy, pod, serverMinor);
  return violations.length === 0 ? [] : [messages.violates(formatLevelVersion(policy), shownDetails(violations))];
}

export interface NamespaceCheck {
  readonly serverMinor: number;
  readonly configuration?: PodSecurityConfiguration;
}

/** What the API server would do with an object in a namespace. Undefined for kinds without pods. */
export function checkInNamespace(
  object: JsonObject,
  namespace: JsonObject,
  { serverMinor, configuration = DEFAULT_CONFIGURATION }: NamespaceCheck,
): PodVerdict | undefined {
  const resource = resourceOf(object);
  const pod = podOf(object, resource);
  if (pod === undefined) return undefined;
  const policy = policyOf(objectLabels(namespace), configuration.defaults);
  const isEnforced = resource.group === "" && resource.resource === "pods";
  return applyPodPolicy(pod, policy, { configuration, serverMinor, isEnforced });
}

/** Parses `baseline` or `restricted:v1.30`. Undefined if it is not a level. */
export function parseLevelVersion(text: string): LevelVersion | undefined {
  const [levelText = "", versionText = "latest", ...rest] = text.split(":");
  const [level, version] = [parseLevel(levelText), parseVersion(versionText)];
  return level === undefined || version === undefined || rest.length > 0 ? undefined : { level, version };
}

const RESOURCES: Readonly<Record<string, readonly [group: string, resource: string]>> = {
  "v1/Pod": ["", "pods"],
  "v1/PodTemplate": ["", "podtemplates"],
  "v1/ReplicationController": ["", "replicationcontrollers"],
  "apps/v1/ReplicaSet": ["apps", "replicasets"],
  "apps/v1/Deployment": ["apps", "deployments"],
  "apps/v1/StatefulSet": ["apps", "statefulsets"],
  "apps/v1/DaemonSet": ["apps", "daemonsets"],
  "batch/v1/Job": ["batch", "jobs"],
  "batch/v1/CronJob": ["batch", "cronjobs"],
};

function resourceOf(object: JsonObject): { readonly group: string; readonly resource: string } {
  const [group, resource] = RESOURCES[`${textOf(object["apiVersion"])}/${textOf(object["kind"])}`] ?? ["", ""];
  return { group, resource };
}
