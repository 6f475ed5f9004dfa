/** The order of API versions by their names. */

/** Stable before beta before alpha, newer before older; other names come last, by name. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [parseVersion(a), parseVersion(b)];
  if (x === undefined || y === undefined) return x !== undefined ? -1 : y !== undefined ? 1 : a < b ? -1 : 1;
  return y.stage - x.stage || y.major - x.major || y.minor - x.minor;
}

const STAGES = ["alpha", "beta", ""];

function parseVersion(name: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(name);
  if (match === null) return undefined;
  return { stage: STAGES.indexOf(match[2] ?? ""), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
