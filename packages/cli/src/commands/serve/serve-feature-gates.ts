/** `--feature-gates` of kube-apiserver, and those gates that change something here. */

import { effectiveGates } from "@portcullis/engine/internal/builtin/strategies/gated-fields";
import { readFeatureGates as readGates } from "@portcullis/engine/internal/value/read-gates";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import type { ServerOptions } from "@portcullis/server";

const OURS = ["CRDValidationRatcheting", "CRDPropertyNameSchemas"] as const;

export interface ReadGates {
  readonly gates: NonNullable<ServerOptions["gates"]>;
  /** The other gates that were set. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Gates that were named and have no effect. */
  readonly ignored: readonly string[];
}

/** Pairs such as `A=true`. Throws an Error with upstream's message. */
export function readFeatureGates(pairs: readonly string[], version: KubernetesVersion): ReadGates {
  const given = readGates(pairs, version);
  const gates = Object.fromEntries(OURS.flatMap((name) => entryOf(given, name)));
  const featureGates = new Map([...given].filter(([name]) => !OURS.some((ours) => ours === name)));
  const named = pairs.map(
    (pair) =>
      pair
        .trim()
        .replace(/^kube:/, "")
        .split("=")[0] ?? "",
  );
  const effective = effectiveGates();
  return { gates, featureGates, ignored: named.filter((name) => featureGates.has(name) && !effective.has(name)) };
}

function entryOf(given: ReadonlyMap<string, boolean>, name: string): [string, boolean][] {
  const value = given.get(name);
  return value === undefined ? [] : [[name, value]];
}
