/** The Kubernetes version and feature gates. */

import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type KubernetesVersion, minorOf, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { engineGates } from "@portcullis/engine/internal/review/custom-resource/engine-gates";
import { gateNames } from "@portcullis/engine/internal/value/gates";
import { readFeatureGates } from "@portcullis/engine/internal/value/read-gates";
import { readVersion, readVersions } from "./kube-versions.ts";
import type { OptionSpec } from "./option-spec.ts";

export const FEATURE_GATES: OptionSpec = {
  type: "string",
  value: "A=B,…",
  group: "the API server",
  text: "feature gates of the Kubernetes version, and CRDPropertyNameSchemas, which is on by default",
};

export function engineOptions(version: string | undefined, gates: string | undefined): EngineOptions {
  return optionsFor(readVersion(version ?? SERVER_VERSION), gates);
}

/** One per version of a list. */
export function engineOptionsList(versions: string | undefined, gates: string | undefined): readonly EngineOptions[] {
  return readVersions(versions ?? SERVER_VERSION).map((version) => optionsFor(version, gates));
}

function optionsFor(version: KubernetesVersion, text: string | undefined): EngineOptions {
  const given = readGates((text ?? "").split(","), version);
  const options = { version, gates: engineGates(given, version) };
  return given.size === 0 ? options : { ...options, featureGates: given };
}

function readGates(pairs: readonly string[], version: KubernetesVersion): ReadonlyMap<string, boolean> {
  try {
    return readFeatureGates(pairs, version);
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    const [, name] = /unrecognized feature gate: (.*)/.exec(message) ?? [];
    throw new UsageError(name === undefined ? message : `${message}${didYouMean(name, gateNames(minorOf(version)))}`);
  }
}
