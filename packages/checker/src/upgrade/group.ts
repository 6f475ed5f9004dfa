/** Reports findings that differ only in their place once: versions and embedded types repeat one another. */
import type { UpgradeReportFinding } from "./report.ts";

const MAX_PLACES = 4;

export function groupFindings(findings: readonly UpgradeReportFinding[]): UpgradeReportFinding[] {
  const groups = new Map<string, UpgradeReportFinding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.length === 0 ? first : merged(first, others)],
  );
}

/** What changed and its effect, without the place and without the objects that show it. */
function keyOf({ rule, severity, file, object, hint, fingerprint, upgrade }: UpgradeReportFinding): string {
  const name = upgrade.schemaPath.split(".").at(-1) ?? "";
  const { verdict, severity: blast, change, reason, acknowledgement } = upgrade;
  // A finding that is not about a keyword is not grouped.
  const isAlone = change === "";
  const place = isAlone ? [upgrade.version, upgrade.schemaPath, fingerprint] : [name];
  return JSON.stringify([
    rule,
    severity,
    file,
    object?.name,
    hint,
    place,
    verdict,
    blast,
    change,
    reason,
    acknowledgement,
  ]);
}

function merged(first: UpgradeReportFinding, others: readonly UpgradeReportFinding[]): UpgradeReportFinding {
  const also = others.map(({ upgrade, fingerprint }) => ({
    version: upgrade.version,
    schemaPath: upgrade.schemaPath,
    fingerprint,
  }));
  const shown = also
    .slice(0, MAX_PLACES)
    .map(({ version, schemaPath, fingerprint }) => `also     ${version} ${schemaPath} (${fingerprint})`);
  const rest = also.length - shown.length;
  const lines = [first.message, ...shown, ...(rest > 0 ? [`also     ${rest} more places`] : [])];
  return { ...first, message: lines.join("\n"), upgrade: { ...first.upgrade, also } };
}
