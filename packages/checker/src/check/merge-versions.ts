/** Merges the findings of several Kubernetes versions into one list. */
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { Finding } from "../report/finding.ts";

/** A finding that several versions share is reported once; it lists the versions unless all have it. */
export function mergeVersions(
  found: readonly (readonly Finding[])[],
  engines: readonly EngineOptions[],
): readonly Finding[] {
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const merged = new Map<string, { finding: Finding; versions: string[] }>();
  for (const [index, findings] of found.entries()) {
    const version = engines[index]?.version ?? "";
    for (const [order, finding] of findings.entries()) {
      const twins = findings.slice(0, order).filter((each) => keyOf(each) === keyOf(finding)).length;
      const key = `${keyOf(finding)} ${twins}`;
      const known = merged.get(key) ?? { finding, versions: [] };
      known.versions.push(version);
      merged.set(key, known);
    }
  }
  return [...merged.values()].map(({ finding, versions }) =>
    versions.length === engines.length ? finding : { ...finding, kubeVersions: versions },
  );
}

function keyOf({ fingerprint, severity, range }: Finding): string {
  return `${severity} ${fingerprint} ${range?.start.line}`;
}
