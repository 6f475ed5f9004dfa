/** `--feature-gates`: pairs such as `A=true`, read for a version. Follows component-base featuregate in what is refused. */
import { parseBool } from "@portcullis/gostd/strconv";
import { gateNames, gateState } from "./gates.ts";
import { type KubernetesVersion, minorOf } from "./server-version.ts";

/** Gates of ours, and one that may be off here although upstream has locked it. */
const OWN: ReadonlySet<string> = new Set(["CRDPropertyNameSchemas", "CRDValidationRatcheting"]);
/** Names for all gates of a stage. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ["AllAlpha", "alpha"],
  ["AllBeta", "beta"],
]);

/** The gates that are set. Throws an Error with upstream's message. */
export function readFeatureGates(pairs: readonly string[], version: KubernetesVersion): ReadonlyMap<string, boolean> {
  const minor = minorOf(version);
  const given = new Map(pairs.filter((pair) => pair.trim() !== "").map((pair) => readPair(pair, minor)));
  const gates = new Map<string, boolean>();
  for (const [name, stage] of STAGES) {
    const value = given.get(name);
    if (value === undefined) continue;
    for (const each of gateNames(minor)) if (gateState(each, minor)?.stage === stage) gates.set(each, value);
  }
  for (const [name, value] of given) if (!STAGES.has(name)) gates.set(name, value);
  return gates;
}

/** The component may be named: `kube:A=true`. */
function readPair(pair: string, minor: number): [name: string, value: boolean] {
  const [, name = "", value] = /^(?:kube:)?([^=]*)(?:=([\s\S]*))?$/.exec(pair.trim()) ?? [];
  if (value === undefined) throw new Error(`missing bool value for ${name}`);
  const state = gateState(name, minor);
  if (state === undefined && !OWN.has(name) && !STAGES.has(name)) throw new Error(`unrecognized feature gate: ${name}`);
  const parsed = parseBool(value.trim());
  if (parsed.error !== undefined) throw new Error(`invalid value of ${name}=${value.trim()}, err: ${parsed.error}`);
  if (state?.isLocked === true && state.isOn !== parsed.value && !OWN.has(name)) {
    throw new Error(`cannot set feature gate ${name} to ${parsed.value}, feature is locked to ${state.isOn}`);
  }
  return [name, parsed.value];
}
