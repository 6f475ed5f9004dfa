/** Objects created and updated: the findings of `portcullis check`, and what kubectl would print. */

import { Checker, type Examined } from "@portcullis/checker/internal/check/checker";
import { explainForgiven, explainKept } from "@portcullis/checker/internal/check/explain-ratcheting";
import { NOT_FOUND } from "@portcullis/checker/internal/check/missing-modes";
import { fieldFinding } from "@portcullis/checker/internal/report/field-error";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { RatchetingReport } from "@portcullis/engine/internal/review/custom-resource/ratcheting-report";
import type { State } from "../state.ts";
import { type Definitions, readSource } from "./definitions.ts";
import { refusalOf, transcript } from "./kubectl.ts";
import type { Problem, RatchetNote, Stage, Transcript } from "./outcome.ts";
import { pipelineStages } from "./pipeline.ts";
import { type Source, schemaPlace, toProblem } from "./places.ts";
import { type Report, sumUp } from "./report.ts";

export async function reviewObjects(state: State, definitions: Definitions): Promise<Report> {
  const object = readSource("object", state);
  const old: Source =
    state.mode === "update" ? readSource("old", state) : { field: "old", text: "", documents: [], problems: [] };
  const attempts: Attempt[] = [];
  for (const document of object.documents) attempts.push(await attempt(document, state, definitions, old));
  const before = [
    ...inputProblems([definitions.source, object, old]),
    ...definitions.checked.flatMap(({ findings }) => findings.map((each) => toProblem(each, definitions.source))),
  ];
  const findings = attempts.flatMap((each) => each.findings);
  const problems = [
    ...before,
    ...attempts.flatMap((each) =>
      each.findings.map((finding) => problemOf(finding, each, sourceOf(finding, object, old))),
    ),
  ];
  const [first] = attempts;
  const refused = definitionTranscripts(definitions);
  const isUndefined = refused.some(({ isRefusal }) => isRefusal);
  const transcripts = attempts.flatMap((each) => each.transcripts);
  return {
    ...sumUp(problems, [...refused, ...(isUndefined ? transcripts.map(asIfDefined) : transcripts)]),
    problems,
    schemaPlaces: () => [
      ...before.map(() => undefined),
      ...findings.map((each) => schemaPlace(each, definitions.source)),
    ],
    sources: [definitions.source, object, old],
    pipeline: first?.pipeline,
    ratcheting: first?.ratcheting && {
      forgiven: first.ratcheting.forgiven.length,
      kept: first.ratcheting.kept.length,
      errorsWithout: first.errorsWithout,
    },
  };
}

/** A refused CRD has no objects. */
function asIfDefined(transcripts: Transcript): Transcript {
  return { ...transcripts, command: `${transcripts.command}   # if the definition were accepted` };
}

export function inputProblems(sources: readonly Source[]): Problem[] {
  return sources.flatMap((source) => source.problems.map((each) => toProblem(each, source)));
}

/** Errors of the old object are found while the new one is checked. */
function sourceOf({ file }: Finding, object: Source, old: Source): Source {
  return old.documents[0]?.file === file ? old : object;
}

export function definitionTranscripts({ checked }: Pick<Definitions, "checked">, isUpdate = false): Transcript[] {
  return checked.flatMap(({ document, findings }) => {
    const refusal = refusalOf(findings, document);
    const warnings = findings.filter(({ severity }) => severity === "warning").map(({ message }) => message);
    if (refusal === undefined && warnings.length === 0 && !isUpdate) return [];
    const resource = "customresourcedefinitions";
    const write = { document, operation: isUpdate ? "UPDATE" : "CREATE", resource, file: document.file } as const;
    return [transcript(write, refusal, warnings)];
  });
}

interface Attempt {
  readonly document: ManifestDocument;
  readonly findings: readonly Finding[];
  readonly transcripts: readonly Transcript[];
  readonly pipeline: readonly Stage[] | undefined;
  readonly ratcheting: RatchetingReport | undefined;
  readonly errorsWithout: number;
}

async function attempt(
  document: ManifestDocument,
  { fieldValidation, version }: State,
  definitions: Definitions,
  { documents: old }: Source,
): Promise<Attempt> {
  // Without a CRD the API server refuses the object, so it is an error here.
  const options = { fieldValidation, old, missingSchema: "error", version } as const;
  const checker = new Checker(definitions.cluster, options);
  const findings = await checker.check(document);
  const examined = await checker.examine(document);
  const base = { document, findings, pipeline: undefined, ratcheting: undefined, errorsWithout: 0 };
  if (examined === undefined) return { ...base, transcripts: [unknownKind(document)] };
  const { ratcheting } = examined.outcome;
  const compared = ratcheting && (await new Checker(definitions.withoutRatcheting(), options).examine(document));
  return {
    ...base,
    transcripts: [asSent(transcriptOf(document, examined), document)],
    pipeline: pipelineStages(document.object, examined),
    ratcheting,
    errorsWithout: compared?.outcome.refusal?.fieldErrors.length ?? 0,
  };
}

function transcriptOf(document: ManifestDocument, { kind, outcome, isUpdate }: Examined): Transcript {
  const operation = isUpdate ? "UPDATE" : "CREATE";
  const write = { document, operation, resource: kind.plural, file: document.file } as const;
  return transcript(write, outcome.refusal, outcome.warnings);
}

/** kubectl sends JSON converted from YAML, in which only the last value of a duplicate key is left. */
function asSent(transcripts: Transcript, { strictErrors }: ManifestDocument): Transcript {
  if (strictErrors.length === 0) return transcripts;
  return { ...transcripts, command: `${transcripts.command}   # as YAML; kubectl itself keeps the last of equal keys` };
}

function unknownKind({ id, file }: ManifestDocument): Transcript {
  const { apiVersion, kind, name, namespace } = id;
  const what = `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${file}"`;
  return {
    command: `kubectl create --dry-run=server -f ${file}`,
    output: `error: ${what}: no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    isRefusal: true,
  };
}

/** With what ratcheting made of it, instead of the command line's hint about the same. */
function problemOf(finding: Finding, { ratcheting, document }: Attempt, source: Source): Problem {
  const problem = toProblem(finding, source);
  const ratchet = ratcheting && ratchetNote(finding, ratcheting, document);
  if (ratchet !== undefined) return { ...problem, ratchet };
  return finding.rule === NOT_FOUND && problem.hint?.startsWith("name its CRD") === true
    ? { ...problem, hint: "paste its CustomResourceDefinition into `CRD`, or drop the file there" }
    : problem;
}

function ratchetNote(
  { path, message }: Finding,
  { forgiven, kept }: RatchetingReport,
  document: ManifestDocument,
): RatchetNote | undefined {
  const isSame = (error: (typeof kept)[number]["error"]): boolean => {
    const finding = fieldFinding(document, error, { rule: "", severity: "note" });
    return finding.path === path && finding.message === message;
  };
  const refused = kept.find(({ error }) => isSame(error));
  if (refused !== undefined) return { outcome: "kept", reason: explainKept(refused.reason) };
  const ignored = forgiven.find(({ error }) => isSame(error));
  return ignored && { outcome: "forgiven", reason: explainForgiven(ignored) };
}
