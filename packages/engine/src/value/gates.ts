/**
 * The feature gates of kube-apiserver, by version.
 *
 * A line of the data file is a name and its changes: `30a- 33b+ 36g+! 37-` is alpha and off in 1.30, beta and on since
 * 1.33, stable and locked since 1.36, and gone in 1.37. `d` is deprecated.
 */
import { DEPENDENCIES, GATES } from "./generated/gates.ts";
import { currentGates, currentMinor } from "./server-version.ts";

export interface GateState {
  readonly stage: "alpha" | "beta" | "stable" | "deprecated";
  readonly isOn: boolean;
  /** Whether it cannot be changed. */
  readonly isLocked: boolean;
}

const STAGES = { a: "alpha", b: "beta", g: "stable", d: "deprecated" } as const;

let lines: ReadonlyMap<string, string> | undefined;

function gateLines(): ReadonlyMap<string, string> {
  lines ??= new Map(GATES.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]));
  return lines;
}

const states = new Map<string, GateState | undefined>();

/** Undefined if the version has no such gate. */
export function gateState(name: string, minor: number): GateState | undefined {
  const key = `${name} ${minor}`;
  if (!states.has(key)) states.set(key, readState(gateLines().get(name) ?? "", minor));
  return states.get(key);
}

function readState(line: string, minor: number): GateState | undefined {
  let found: GateState | undefined;
  for (const change of line.split(" ")) {
    const [, since, code = "", value, lock] = /^(\d+)([abgd]?)([+-])(!?)$/.exec(change) ?? [];
    if (since === undefined || Number(since) > minor) break;
    const stage = STAGES[code as keyof typeof STAGES];
    found = stage === undefined ? undefined : { stage, isOn: value === "+", isLocked: lock === "!" };
  }
  return found;
}

/** The gates of a version, sorted. */
export function gateNames(minor: number): string[] {
  return [...gateLines().keys()].filter((name) => gateState(name, minor) !== undefined);
}

/** Whether a gate is on in the server whose rules apply. A gate that is gone was stable, and is on. */
export function isEnabled(name: string): boolean {
  const minor = currentMinor();
  return currentGates().get(name) ?? gateState(name, minor)?.isOn ?? isGone(name, minor);
}

function isGone(name: string, minor: number): boolean {
  const line = gateLines().get(name) ?? "";
  const first = Number(/^\d+/.exec(line)?.[0] ?? Number.POSITIVE_INFINITY);
  return first < minor && /g\+!? \d+-$/.test(line);
}

export interface GateDependency {
  readonly name: string;
  readonly needs: readonly string[];
}

/** Which gates of a version can be on only if others are, sorted by name. */
export function gateDependencies(minor: number): readonly GateDependency[] {
  return DEPENDENCIES.flatMap((line) => {
    const [name = "", range = "", ...needs] = line.split(" ");
    const [start = "", end = ""] = range.split("-");
    const applies = Number(start) <= minor && (end === "" || minor <= Number(end));
    return applies ? [{ name, needs }] : [];
  });
}
