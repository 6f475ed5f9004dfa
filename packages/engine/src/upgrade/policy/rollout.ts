/** Orders the findings of an upgrade into releases that reach the same result without breaking clients. */
import type { UpgradeFinding } from "../finding.ts";

export interface RolloutStep {
  readonly title: string;
  readonly items: readonly string[];
}

export function suggestRollout(findings: readonly UpgradeFinding[]): RolloutStep[] {
  const unsafe = findings.filter(({ verdict }) => verdict === "unsafe" || verdict === "unknown");
  const tightened = unsafe.filter(
    ({ change, code }) => change?.axis === "validity" && code !== "upgrade/required" && code !== "upgrade/reader",
  );
  const required = unsafe.filter(({ code }) => code === "upgrade/required");
  const removed = unsafe.filter(({ questions }) => questions.includes("Q3"));
  const versions = unsafe.filter(({ code }) => VERSION_CODES.includes(code));
  const readers = unsafe.filter(({ questions }) => questions.includes("Q5") || questions.includes("Q4"));
  const steps: RolloutStep[] = [
    { title: "roll out readers that know the new values and defaults", items: readers.map(place) },
    {
      title: "apply the CRD with the new fields optional and the old bounds",
      items: [...required, ...tightened].map(place),
    },
    {
      title: "fix the objects: `portcullis crd scan` lists them with patches",
      items: [...required, ...tightened].map(place),
    },
    { title: "then require and tighten", items: [...required, ...tightened].map(place) },
    {
      title: "keep removed fields in the schema as deprecated until nobody writes them, then remove them",
      items: removed.map(place),
    },
    {
      title: "deprecate versions, migrate stored objects, clean status.storedVersions, then stop serving them",
      items: versions.map(place),
    },
  ];
  return steps.filter(({ items }) => items.length > 0);
}

const VERSION_CODES: readonly string[] = [
  "upgrade/version-removed",
  "upgrade/version-not-served",
  "upgrade/stored-version-removed",
  "upgrade/storage-version-changed",
];

function place({ version, path, message }: UpgradeFinding): string {
  return [version, path, message].filter((part) => part !== "").join(" ");
}
