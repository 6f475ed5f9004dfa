/**
 * The versions of cel-go whose behaviour differs, as far as it is followed here. Kubernetes 1.37 has 0.29; versions
 * before have 0.26 or older ones.
 */
export type CelGoVersion = "0.26" | "0.29";

export const NEWEST_CEL_GO: CelGoVersion = "0.29";
