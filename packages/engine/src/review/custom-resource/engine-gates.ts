/** The gates of the engine: those that are set, and the defaults of the version for the rest. */
import { gateState } from "../../value/gates.ts";
import { type KubernetesVersion, minorOf } from "../../value/server-version.ts";
import type { EngineGates } from "./custom-resource.ts";

export function engineGates(given: ReadonlyMap<string, boolean>, version: KubernetesVersion): EngineGates {
  const [manifests, selectors] = ["ManifestBasedAdmissionControlConfig", "CustomResourceFieldSelectors"] as const;
  const isOn = (name: string): boolean => given.get(name) ?? gateState(name, minorOf(version))?.isOn === true;
  return {
    CRDValidationRatcheting: given.get("CRDValidationRatcheting") ?? true,
    CRDPropertyNameSchemas: given.get("CRDPropertyNameSchemas") ?? true,
    [manifests]: isOn(manifests),
    // Where the gate is gone, the feature is stable.
    ...(gateState(selectors, minorOf(version)) === undefined || isOn(selectors) ? {} : { [selectors]: false }),
  };
}
