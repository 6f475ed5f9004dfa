/**
 * The checks of a level in each version. Restricted includes the baseline checks, except those that its own checks
 * replace.
 *
 * Follows k8s.io/pod-security-admission policy/registry.go.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { type CheckPod, exceptOwnUsers, exceptWindows, type PodLike, type Violation } from "./checks/check.ts";
import { hostNamespaces, hostPathVolumes, hostPorts, hostProbes, windowsHostProcess } from "./checks/host.ts";
import { procMount, sysctls, sysctls27, sysctls29, sysctls32 } from "./checks/kernel.ts";
import {
  allowPrivilegeEscalation,
  defaultCapabilities,
  privileged,
  restrictedCapabilities,
  runAsNonRoot,
  runAsUser,
} from "./checks/privileges.ts";
import {
  appArmorProfile,
  seccompAnnotations,
  seccompBaseline,
  seccompRestricted,
  seLinuxOptions,
  seLinuxOptionsWithEngine,
} from "./checks/profiles.ts";
import { restrictedVolumes } from "./checks/volumes.ts";
import type { Level, LevelVersion, Version } from "./level.ts";

interface Check {
  readonly id: string;
  readonly level: Exclude<Level, "privileged">;
  /** The first minor version of each variant, in increasing order. */
  readonly versions: readonly (readonly [since: number, check: CheckPod])[];
  /** The check of baseline that it replaces. */
  readonly replaces?: string;
}

// biome-ignore format: a table
const CHECKS: readonly Check[] = [
  { id: "allowPrivilegeEscalation", level: "restricted", versions: [[8, allowPrivilegeEscalation], [25, exceptWindows(allowPrivilegeEscalation)]] },
  { id: "appArmorProfile", level: "baseline", versions: [[0, appArmorProfile]] },
  { id: "capabilities_baseline", level: "baseline", versions: [[0, defaultCapabilities]] },
  { id: "capabilities_restricted", level: "restricted", versions: [[22, restrictedCapabilities], [25, exceptWindows(restrictedCapabilities)]], replaces: "capabilities_baseline" },
  { id: "hostNamespaces", level: "baseline", versions: [[0, hostNamespaces]] },
  { id: "hostPathVolumes", level: "baseline", versions: [[0, hostPathVolumes]] },
  { id: "hostPorts", level: "baseline", versions: [[0, hostPorts]] },
  { id: "hostProbesAndHostLifecycle", level: "baseline", versions: [[34, hostProbes]] },
  { id: "privileged", level: "baseline", versions: [[0, privileged]] },
  { id: "procMount", level: "baseline", versions: [[0, procMount], [35, exceptOwnUsers(procMount)]] },
  { id: "procMount_restricted", level: "restricted", versions: [[35, procMount]], replaces: "procMount" },
  { id: "restrictedVolumes", level: "restricted", versions: [[0, restrictedVolumes]], replaces: "hostPathVolumes" },
  { id: "runAsNonRoot", level: "restricted", versions: [[0, runAsNonRoot], [35, exceptOwnUsers(runAsNonRoot)]] },
  { id: "runAsUser", level: "restricted", versions: [[23, runAsUser], [35, exceptOwnUsers(runAsUser)]] },
  { id: "seLinuxOptions", level: "baseline", versions: [[0, seLinuxOptions], [31, seLinuxOptionsWithEngine]] },
  { id: "seccompProfile_baseline", level: "baseline", versions: [[0, seccompAnnotations], [19, seccompBaseline]] },
  { id: "seccompProfile_restricted", level: "restricted", versions: [[19, seccompRestricted], [25, exceptWindows(seccompRestricted)]], replaces: "seccompProfile_baseline" },
  { id: "sysctls", level: "baseline", versions: [[0, sysctls], [27, sysctls27], [29, sysctls29], [32, sysctls32]] },
  { id: "windowsHostProcess", level: "baseline", versions: [[0, windowsHostProcess]] },
];

/** The last version in which a check changed: later ones are the same. */
const NEWEST = Math.max(...CHECKS.flatMap(({ versions }) => versions.map(([since]) => since)));

/** The violations of a pod, in the order they are reported. `serverMinor` limits `latest`. */
export function evaluatePod({ level, version }: LevelVersion, pod: PodLike, serverMinor: number): Violation[] {
  if (level === "privileged") return [];
  return checksOf(level, effectiveMinor(version, serverMinor)).flatMap((check) => check(pod) ?? []);
}

function effectiveMinor(version: Version, serverMinor: number): number {
  const newest = Math.min(NEWEST, serverMinor);
  return version === "latest" ? newest : Math.min(version, newest);
}

const known = new Map<string, readonly CheckPod[]>();

function checksOf(level: Check["level"], minor: number): readonly CheckPod[] {
  const key = `${level} ${minor}`;
  const found = known.get(key) ?? selectChecks(level, minor);
  known.set(key, found);
  return found;
}

/** Baseline checks first, each level by id. */
function selectChecks(level: Check["level"], minor: number): readonly CheckPod[] {
  const inForce = CHECKS.filter((check) => versionAt(check, minor) !== undefined);
  const restricted = level === "restricted" ? inForce.filter((check) => check.level === "restricted") : [];
  const replaced = new Set(restricted.map(({ replaces }) => replaces));
  const baseline = inForce.filter((check) => check.level === "baseline" && !replaced.has(check.id));
  return [...baseline.sort(byId), ...restricted.sort(byId)].flatMap((check) => versionAt(check, minor) ?? []);
}

function versionAt({ versions }: Check, minor: number): CheckPod | undefined {
  return versions.findLast(([since]) => since <= minor)?.[1];
}

function byId(left: Check, right: Check): number {
  return compareStrings(left.id, right.id);
}

/** `host namespaces, privileged`. */
export function shownReasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}

/** `host namespaces (hostPID=true), privileged (…)`. */
export function shownDetails(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}
