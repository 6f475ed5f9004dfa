/**
 * The versions of cel-go whose behaviour differs, as far as it is followed here. Kubernetes 1.30 has 0.17, 1.31 has
 * 0.20, 1.32 has 0.22, 1.33 has 0.23, 1.34 to 1.36 have 0.26, and 1.37 has 0.29.
 */
const CEL_GO_VERSIONS = ["0.17", "0.20", "0.22", "0.23", "0.26", "0.29"] as const;

export type CelGoVersion = (typeof CEL_GO_VERSIONS)[number];

export const NEWEST_CEL_GO: CelGoVersion = "0.29";

/** Whether a version of cel-go has what another version introduced. */
export function hasCelGo(version: CelGoVersion, introduced: CelGoVersion): boolean {
  return CEL_GO_VERSIONS.indexOf(version) >= CEL_GO_VERSIONS.indexOf(introduced);
}
