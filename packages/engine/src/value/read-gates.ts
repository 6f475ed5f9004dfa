/** `--feature-gates`: pairs such as `A=true`, read for a version. Follows component-base featuregate in what is refused. */
import { parseBool } from "@portcullis/gostd/strconv";
import { gateDependencies, gateNames, gateState } from "./gates.ts";
import { type KubernetesVersion, minorOf } from "./server-version.ts";

/** Gates of ours. */
const OWN: ReadonlySet<string> = new Set(["CRDPropertyNameSchemas"]);
/** Names for all gates of a stage. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ["AllAlpha", "alpha"],
  ["AllBeta", "beta"],
]);

/** The gates that are set. Throws an Error with upstream's message. */
export function readFeatureGates(pairs: readonly string[], version: KubernetesVersion): ReadonlyMap<string, boolean> {
  const minor = minorOf(version);
  const given = new Map(pairs.filter((pair) => pair.trim() !== "").map(readPair));
  refuse(problemsOf(given, minor));
  const gates = new Map<string, boolean>();
  for (const [name, stage] of STAGES) {
    const value = given.get(name);
    if (value === undefined) continue;
    for (const each of gateNames(minor)) if (gateState(each, minor)?.stage === stage) gates.set(each, value);
  }
  for (const [name, value] of given) if (!STAGES.has(name)) gates.set(name, value);
  refuse(unmetDependencies(gates, minor));
  return gates;
}

/** The component may be named: `kube:A=true`. */
function readPair(pair: string): [name: string, value: boolean] {
  const [, name = "", value] = /^(?:kube:)?([^=]*)(?:=([\s\S]*))?$/.exec(pair.trim()) ?? [];
  if (value === undefined) throw new Error(`missing bool value for ${name.trim()}`);
  const parsed = parseBool(value.trim());
  if (parsed.error === undefined) return [name.trim(), parsed.value];
  throw new Error(`invalid value of ${name.trim()}=${value.trim()}, err: ${parsed.error}`);
}

/** Nothing is said after an unknown gate, as upstream. */
function problemsOf(given: ReadonlyMap<string, boolean>, minor: number): string[] {
  const problems: string[] = [];
  for (const [name, value] of given) {
    if (OWN.has(name) || STAGES.has(name)) continue;
    const state = gateState(name, minor);
    if (state === undefined) return [...problems, `unrecognized feature gate: ${name}`];
    if (state.isLocked && state.isOn !== value)
      problems.push(`cannot set feature gate ${name} to ${value}, feature is locked to ${state.isOn}`);
  }
  return problems;
}

function unmetDependencies(gates: ReadonlyMap<string, boolean>, minor: number): string[] {
  const isOn = (name: string): boolean => gates.get(name) ?? gateState(name, minor)?.isOn === true;
  return gateDependencies(minor).flatMap(({ name, needs }) => {
    const missing = isOn(name) ? needs.filter((each) => !isOn(each)) : [];
    return missing.length === 0
      ? []
      : [`${name} is enabled, but depends on features that are disabled: [${missing.join(" ")}]`];
  });
}

/** Several problems are one error in brackets, as Go's aggregates print. */
function refuse(problems: readonly string[]): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  throw new Error(others.length === 0 ? first : `[${problems.join(", ")}]`);
}
