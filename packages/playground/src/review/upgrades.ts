/** Reviews an upgrade of CRDs: `portcullis crd diff`, with witnesses that can be tried. */

import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { crdChecker } from "@portcullis/checker/internal/check/lint";
import { crdFindings } from "@portcullis/checker/internal/check/outcome-findings";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { findingAt } from "@portcullis/checker/internal/report/build";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import { compareSetsSteps, type SetComparison } from "@portcullis/checker/internal/upgrade/compare-sets";
import type { UpgradeReportFinding } from "@portcullis/checker/internal/upgrade/report";
import type { SourceDefinition, SourceSet } from "@portcullis/checker/internal/upgrade/sources";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import { QUESTIONS, type Question } from "@portcullis/engine/internal/upgrade/catalog";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import { DEFAULT_POLICY } from "@portcullis/engine/internal/upgrade/policy/policy";
import { suggestRollout } from "@portcullis/engine/internal/upgrade/policy/rollout";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { State } from "../state.ts";
import { type CheckedDefinition, engineFor, readSource } from "./definitions.ts";
import { diffLines } from "./line-diff.ts";
import { definitionTranscripts, inputProblems } from "./objects.ts";
import type { Problem, Transcript, UpgradePanel, UpgradeRow, Verdict, Witness } from "./outcome.ts";
import { yamlLines } from "./pipeline.ts";
import { type Source, spanOf, toProblem } from "./places.ts";
import { count, type Report } from "./report.ts";

/** One of the two texts, read. */
export interface UpgradeSide {
  readonly source: Source;
  readonly set: SourceSet;
  /** The API server's response to each CRD alone, by name. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  readonly problems: readonly Problem[];
}

export type UpgradeField = "oldDefinition" | "definition";

/** Only identifies the text of a side: while one side is edited, the other is not parsed again. */
export function sideKey(field: UpgradeField, { texts }: State): string {
  return `${field}\0${texts[field] ?? ""}`;
}

export async function readSide(field: UpgradeField, state: State): Promise<UpgradeSide> {
  const source = readSource(field, state);
  const checker = crdChecker([], engineFor(state));
  const findings = new Map<string, readonly Finding[]>();
  for (const document of source.documents.filter(isDefinition)) {
    findings.set(document.id.name, await checker.check(document));
  }
  return { source, findings, ...definitionsOf(source) };
}

/** Compares one change at a time; between two changes the partial result can be shown as a report. */
export function* reviewUpgrade(
  state: State,
  old: UpgradeSide,
  next: UpgradeSide,
  today: string,
): Generator<() => Report, Report> {
  const engine = engineFor(state);
  const [before, after] = [old.source, next.source];
  const sources = [before, after];
  const unreadable = [...inputProblems(sources), ...old.problems, ...next.problems];
  if (unreadable.length > 0 || old.set.definitions.size === 0 || next.set.definitions.size === 0) {
    return { verdict: notComparable(unreadable), problems: unreadable, sources };
  }
  const options = { ...engine, policy: DEFAULT_POLICY, today, isShown: isRelevant };
  const steps = compareSetsSteps(old.set, next.set, options);
  const report = (compared: SetComparison, isAll: boolean): Report => {
    const { findings: shown, hidden } = compared;
    const kubectl = definitionTranscripts({ checked: checkedBy(compared, next) }, true);
    return {
      verdict: isAll ? verdictOf(shown, kubectl, hidden) : verdictSoFar(shown, kubectl, hidden),
      problems: shown.map((finding) => toProblem(finding, ofRemoved(finding, before) ? before : after)),
      sources,
      upgrade: panelOf(compared, after),
    };
  };
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return report(step.value, true);
    const soFar = step.value;
    yield () => report(soFar(), false);
  }
}

/** The API server's response to the new CRDs. As an update, a CRD may have other errors than alone. */
function checkedBy({ accepted }: SetComparison, { set, findings: own }: UpgradeSide): CheckedDefinition[] {
  return [...set.definitions.values()].map(({ document, name }) => {
    const verdict = accepted.get(name);
    const found = own.get(name) ?? [];
    if (verdict === undefined) return { document, findings: found };
    const fields = found.filter(({ rule }) => rule.startsWith("field/"));
    return { document, findings: [...fields, ...crdFindings(document, verdict)] };
  });
}

function definitionsOf(source: Source): Omit<UpgradeSide, "source" | "findings"> {
  const definitions = new Map<string, SourceDefinition>();
  const problems: Problem[] = [];
  for (const document of source.documents.filter(isDefinition)) {
    const decoded = decodeDefinition(document.object);
    if (decoded.error === undefined) {
      definitions.set(document.id.name, { name: document.id.name, json: decoded.value, document });
    } else {
      const finding = findingAt(document, { rule: "decode", severity: "error", message: decoded.error });
      problems.push(toProblem(finding, source));
    }
  }
  return { set: { files: 1, definitions }, problems };
}

function notComparable(problems: readonly Problem[]): Verdict {
  if (problems.length > 0) return { tone: "failed", headline: "Not readable", summary: "", transcripts: [] };
  const summary = "enter the old CRD and the new CRD";
  return { tone: "empty", headline: "Nothing to compare yet", summary, transcripts: [] };
}

/** Changes without effect are counted, not listed. */
function isRelevant({ verdict }: UpgradeFinding): boolean {
  return verdict !== "safe" && verdict !== "noop";
}

function ofRemoved({ rule, file }: UpgradeReportFinding, before: Source): boolean {
  return rule === "upgrade/definition-removed" && before.documents.some((each) => each.file === file);
}

/** An unsafe result is final; a safe one is not until all changes are compared. */
function verdictSoFar(shown: readonly UpgradeReportFinding[], kubectl: readonly Transcript[], hidden: number): Verdict {
  const { tone, headline, summary, transcripts } = verdictOf(shown, kubectl, hidden);
  if (tone === "refused") return { tone, headline, summary: `${summary}, and there is more to look at …`, transcripts };
  const looked = `at ${count(shown.length + hidden, "change")} so far: none of them is unsafe`;
  return { tone: "warned", headline: "Looking", summary: looked, transcripts };
}

function verdictOf(shown: readonly UpgradeReportFinding[], kubectl: readonly Transcript[], hidden: number): Verdict {
  const errors = shown.filter(({ severity }) => severity === "error").length;
  const warnings = shown.filter(({ severity }) => severity === "warning").length;
  const proved = `${count(hidden, "change")} proved safe or without effect`;
  const output = `${count(errors, "error")}, ${count(warnings, "warning")}; ${proved}`;
  const diff = { command: "portcullis crd diff old-definition.yaml definition.yaml", output, isRefusal: errors > 0 };
  const transcripts = [diff, ...kubectl];
  if (errors > 0) {
    return {
      tone: "refused",
      headline: "Unsafe",
      summary: `${count(errors, "change")} can break something`,
      transcripts,
    };
  }
  if (warnings > 0) {
    return {
      tone: "warned",
      headline: "Look again",
      summary: `${count(warnings, "change")} to know about`,
      transcripts,
    };
  }
  return {
    tone: "accepted",
    headline: hidden === 0 ? "No difference" : "Safe",
    summary: hidden === 0 ? "" : proved,
    transcripts,
  };
}

function panelOf(compared: SetComparison, after: Source): UpgradePanel {
  const raw = new Map(compared.raw.map((finding) => [finding.fingerprint, finding]));
  return {
    questions: Object.entries(QUESTIONS).map(([id, text]) => ({
      id,
      text,
      verdict: compared.answers[id as Question],
    })),
    rows: compared.findings.map((finding) => rowOf(finding, raw.get(finding.fingerprint), after)),
    hidden: compared.hidden,
    rollout: suggestRollout(compared.raw),
  };
}

function rowOf(finding: UpgradeReportFinding, raw: UpgradeFinding | undefined, after: Source): UpgradeRow {
  const { upgrade, rule, severity, hint = "" } = finding;
  const witness = raw?.witness;
  return {
    code: rule,
    severity,
    verdict: upgrade.verdict,
    place: [upgrade.version, upgrade.schemaPath].filter((part) => part !== "").join(" "),
    message: raw?.message ?? finding.message,
    why: upgrade.why,
    hint,
    blast: upgrade.severity,
    writes: (raw?.blast?.writes ?? []).filter(({ outcome }) => outcome !== "none"),
    errors: witness?.errors ?? [],
    effect: raw?.effect && diffLines(yamlLines(raw.effect.before), yamlLines(raw.effect.after)),
    witnesses: raw === undefined ? [] : witnessesOf(raw, after),
    witnessText: witness && formatYaml([witness.object]),
    ...spanOf(finding, after.text),
  };
}

function witnessesOf({ witness, effect, code, version }: UpgradeFinding, after: Source): Witness[] {
  const definition = after.text;
  if (witness === undefined) {
    if (effect === undefined) return [];
    const texts = { definition, object: formatYaml([asManifest(effect.object, version, after)]) };
    return [{ label: "Open in Create", mode: "create", fieldValidation: "warn", texts }];
  }
  const object = formatYaml([witness.object]);
  // A witness for readers is accepted by the new CRD; only old clients do not know it.
  if (code === "upgrade/reader")
    return [{ label: "Create it", mode: "create", fieldValidation: "strict", texts: { definition, object } }];
  if (witness.before !== undefined) {
    const texts = { definition, old: formatYaml([witness.before]), object };
    return [{ label: "Try this update", mode: "update", fieldValidation: "strict", texts }];
  }
  const loads: Witness[] = [];
  if (witness.breaksManifest)
    loads.push({ label: "Create it", mode: "create", fieldValidation: "strict", texts: { definition, object } });
  if (witness.breaksStored) {
    const texts = { definition, old: object, object: formatYaml([touched(witness.object)]) };
    loads.push({ label: "Edit a label of the stored object", mode: "update", fieldValidation: "strict", texts });
  }
  return loads;
}

/** Effects on data are shown on the data alone; a complete object also needs a kind and a name. */
function asManifest(data: JsonObject, version: string, { documents }: Source): JsonObject {
  const [definition] = documents.filter(isDefinition).map(({ object }) => readDefinition(object));
  const { kind, apiVersion, metadata, ...rest } = data;
  const name = newObject();
  name["name"] = "example";
  const manifest = newObject();
  return Object.assign(manifest, {
    apiVersion: apiVersion ?? `${definition?.group ?? ""}/${version}`,
    kind: kind ?? definition?.names.kind ?? "",
    metadata: metadata ?? name,
    ...rest,
  });
}

/** The same object with one label more: an edit that has nothing to do with what is wrong. */
function touched(object: JsonObject): JsonObject {
  const meta = isObject(object["metadata"]) ? object["metadata"] : newObject();
  const labels = isObject(meta["labels"]) ? meta["labels"] : newObject();
  return withMember(object, "metadata", withMember(meta, "labels", withMember(labels, "touched", "yes")));
}
