/**
 * The supported versions of Kubernetes, and the version whose rules apply to the code that is running.
 *
 * Most of what the API server does is the same in all versions. The few places that differ ask `since("1.33")`. The
 * version is that of the innermost `asVersion`, or the newest. `asVersion` runs one synchronous function, so code never
 * sees the version of another request.
 */

export type KubernetesVersion = `1.${number}`;

/** Oldest first. */
export const KUBERNETES_VERSIONS = [
  "1.30",
  "1.31",
  "1.32",
  "1.33",
  "1.34",
  "1.35",
  "1.36",
] as const satisfies readonly KubernetesVersion[];

/** The version that everything answers as unless another is asked for: the newest. */
export const SERVER_VERSION: KubernetesVersion = "1.36";

/** 36 for `1.36`. */
export function minorOf(version: KubernetesVersion): number {
  return Number(version.slice(2));
}

const NEWEST = minorOf(SERVER_VERSION);
let current = NEWEST;

/** Whether the rules of this version, or of a newer one, apply. */
export function since(version: KubernetesVersion): boolean {
  return current >= minorOf(version);
}

/** The minor version whose rules apply. */
export function currentMinor(): number {
  return current;
}

/** Runs a synchronous function by the rules of a version. */
export function asVersion<T>(version: KubernetesVersion, run: () => T): T {
  const before = current;
  current = minorOf(version);
  try {
    const result = run();
    if (result instanceof Promise) throw new Error("asVersion: the function is asynchronous");
    return result;
  } finally {
    current = before;
  }
}

/** The same function by the rules of a version. The newest version needs no change. */
export function boundToVersion<Args extends unknown[], T>(
  version: KubernetesVersion,
  run: (...args: Args) => T,
): (...args: Args) => T {
  return minorOf(version) === NEWEST ? run : (...args) => asVersion(version, () => run(...args));
}
