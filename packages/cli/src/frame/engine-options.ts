/** The Kubernetes version and feature gates. */

import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { readVersion, readVersions } from "./kube-versions.ts";
import type { OptionSpec } from "./option-spec.ts";

export const FEATURE_GATES: OptionSpec = {
  type: "string",
  value: "A=B,…",
  group: "the API server",
  text: "CRDValidationRatcheting and CRDPropertyNameSchemas (default true), ManifestBasedAdmissionControlConfig",
};

export function engineOptions(version: string | undefined, gates: string | undefined): EngineOptions {
  return { version: readVersion(version ?? SERVER_VERSION), gates: readGates(gates) };
}

/** One per version of a list. */
export function engineOptionsList(versions: string | undefined, gates: string | undefined): readonly EngineOptions[] {
  const enabled = readGates(gates);
  return readVersions(versions ?? SERVER_VERSION).map((version) => ({ version, gates: enabled }));
}

function readGates(text: string | undefined): EngineOptions["gates"] {
  const enabled = {
    CRDValidationRatcheting: true,
    CRDPropertyNameSchemas: true,
    ManifestBasedAdmissionControlConfig: false,
  };
  for (const pair of (text ?? "").split(",").filter((each) => each !== "")) {
    const [name = "", value] = pair.split("=");
    if (!isGate(name, enabled) || (value !== "true" && value !== "false")) {
      const names = Object.keys(enabled);
      throw new UsageError(
        `unknown feature gate \`${pair}\`; one of ${names.join(", ")} with =true or =false${didYouMean(name, names)}`,
      );
    }
    enabled[name] = value === "true";
  }
  return enabled;
}

function isGate<T extends object>(name: string, gates: T): name is keyof T & string {
  return Object.hasOwn(gates, name);
}
