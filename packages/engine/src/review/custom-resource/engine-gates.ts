/** The gates of the engine: those that are set, and the defaults of the version for the rest. */
import { gateState } from "../../value/gates.ts";
import { type KubernetesVersion, minorOf } from "../../value/server-version.ts";
import type { EngineGates } from "./custom-resource.ts";

export function engineGates(given: ReadonlyMap<string, boolean>, version: KubernetesVersion): EngineGates {
  const manifests = "ManifestBasedAdmissionControlConfig";
  return {
    CRDValidationRatcheting: given.get("CRDValidationRatcheting") ?? true,
    CRDPropertyNameSchemas: given.get("CRDPropertyNameSchemas") ?? true,
    [manifests]: given.get(manifests) ?? gateState(manifests, minorOf(version))?.isOn === true,
  };
}
