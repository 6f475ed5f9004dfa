/**
 * Beta and alpha versions of kinds that have a stable one: the same types under another name, served only where
 * `--runtime-config` asks for them. Objects are stored in the stable version. Facts from zz_generated.prerelease-lifecycle.go
 * in staging/src/k8s.io/api.
 */
import { currentMinor } from "../value/server-version.ts";

interface PrereleaseVersion {
  readonly group: string;
  readonly version: string;
  /** The minor versions of servers that have it, where its types equal the stable ones. */
  readonly first: number;
  readonly last: number;
  readonly deprecated: number;
  /** The first minor version without it. */
  readonly removed: number;
  /** Whether the deprecation warning names the stable version. */
  readonly isReplaced: boolean;
  readonly kinds: readonly string[];
}

/** Group, version, first and last server, deprecated and removed in, whether the stable version is named, kinds. */
const PRERELEASE_VERSIONS: readonly PrereleaseVersion[] = [
  "admissionregistration.k8s.io v1beta1 36-39 37 40 named MutatingAdmissionPolicy MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io v1alpha1 36-37 35 38 unnamed MutatingAdmissionPolicy MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io v1beta1 30-33 31 34 unnamed ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding",
  "networking.k8s.io v1beta1 33-36 34 37 unnamed IPAddress ServiceCIDR",
  "storage.k8s.io v1beta1 34-36 34 37 named VolumeAttributesClass",
  "resource.k8s.io v1beta2 34-38 36 39 unnamed DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice",
].map(readLine);

function readLine(line: string): PrereleaseVersion {
  const [group = "", version = "", range = "", deprecated = "", removed = "", named = "", ...kinds] = line.split(" ");
  const [first, last] = range.split("-").map(Number);
  return {
    group,
    version,
    first: first ?? 0,
    last: last ?? 0,
    deprecated: Number(deprecated),
    removed: Number(removed),
    isReplaced: named === "named",
    kinds,
  };
}

const STABLE = "v1";

/** The entry of a kind that the server whose rules apply has in this version beside the stable one. */
export function prereleaseVersionOf(group: string, version: string, kind: string): PrereleaseVersion | undefined {
  return present().find((each) => each.group === group && each.version === version && each.kinds.includes(kind));
}

/** The version whose types it has. */
export function stableVersionOf(group: string, version: string, kind: string): string | undefined {
  const base = kind.endsWith("List") ? kind.slice(0, -"List".length) : kind;
  return prereleaseVersionOf(group, version, base) === undefined ? undefined : STABLE;
}

/** The same, whether the server whose rules apply has the version or not. */
export function stableNameOf(group: string, version: string, kind: string): string | undefined {
  const base = kind.endsWith("List") ? kind.slice(0, -"List".length) : kind;
  const isKnown = PRERELEASE_VERSIONS.some(
    (each) => each.group === group && each.version === version && each.kinds.includes(base),
  );
  return isKnown ? STABLE : undefined;
}

/** Whether a version is served without being asked for. */
export function isServedByDefault(group: string, version: string): boolean {
  return !present().some((each) => each.group === group && each.version === version);
}

interface Versioned {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresources: readonly { readonly group: string; readonly version: string }[];
}

/** As discovery lists them. */
export function prereleaseInfos<Info extends Versioned>(stable: readonly Info[]): Info[] {
  return present().flatMap(({ group, version, kinds }) =>
    stable
      .filter((info) => info.group === group && info.version === STABLE && kinds.includes(info.kind))
      .map((info) => ({
        ...info,
        version,
        subresources: info.subresources.map((each) => (each.group === group ? { ...each, version } : each)),
      })),
  );
}

export function deprecationOf(
  { group, version, deprecated, removed, isReplaced }: PrereleaseVersion,
  kind: string,
): string {
  const replacement = isReplaced ? `; use ${group}/${STABLE} ${kind}` : "";
  return `${group}/${version} ${kind} is deprecated in v1.${deprecated}+, unavailable in v1.${removed}+${replacement}`;
}

function present(): readonly PrereleaseVersion[] {
  const minor = currentMinor();
  return PRERELEASE_VERSIONS.filter(({ first, last }) => first <= minor && minor <= last);
}
