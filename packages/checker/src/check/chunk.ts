/**
 * A chunk of the files of one run. One thread may check all files, or several threads a chunk each. The result is plain
 * data and does not depend on which thread checked which file: CRDs are processed in file order, and findings are
 * sorted at the end.
 */
import { isPlain } from "@portcullis/engine/internal/builtin/plain/plain";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { readInputs } from "../input/documents.ts";
import type { InputFile } from "../input/files.ts";
import { type FileObjects, readObjects } from "../input/objects.ts";
import type { Finding, Subject } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Skipped } from "../repository/survey.ts";
import { type ClusterAssumptions, DEFAULT_ASSUMPTIONS, underAssumptions } from "./assumptions.ts";
import { type CheckDocument, checkObjects } from "./check-text.ts";
import { Checker, type CheckerOptions } from "./checker.ts";
import { VariantChecker } from "./crd-variants.ts";
import { isContext, isDefinition } from "./definition.ts";
import { addIdentity, type Identity } from "./duplicates.ts";
import type { FieldValidationMode } from "./field-findings.ts";
import { mergeVersions } from "./merge-versions.ts";
import type { MissingSchemaMode } from "./missing-modes.ts";
import { deprecationFindings, type ServedVersion, servedVersions } from "./missing-schema.ts";
import type { Texts } from "./texts.ts";

/** Plain data: it is sent to other threads. */
export interface CheckPlan {
  readonly files: readonly InputFile[];
  /** One per Kubernetes version. */
  readonly engines: readonly EngineOptions[];
  readonly fieldValidation: FieldValidationMode;
  /** Report duplicate fields with their paths, in the same form for JSON and YAML. */
  readonly isAligned?: boolean | undefined;
  readonly missingSchema: MissingSchemaMode;
  /** What Pod Security enforces in namespaces without labels of their own. */
  readonly podSecurity: PodSecurityConfiguration;
  readonly old: readonly string[];
  /** Whether to list objects that passed. */
  readonly wantsSubjects: boolean;
  /** The values of variables in the files; undefined if variables stay as they are. */
  readonly values?: ReadonlyMap<string, string> | undefined;
  /** Whether to return the verdict of each file. */
  readonly wantsVerdicts?: boolean | undefined;
  /** What depends on the configuration of the cluster; neutral if absent. */
  readonly assumptions?: ClusterAssumptions | undefined;
  /** Report only the API versions that are deprecated, up to this minor version of Kubernetes. */
  readonly deprecationsUpTo?: number | undefined;
}

/** What was found in one file. Plain data: it may be kept for later runs. */
export interface FileVerdict {
  /** The index of the file in the plan. */
  readonly index: number;
  /** Of the text that was checked, if the caller of the chunk digests texts. */
  readonly digest?: string | undefined;
  readonly findings: readonly Finding[];
  readonly objects: number;
  readonly withoutSchema: number;
  readonly passedOver: number;
  readonly skipped: readonly Skipped[];
  readonly subjects: readonly Subject[];
  /** What identifies its objects in a cluster. */
  readonly identities: readonly string[];
}

export interface ChunkResult {
  readonly findings: readonly Finding[];
  /** Old objects that could not be read; every chunk reads all of them. */
  readonly oldProblems: readonly Finding[];
  readonly subjects: readonly Subject[];
  readonly objects: number;
  readonly withoutSchema: number;
  readonly passedOver: number;
  readonly skipped: readonly Skipped[];
  readonly identities: readonly Identity[];
  /** The same by file, if the plan asks for it. */
  readonly verdicts: readonly FileVerdict[];
}

/**
 * Creates the checker of a version, if it is not the default one. Of the CRDs with the name of `chosen`, it has only this
 * one.
 */
export type MakeChecker = (engine: EngineOptions, options: CheckerOptions, chosen?: ManifestDocument) => Checker;

export interface ChunkOptions {
  /** The files of all chunks that may contain CRDs or other objects that reviews read. */
  readonly contextFiles: readonly number[];
  readonly makeChecker?: MakeChecker | undefined;
  /** Called if the plan wants verdicts. */
  readonly digestOf?: ((text: string) => string) | undefined;
}

export interface FileContent {
  readonly text: string;
  readonly objects: FileObjects;
}

/** How much a chunk has found. */
interface Position {
  readonly findings: number;
  readonly objects: number;
  readonly withoutSchema: number;
  readonly passedOver: number;
  readonly skipped: number;
  readonly subjects: number;
  readonly identities: number;
}

export class Chunk {
  readonly #plan: CheckPlan;
  readonly #texts: Texts;
  readonly #checkers: readonly VariantChecker[];
  readonly #findings: Finding[] = [];
  readonly #oldProblems: readonly Finding[];
  readonly #subjects: Subject[] = [];
  #objects = 0;
  #passedOver = 0;
  readonly #skipped: Skipped[] = [];
  readonly #identities: Identity[] = [];
  readonly #verdicts: FileVerdict[] = [];
  readonly #digestOf: ChunkOptions["digestOf"];

  constructor(plan: CheckPlan, texts: Texts, { contextFiles, makeChecker, digestOf }: ChunkOptions) {
    this.#plan = plan;
    this.#digestOf = digestOf;
    this.#texts = texts;
    const old = readInputs(plan.old);
    this.#oldProblems = old.problems;
    const { engines, fieldValidation, isAligned, missingSchema, podSecurity } = plan;
    const { context, definitions } = this.#context(contextFiles);
    let served: readonly ServedVersion[] | undefined;
    const defined = (): readonly ServedVersion[] => {
      served ??= servedVersions(context.filter(isDefinition));
      return served;
    };
    const options = { fieldValidation, isAligned, missingSchema, old: old.documents, defined, isPlain };
    const objectsFor = (chosen: ManifestDocument | undefined): readonly JsonObject[] =>
      context.filter((each) => chosen === undefined || each === chosen || !isDefinition(each)).map(objectOf);
    this.#checkers = engines.map(
      (engine) =>
        new VariantChecker(
          definitions,
          (chosen) =>
            makeChecker?.(engine, { ...options, version: engine.version }, chosen) ??
            new Checker(new MemoryCluster(objectsFor(chosen), { engine, podSecurity }), {
              ...options,
              version: engine.version,
            }),
        ),
    );
  }

  /** The objects that reviews read, and the CRDs among them that are not only references. */
  #context(contextFiles: readonly number[]): Record<"context" | "definitions", readonly ManifestDocument[]> {
    const context: ManifestDocument[] = [];
    const definitions: ManifestDocument[] = [];
    for (const index of [...contextFiles].sort((left, right) => left - right)) {
      const isReference = this.#texts.inputAt(index).isReference === true;
      for (const document of this.#documentsOf(index).filter(isReference ? isDefinition : isContext)) {
        context.push(document);
        if (!isReference && isDefinition(document)) definitions.push(document);
      }
    }
    return { context, definitions };
  }

  #documentsOf(index: number): readonly ManifestDocument[] {
    return readObjects(this.#texts.inputAt(index), this.#texts.at(index)).documents;
  }

  /** Objects are released after their check. `read` is the content of the file, if the caller has read it already. */
  async check(index: number, read?: FileContent): Promise<void> {
    if (this.#texts.inputAt(index).isReference === true) return;
    const start = this.#position();
    const text = read?.text ?? this.#texts.at(index);
    await this.#check(index, text, read?.objects);
    // A file that cannot be read may be readable in the next run.
    if (this.#plan.wantsVerdicts === true && this.#texts.problemAt(index) === undefined)
      this.#keep(index, start, this.#digestOf?.(text));
  }

  #position(): Position {
    return {
      findings: this.#findings.length,
      objects: this.#objects,
      withoutSchema: this.#withoutSchema,
      passedOver: this.#passedOver,
      skipped: this.#skipped.length,
      subjects: this.#subjects.length,
      identities: this.#identities.length,
    };
  }

  get #withoutSchema(): number {
    return this.#checkers[0]?.withoutSchema ?? 0;
  }

  /** What was added since `start`. */
  #keep(index: number, start: Position, digest: string | undefined): void {
    this.#verdicts.push({
      index,
      digest,
      findings: this.#findings.slice(start.findings),
      objects: this.#objects - start.objects,
      withoutSchema: this.#withoutSchema - start.withoutSchema,
      passedOver: this.#passedOver - start.passedOver,
      skipped: this.#skipped.slice(start.skipped),
      subjects: this.#subjects.slice(start.subjects),
      identities: this.#identities.slice(start.identities).map(([key]) => key),
    });
  }

  async #check(index: number, text: string, read?: FileObjects): Promise<void> {
    const input = this.#texts.inputAt(index);
    const unreadable = this.#texts.problemAt(index);
    const check: CheckDocument = (document) => this.#checkOne(document, input.isNamed);
    const objects = read ?? readObjects(input, text);
    const { documents, skipped, others } = objects;
    const found = await checkObjects({ input, text, objects }, check, unreadable === undefined ? [] : [unreadable]);
    for (const finding of found) this.#findings.push(finding);
    if (this.#plan.wantsSubjects) for (const { file, id } of documents) this.#subjects.push({ file, object: id });
    for (const { object } of documents) addIdentity(object, index, this.#identities);
    for (const reason of skipped) this.#skipped.push({ path: input.file, reason, files: 1 });
    this.#objects += documents.length;
    this.#passedOver += others;
  }

  result(): ChunkResult {
    return {
      findings: this.#findings,
      oldProblems: this.#oldProblems,
      subjects: this.#subjects,
      objects: this.#objects,
      withoutSchema: this.#withoutSchema,
      passedOver: this.#passedOver,
      skipped: this.#skipped,
      identities: this.#identities,
      verdicts: this.#verdicts,
    };
  }

  async #checkOne(document: ManifestDocument, isNamed: boolean): Promise<readonly Finding[]> {
    const { deprecationsUpTo } = this.#plan;
    if (deprecationsUpTo !== undefined) return deprecationFindings(document, deprecationsUpTo);
    const [only] = this.#checkers;
    const { assumptions = DEFAULT_ASSUMPTIONS } = this.#plan;
    const check = async (checker: VariantChecker): Promise<readonly Finding[]> =>
      underAssumptions(await checker.check(document), document, { ...assumptions, isNamed });
    if (only !== undefined && this.#checkers.length === 1) return check(only);
    const found: (readonly Finding[])[] = [];
    for (const checker of this.#checkers) found.push(await check(checker));
    return mergeVersions(found, this.#plan.engines);
  }
}

function objectOf({ object }: ManifestDocument): JsonObject {
  return object;
}
