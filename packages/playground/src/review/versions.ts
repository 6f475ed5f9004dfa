/** Whether the verdict is the same in every version of Kubernetes, in a sentence. */
import { VERSIONS, type Version } from "../state.ts";
import type { Verdict } from "./outcome.ts";

export interface VersionVerdict {
  readonly version: Version;
  readonly verdict: Pick<Verdict, "tone" | "headline" | "summary">;
}

export interface VersionsNote {
  readonly isSame: boolean;
  readonly text: string;
}

/** `others` has the verdicts of all versions but the current one. */
export function compareVersions(current: VersionVerdict, others: readonly VersionVerdict[]): VersionsNote {
  const known = new Map([current, ...others].map(({ version, verdict }) => [version, sentence(verdict)]));
  const oldestFirst = [...VERSIONS].reverse();
  const runs: { from: Version; to: Version; text: string }[] = [];
  for (const version of oldestFirst) {
    const text = known.get(version) ?? "";
    const last = runs.at(-1);
    if (last?.text === text) last.to = version;
    else runs.push({ from: version, to: version, text });
  }
  const [first] = runs;
  if (runs.length === 1 && first !== undefined) {
    return { isSame: true, text: `the same in every version from ${first.from} to ${first.to}` };
  }
  const own = known.get(current.version);
  const differing = runs.filter(({ text }) => text !== own).map((run) => `${rangeOf(run)}: ${run.text}`);
  return { isSame: false, text: `differs between versions; ${differing.join("; ")}` };
}

function rangeOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? from : `${from} to ${to}`;
}

function sentence({ headline, summary }: VersionVerdict["verdict"]): string {
  return summary === "" ? headline : `${headline}, ${summary}`;
}
