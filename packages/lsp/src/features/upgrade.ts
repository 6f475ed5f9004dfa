/** What a change of the CRDs in a text breaks, compared with the last commit: what `portcullis crd diff` reports. */
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { compareSetsSteps } from "@portcullis/checker/internal/upgrade/compare-sets";
import type { UpgradeReportFinding } from "@portcullis/checker/internal/upgrade/report";
import type { SourceDefinition, SourceSet } from "@portcullis/checker/internal/upgrade/sources";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { DEFAULT_POLICY } from "@portcullis/engine/internal/upgrade/policy/policy";
import type { Range } from "vscode-languageserver";
import { rangeOf } from "../diagnostics/convert.ts";
import { slices } from "../workspace/scan.ts";
import { engineFor } from "../workspace/settings.ts";
import type { OpenText } from "./open-text.ts";

/** One change, for views. */
export interface UpgradeRow {
  readonly rule: string;
  /** `safe`, `unsafe` or `unknown`. */
  readonly verdict: string;
  readonly severity: string;
  readonly message: string;
  /** The object that shows a break, and what else is known. */
  readonly evidence: string;
  readonly range: Range;
}

/** A comparison is given up after this time; what is undecided by then is `unknown`. */
const MAX_MS = 10_000;

export async function upgradeOf(open: OpenText): Promise<readonly UpgradeRow[]> {
  const before = await open.folder.head.textOf(open.file);
  if (before === undefined) return [];
  const [old, next] = [setOf(readFile(open.file, before).documents), setOf(open.objects())];
  const end = performance.now() + MAX_MS;
  const options = {
    ...engineFor(open.settings),
    policy: DEFAULT_POLICY,
    today: new Date().toISOString().slice(0, 10),
    isOver: () => performance.now() > end,
  };
  const steps = compareSetsSteps(old, next, options);
  const pause = slices();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value.findings.map(toRow);
    await pause();
  }
}

function setOf(documents: readonly ManifestDocument[]): SourceSet {
  const definitions = documents.filter(isDefinition).flatMap((document): SourceDefinition[] => {
    const decoded = decodeDefinition(document.object);
    return decoded.error === undefined ? [{ name: document.id.name, json: decoded.value, document }] : [];
  });
  return { files: 1, definitions: new Map(definitions.map((each) => [each.name, each])) };
}

function toRow(finding: UpgradeReportFinding): UpgradeRow {
  const { rule, severity, message, hint = "", upgrade } = finding;
  return { rule, verdict: upgrade.verdict, severity, message, evidence: hint, range: rangeOf(finding) };
}
