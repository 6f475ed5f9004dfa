/** `--feature-gates` of kube-apiserver, and those gates that change something here. */

import { effectiveGates } from "@portcullis/engine/internal/builtin/strategies/gated-fields";
import { engineGates } from "@portcullis/engine/internal/review/custom-resource/engine-gates";
import { readFeatureGates as readGates } from "@portcullis/engine/internal/value/read-gates";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import type { ServerOptions } from "@portcullis/server";

/** Gates that change who may do what. */
const RIGHTS: ReadonlySet<string> = new Set([
  "AuthorizeNodeWithSelectors",
  "AuthorizePodWebsocketUpgradeCreatePermission",
  "ConstrainedImpersonation",
  "DRAResourceClaimGranularStatusAuthorization",
]);

export interface ReadGates {
  readonly gates: NonNullable<ServerOptions["gates"]>;
  /** All gates that were set. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Gates that were named and have no effect. */
  readonly ignored: readonly string[];
}

/** Pairs such as `A=true`. Throws an Error with upstream's message. */
export function readFeatureGates(pairs: readonly string[], version: KubernetesVersion): ReadGates {
  const featureGates = readGates(pairs, version);
  const gates = engineGates(featureGates, version);
  const named = pairs.map(
    (pair) =>
      pair
        .trim()
        .replace(/^kube:/, "")
        .split("=")[0] ?? "",
  );
  const effective = effectiveGates();
  const isIgnored = (name: string): boolean =>
    featureGates.has(name) && !effective.has(name) && !RIGHTS.has(name) && !(name in gates);
  return { gates, featureGates, ignored: named.filter(isIgnored) };
}
