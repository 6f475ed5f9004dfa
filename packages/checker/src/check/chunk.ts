/**
 * A chunk of the files of one run. One thread may check all files, or several threads a chunk each. The result is plain
 * data and does not depend on which thread checked which file: CRDs are processed in file order, and findings are
 * sorted at the end.
 */
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { readInputs } from "../input/documents.ts";
import type { InputFile } from "../input/files.ts";
import { objectId, readFile } from "../input/text.ts";
import { findingAt } from "../report/build.ts";
import { applyIgnores } from "../report/comments.ts";
import type { Finding, Subject } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { Checker, type CheckerOptions } from "./checker.ts";
import { isContext } from "./definition.ts";
import type { FieldValidationMode } from "./field-findings.ts";
import { mergeVersions } from "./merge-versions.ts";
import type { MissingSchemaMode } from "./missing-schema.ts";
import type { Texts } from "./texts.ts";

/** Plain data: it is sent to other threads. */
export interface CheckPlan {
  readonly files: readonly InputFile[];
  /** One per Kubernetes version. */
  readonly engines: readonly EngineOptions[];
  readonly fieldValidation: FieldValidationMode;
  /** Report duplicate fields with their paths, in the same words for JSON and YAML. */
  readonly isAligned?: boolean | undefined;
  readonly missingSchema: MissingSchemaMode;
  /** What Pod Security enforces in namespaces without labels of their own. */
  readonly podSecurity: PodSecurityConfiguration;
  readonly old: readonly string[];
  /** Whether to list objects that passed. */
  readonly wantsSubjects: boolean;
  /** Skip documents that are not Kubernetes objects, even in files that were named. */
  readonly skipsOthers: boolean;
}

export interface ChunkResult {
  readonly findings: readonly Finding[];
  /** Old objects that could not be read; every chunk reads all of them. */
  readonly oldProblems: readonly Finding[];
  readonly subjects: readonly Subject[];
  readonly objects: number;
  readonly withoutSchema: number;
  readonly passedOver: number;
}

/** Creates the checker of a version, if it is not the default one. */
export type MakeChecker = (engine: EngineOptions, options: CheckerOptions) => Checker;

export interface ChunkOptions {
  /** The files of all chunks that may contain CRDs or other objects that reviews read. */
  readonly contextFiles: readonly number[];
  readonly makeChecker?: MakeChecker | undefined;
}

export class Chunk {
  readonly #plan: CheckPlan;
  readonly #texts: Texts;
  readonly #checkers: readonly Checker[];
  readonly #findings: Finding[] = [];
  readonly #oldProblems: readonly Finding[];
  readonly #subjects: Subject[] = [];
  #objects = 0;
  #passedOver = 0;

  constructor(plan: CheckPlan, texts: Texts, { contextFiles, makeChecker }: ChunkOptions) {
    this.#plan = plan;
    this.#texts = texts;
    const old = readInputs(plan.old);
    this.#oldProblems = old.problems;
    const { engines, fieldValidation, isAligned, missingSchema, podSecurity } = plan;
    const options = { fieldValidation, isAligned, missingSchema, old: old.documents };
    const context = [...contextFiles]
      .sort((left, right) => left - right)
      .flatMap((index) => this.#documentsOf(index).filter(isContext))
      .map(({ object }) => object);
    this.#checkers = engines.map(
      (engine) =>
        makeChecker?.(engine, options) ?? new Checker(new MemoryCluster(context, { engine, podSecurity }), options),
    );
  }

  #documentsOf(index: number): readonly ManifestDocument[] {
    return readFile(this.#texts.nameOf(index), this.#texts.at(index)).documents;
  }

  /** Objects are released after their check. */
  async check(index: number): Promise<void> {
    const { documents, problems } = readFile(this.#texts.nameOf(index), this.#texts.at(index));
    const isNamed = this.#plan.files[index]?.isNamed === true && !this.#plan.skipsOthers;
    const { own, unnamed, others } = sortDocuments(documents, isNamed);
    const found = [...problems, ...unnamed];
    for (const document of own) found.push(...(await this.#checkOne(document)));
    for (const finding of applyIgnores(found, own)) this.#findings.push(finding);
    if (this.#plan.wantsSubjects) for (const { file, id } of own) this.#subjects.push({ file, object: id });
    this.#objects += own.length;
    this.#passedOver += others;
  }

  /** The same for a file that contains only these new objects, parsed by another thread. */
  async checkObjects(index: number, objects: readonly JsonObject[]): Promise<void> {
    const [checker] = this.#checkers;
    if (checker === undefined || !objects.every((object) => checker.passes(object))) return this.check(index);
    const file = this.#texts.nameOf(index);
    if (this.#plan.wantsSubjects) for (const each of objects) this.#subjects.push({ file, object: objectId(each) });
    this.#objects += objects.length;
  }

  result(): ChunkResult {
    return {
      findings: this.#findings,
      oldProblems: this.#oldProblems,
      subjects: this.#subjects,
      objects: this.#objects,
      withoutSchema: this.#checkers[0]?.withoutSchema ?? 0,
      passedOver: this.#passedOver,
    };
  }

  async #checkOne(document: ManifestDocument): Promise<readonly Finding[]> {
    const [only] = this.#checkers;
    if (only !== undefined && this.#checkers.length === 1) return only.check(document);
    const found: (readonly Finding[])[] = [];
    for (const checker of this.#checkers) found.push(await checker.check(document));
    return mergeVersions(found, this.#plan.engines);
  }
}

/** Kubernetes objects. Documents without version and kind are skipped unless their file was named. */
function sortDocuments(documents: readonly ManifestDocument[], isNamed: boolean) {
  const own: ManifestDocument[] = [];
  const unnamed: Finding[] = [];
  let others = 0;
  for (const document of documents) {
    const { apiVersion, kind } = document.id;
    if (apiVersion !== "" && kind !== "") own.push(document);
    else if (!isNamed && apiVersion === "" && kind === "") others++;
    else unnamed.push(unnamedFinding(document));
  }
  return { own, unnamed, others };
}

function unnamedFinding(document: ManifestDocument): Finding {
  const { apiVersion, kind } = document.id;
  const missing = [apiVersion === "" ? "apiVersion not set" : "", kind === "" ? "kind not set" : ""];
  return findingAt(document, {
    rule: "input/not-kubernetes",
    severity: "error",
    message: missing.filter((text) => text !== "").join(", "),
    hint: "every Kubernetes object needs both; in folders, files without them are skipped",
  });
}
