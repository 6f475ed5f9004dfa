/** Objects created and updated: the findings of `portcullis check`, and what kubectl would print. */
import { decodeResource } from "@portcullis/engine/pipeline/coerce";
import { completeCreate } from "@portcullis/engine/pipeline/create";
import type { CustomResource } from "@portcullis/engine/pipeline/custom-resource";
import { decodeDraft } from "@portcullis/engine/pipeline/decode";
import { prepareUpdate } from "@portcullis/engine/pipeline/prepare";
import type { WriteRequest } from "@portcullis/engine/pipeline/request";
import { completeUpdate } from "@portcullis/engine/pipeline/update";
import { type RatchetingReport, validateUpdate } from "@portcullis/engine/pipeline/validate";
import { StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import { Checker } from "portcullis/check/checker";
import { isDefinition } from "portcullis/check/definition";
import { explainForgiven, explainKept } from "portcullis/check/explain-ratcheting";
import { SYSTEM, withSystemFields, withVersion } from "portcullis/check/review";
import type { ManifestDocument } from "portcullis/input/manifest";
import { gvkOf, kindCatalog } from "portcullis/policy/kinds";
import { fieldFinding } from "portcullis/report/field-error";
import type { Finding } from "portcullis/report/finding";
import type { State } from "../state.ts";
import { type Definitions, engineFor, readSource } from "./definitions.ts";
import { refusalOf, transcript } from "./kubectl.ts";
import type { Problem, RatchetingPanel, RatchetRow, Stage, Transcript } from "./outcome.ts";
import { pipelineStages } from "./pipeline.ts";
import { type Source, schemaPlace, spanOf, toProblem } from "./places.ts";
import { type Report, sumUp } from "./report.ts";

export function reviewObjects(state: State, definitions: Definitions): Report {
  const engine = engineFor(state);
  const object = readSource("object", state);
  const old: Source =
    state.mode === "update" ? readSource("old", state) : { field: "old", text: "", documents: [], problems: [] };
  const checker = new Checker(definitions.catalog, engine, state.fieldValidation, old.documents);
  const attempts = object.documents.map((document) => attempt(document, state, definitions, old, checker));
  const before = [
    ...inputProblems([definitions.source, object, old]),
    ...definitions.judged.flatMap(({ findings }) => findings.map((each) => toProblem(each, definitions.source))),
  ];
  const findings = attempts.flatMap((each) => each.findings);
  const problems = [...before, ...findings.map((each) => toProblem(each, sourceOf(each, object, old)))];
  const [first] = attempts;
  const refused = definitionTranscripts(definitions);
  const isUndefined = refused.some(({ isRefusal }) => isRefusal);
  const said = attempts.flatMap((each) => each.said);
  return {
    ...sumUp(problems, [...refused, ...(isUndefined ? said.map(asIfDefined) : said)]),
    problems,
    schemaPlaces: () => [
      ...before.map(() => undefined),
      ...findings.map((each) => schemaPlace(each, definitions.source)),
    ],
    sources: [definitions.source, object, old],
    pipeline: first?.pipeline,
    ratcheting:
      first?.ratcheting && ratchetingPanel(first.ratcheting, first.document, object.text, first.errorsWithout),
  };
}

/** Of a definition that was refused there are no objects. */
function asIfDefined(said: Transcript): Transcript {
  return { ...said, command: `${said.command}   # if the CRD were accepted` };
}

export function inputProblems(sources: readonly Source[]): Problem[] {
  return sources.flatMap((source) => source.problems.map((each) => toProblem(each, source)));
}

/** What is wrong with the old object is found while the new one is checked. */
function sourceOf({ file }: Finding, object: Source, old: Source): Source {
  return old.documents[0]?.file === file ? old : object;
}

export function definitionTranscripts({ judged }: Pick<Definitions, "judged">, isUpdate = false): Transcript[] {
  return judged.flatMap(({ document, findings }) => {
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
  readonly said: readonly Transcript[];
  readonly pipeline: readonly Stage[] | undefined;
  readonly ratcheting: RatchetingReport | undefined;
  readonly errorsWithout: number;
}

function attempt(
  document: ManifestDocument,
  state: State,
  definitions: Definitions,
  old: Source,
  checker: Checker,
): Attempt {
  const findings = checker.check(document);
  const { apiVersion, kind } = document.id;
  const resource = isDefinition(document) ? undefined : definitions.catalog.find(apiVersion, kind);
  const before = old.documents.find(({ id }) => isSameObject(id, document.id));
  const operation = before === undefined ? "CREATE" : "UPDATE";
  const base = { document, findings, pipeline: undefined, ratcheting: undefined, errorsWithout: 0 };
  if (resource === undefined) {
    const known =
      isDefinition(document) || kindCatalog([], engineFor(state)).ofKind(gvkOf(document.object)) !== undefined;
    const write = { document, operation, resource: kind.toLowerCase(), file: document.file } as const;
    const said = known ? [transcript(write, refusalOf(findings, document), [])] : [unknownKind(document)];
    return { ...base, said };
  }
  const written = writeResource(document, before, resource, state);
  const write = { document, operation, resource: resource.plural, file: document.file } as const;
  return {
    ...base,
    said: [asSent(transcript(write, written.error, written.warnings), document)],
    pipeline: pipelineStages(document.object, resource, written.stored),
    ratcheting: written.ratcheting,
    errorsWithout: written.errorsWithout,
  };
}

/** What kubectl sends is JSON that it made of the YAML, where a key has only its last value. */
function asSent(said: Transcript, { strictErrors }: ManifestDocument): Transcript {
  if (strictErrors.length === 0) return said;
  return { ...said, command: `${said.command}   # as YAML; kubectl itself keeps the last of equal keys` };
}

type Id = ManifestDocument["id"];

/** As `portcullis check --old` pairs them: another version of the same group is the same object. */
function isSameObject(one: Id, other: Id): boolean {
  const [a, b] = [one.apiVersion, other.apiVersion].map((each) => (each.includes("/") ? each.split("/")[0] : ""));
  return a === b && one.kind === other.kind && one.namespace === other.namespace && one.name === other.name;
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

interface Written {
  readonly error: StatusError | undefined;
  readonly warnings: readonly string[];
  readonly stored: JsonObject | undefined;
  readonly ratcheting: RatchetingReport | undefined;
  readonly errorsWithout: number;
}

const MODE = { strict: "Strict", warn: "Warn", ignore: "Ignore" } as const;

/** The whole write, as the server would do it. */
function writeResource(
  document: ManifestDocument,
  before: ManifestDocument | undefined,
  resource: CustomResource,
  { fieldValidation }: State,
): Written {
  const warnings: string[] = [];
  const namespace = document.id.namespace || "default";
  const request: WriteRequest = {
    resource,
    namespace: resource.namespaced ? namespace : "",
    fieldValidation: MODE[fieldValidation],
    system: SYSTEM,
    warn: (text) => warnings.push(text),
  };
  const live = before && decodeResource(before.object, resource, { fromStorage: true });
  const old =
    live === undefined || live.error !== undefined ? undefined : withSystemFields(live.object, resource, namespace);
  const compared = old && compareUpdate(document, old, request);
  try {
    const draft = decodeDraft(document, request);
    const { object } =
      old === undefined ? completeCreate(draft, request) : completeUpdate(withVersion(draft), old, request);
    return { error: undefined, warnings, stored: object, ...NOT_COMPARED, ...compared };
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    return { error: refusal, warnings, stored: undefined, ...NOT_COMPARED, ...compared };
  }
}

const NOT_COMPARED: Pick<Written, "ratcheting" | "errorsWithout"> = { ratcheting: undefined, errorsWithout: 0 };

/** Ratcheting is reported even if the update is refused, and compared with the result without it. */
function compareUpdate(
  { object }: ManifestDocument,
  old: JsonObject,
  { resource, namespace }: WriteRequest,
): Pick<Written, "ratcheting" | "errorsWithout"> {
  const draft = decodeResource(object, resource);
  if (draft.error !== undefined) return NOT_COMPARED;
  try {
    const next = prepareUpdate(withVersion(draft.object), old, resource, namespace);
    const without = { ...resource, gates: { ...resource.gates, CRDValidationRatcheting: false } };
    return {
      ratcheting: validateUpdate(next, old, resource).ratcheting,
      errorsWithout: validateUpdate(next, old, without).errors.length,
    };
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    return NOT_COMPARED;
  }
}

function ratchetingPanel(
  { forgiven, kept }: RatchetingReport,
  document: ManifestDocument,
  text: string,
  errorsWithout: number,
): RatchetingPanel {
  const row = (error: (typeof kept)[number]["error"], outcome: RatchetRow["outcome"], reason: string): RatchetRow => {
    const finding = fieldFinding(document, error, { rule: "", severity: "note" });
    return { outcome, path: finding.path, message: finding.message, reason, ...spanOf(finding, text) };
  };
  return {
    rows: [
      ...kept.map(({ error, reason }) => row(error, "kept", explainKept(reason))),
      ...forgiven.map((each) => row(each.error, "forgiven", explainForgiven(each))),
    ],
    errorsWithout,
  };
}
