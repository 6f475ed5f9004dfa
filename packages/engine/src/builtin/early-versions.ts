/**
 * Beta and alpha versions of kinds that have a stable one: the same types under another name, served only where
 * `--runtime-config` asks for them. Objects are stored in the stable version. Facts from zz_generated.prerelease-lifecycle.go
 * in staging/src/k8s.io/api.
 */
import { currentMinor } from "../value/server-version.ts";

interface EarlyVersion {
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

const EARLY_VERSIONS: readonly EarlyVersion[] = [
  {
    ...{ group: "admissionregistration.k8s.io", version: "v1beta1" },
    ...{ first: 36, last: 39, deprecated: 37, removed: 40, isReplaced: true },
    kinds: ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
  },
  {
    ...{ group: "admissionregistration.k8s.io", version: "v1alpha1" },
    ...{ first: 36, last: 37, deprecated: 35, removed: 38, isReplaced: false },
    kinds: ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
  },
  {
    ...{ group: "admissionregistration.k8s.io", version: "v1beta1" },
    ...{ first: 30, last: 33, deprecated: 31, removed: 34, isReplaced: false },
    kinds: ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"],
  },
  {
    ...{ group: "networking.k8s.io", version: "v1beta1" },
    ...{ first: 33, last: 36, deprecated: 34, removed: 37, isReplaced: false },
    kinds: ["IPAddress", "ServiceCIDR"],
  },
  {
    ...{ group: "storage.k8s.io", version: "v1beta1" },
    ...{ first: 34, last: 36, deprecated: 34, removed: 37, isReplaced: true },
    kinds: ["VolumeAttributesClass"],
  },
  {
    ...{ group: "resource.k8s.io", version: "v1beta2" },
    ...{ first: 34, last: 38, deprecated: 36, removed: 39, isReplaced: false },
    kinds: ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"],
  },
];

const STABLE = "v1";

/** The entry of a kind that the server whose rules apply has in this version beside the stable one. */
export function earlyVersionOf(group: string, version: string, kind: string): EarlyVersion | undefined {
  return present().find((each) => each.group === group && each.version === version && each.kinds.includes(kind));
}

/** The version whose types it has. */
export function stableVersionOf(group: string, version: string, kind: string): string | undefined {
  const base = kind.endsWith("List") ? kind.slice(0, -"List".length) : kind;
  return earlyVersionOf(group, version, base) === undefined ? undefined : STABLE;
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
export function earlyInfos<Info extends Versioned>(stable: readonly Info[]): Info[] {
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

export function deprecationOf({ group, version, deprecated, removed, isReplaced }: EarlyVersion, kind: string): string {
  const replacement = isReplaced ? `; use ${group}/${STABLE} ${kind}` : "";
  return `${group}/${version} ${kind} is deprecated in v1.${deprecated}+, unavailable in v1.${removed}+${replacement}`;
}

function present(): readonly EarlyVersion[] {
  const minor = currentMinor();
  return EARLY_VERSIONS.filter(({ first, last }) => first <= minor && minor <= last);
}
