/**
 * The supported versions of Kubernetes, and the rules of the server that apply to the code that is running.
 *
 * Most of what the API server does is the same in all versions. The few places that differ ask `since("1.33")`, or
 * `isEnabled("HPAScaleToZero")` in gates.ts. The rules are those of the innermost `asServer`, or those of the newest
 * version. `asServer` runs one synchronous function, so code never sees the rules of another request.
 */

export type KubernetesVersion = `1.${number}`;

/**
 * Oldest first.
 * @example KUBERNETES_VERSIONS[0] // "1.30"
 */
export const KUBERNETES_VERSIONS = [
  "1.30",
  "1.31",
  "1.32",
  "1.33",
  "1.34",
  "1.35",
  "1.36",
  "1.37",
] as const satisfies readonly KubernetesVersion[];

/**
 * The newest version.
 * @example SERVER_VERSION === KUBERNETES_VERSIONS.at(-1) // true
 */
export const SERVER_VERSION: KubernetesVersion = "1.37";

/** A server: its version, and the feature gates that are not at their defaults. */
export interface ServerRules {
  readonly version: KubernetesVersion;
  readonly featureGates?: ReadonlyMap<string, boolean> | undefined;
}

const minors = new Map<string, number>(KUBERNETES_VERSIONS.map((version) => [version, Number(version.slice(2))]));

/** 36 for `1.36`. */
export function minorOf(version: KubernetesVersion): number {
  return minors.get(version) ?? Number(version.slice(2));
}

const NO_GATES: ReadonlyMap<string, boolean> = new Map();
const NEWEST: ServerRules = { version: SERVER_VERSION };
let current: ServerRules = NEWEST;
let minor = minorOf(SERVER_VERSION);

/** Whether the rules of this version, or of a newer one, apply. */
export function since(version: KubernetesVersion): boolean {
  return minor >= minorOf(version);
}

/** A text that a version changed. */
export function reworded(version: KubernetesVersion, now: string, before: string): string {
  return since(version) ? now : before;
}

/** The minor version whose rules apply. */
export function currentMinor(): number {
  return minor;
}

/** The rules that apply: the same object as long as they do not change. */
export function currentRules(): ServerRules {
  return current;
}

/** The feature gates that are not at their defaults. */
export function currentGates(): ReadonlyMap<string, boolean> {
  return current.featureGates ?? NO_GATES;
}

/** Runs a synchronous function by the rules of a server. */
export function asServer<T>(rules: ServerRules, run: () => T): T {
  const [before, minorBefore] = [current, minor];
  current = rules;
  minor = minorOf(rules.version);
  try {
    const result = run();
    if (result instanceof Promise) throw new Error("asServer: the function is asynchronous");
    return result;
  } finally {
    current = before;
    minor = minorBefore;
  }
}

/** Runs a synchronous function by the rules of a version. Example: `asVersion("1.32", () => validatePod(pod))`. */
export function asVersion<T>(version: KubernetesVersion, run: () => T): T {
  return asServer({ version }, run);
}

/** The same function by the rules of a server. */
export function boundToServer<Args extends unknown[], T>(
  rules: ServerRules,
  run: (...args: Args) => T,
): (...args: Args) => T {
  return (...args) => asServer(rules, () => run(...args));
}

/** Whether these are the rules that apply anyway. */
export function isNewest({ version, featureGates }: ServerRules): boolean {
  return version === SERVER_VERSION && (featureGates === undefined || featureGates.size === 0);
}
