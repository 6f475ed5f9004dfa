/**
 * A part of the files of one run: read first, checked when all definitions are known.
 *
 * One thread may have all of them, or several a part each. What comes back is plain data, and does not depend on who had
 * which file: definitions are taken in the order of the files, and findings are sorted at the end.
 */
import { readFileSync } from "node:fs";
import type { EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { readInputs } from "../input/documents.ts";
import type { InputFile } from "../input/files.ts";
import type { ManifestDocument } from "../input/manifest.ts";
import { readFile } from "../input/text.ts";
import { findingAt } from "../report/build.ts";
import { applyIgnores } from "../report/comments.ts";
import type { Finding, Subject } from "../report/finding.ts";
import type { Admission } from "./admission.ts";
import { buildCatalog, isDefinition } from "./catalog.ts";
import { Checker } from "./checker.ts";
import type { FieldValidationMode } from "./field-findings.ts";
import { mergeVersions } from "./merge-versions.ts";
import type { MissingSchemaMode } from "./missing-schema.ts";

/** Plain data: it is sent to other threads. */
export interface CheckPlan {
  readonly files: readonly InputFile[];
  /** One for each version of Kubernetes. */
  readonly engines: readonly EngineOptions[];
  readonly fieldValidation: FieldValidationMode;
  readonly missingSchema: MissingSchemaMode;
  readonly old: readonly string[];
  /** Whether objects that passed are told, too. */
  readonly wantsSubjects: boolean;
  /** Pass over what is no object of Kubernetes even in files that were named. */
  readonly skipsOthers: boolean;
}

export interface ShareResult {
  readonly findings: readonly Finding[];
  /** Old objects that could not be read; every share reads them all. */
  readonly oldProblems: readonly Finding[];
  readonly subjects: readonly Subject[];
  readonly objects: number;
  readonly withoutSchema: number;
  readonly passedOver: number;
}

interface Loaded {
  readonly input: InputFile;
  readonly text: string;
}

export class Share {
  readonly #plan: CheckPlan;
  readonly #loaded = new Map<number, Loaded>();
  readonly #definitionFiles: number[] = [];

  constructor(plan: CheckPlan) {
    this.#plan = plan;
  }

  /** Texts are kept and decoded later, one after the other, so that objects live no longer than their check. */
  load(index: number, text?: string): void {
    const loaded = this.#read(index, text);
    this.#loaded.set(index, loaded);
    if (loaded.text.includes(DEFINITION_KIND)) this.#definitionFiles.push(index);
  }

  #read(index: number, text?: string): Loaded {
    const input = this.#plan.files[index];
    if (input === undefined) throw new Error(`there is no file ${index}`);
    return { input, text: text ?? readFileSync(input.file, "utf8") };
  }

  /** The files that may have definitions among those that were loaded. */
  definitionFiles(): readonly number[] {
    return this.#definitionFiles;
  }

  /** All objects, for what needs them at once. */
  documents(): readonly ManifestDocument[] {
    return [...this.#loaded.values()].flatMap(({ input, text }) => readFile(input.file, text).documents);
  }

  /** `definitionFiles` are those of all shares; of `indices`, what another share has read is read again. */
  check(definitionFiles: readonly number[], indices: Iterable<number>, admission?: Admission): ShareResult {
    const old = readInputs(this.#plan.old);
    const checkers = this.#checkers(definitionFiles, old.documents, admission);
    const findings: Finding[] = [];
    const subjects: Subject[] = [];
    let objects = 0;
    let passedOver = 0;
    for (const index of indices) {
      const { input, text } = this.#loaded.get(index) ?? this.#read(index);
      const { documents, problems } = readFile(input.file, text);
      const { own, unnamed, others } = sort(documents, input.isNamed && !this.#plan.skipsOthers);
      const found = [...problems, ...unnamed, ...own.flatMap((document) => this.#checkOne(document, checkers))];
      findings.push(...applyIgnores(found, own));
      if (this.#plan.wantsSubjects) subjects.push(...own.map(({ file, id }) => ({ file, object: id })));
      objects += own.length;
      passedOver += others;
    }
    const withoutSchema = checkers[0]?.withoutSchema ?? 0;
    return { findings, oldProblems: old.problems, subjects, objects, withoutSchema, passedOver };
  }

  #checkers(
    definitionFiles: readonly number[],
    old: readonly ManifestDocument[],
    admission: Admission | undefined,
  ): readonly Checker[] {
    const { engines, fieldValidation, missingSchema } = this.#plan;
    const sorted = [...definitionFiles].sort((left, right) => left - right);
    const definitions = sorted.flatMap((index) => this.#definitionsOf(index));
    return engines.map((engine) => {
      const catalog = buildCatalog(definitions, engine);
      return new Checker(catalog, engine, fieldValidation, old, { admission, missingSchema });
    });
  }

  #definitionsOf(index: number): readonly ManifestDocument[] {
    const { input, text } = this.#loaded.get(index) ?? this.#read(index);
    return readFile(input.file, text).documents.filter(isDefinition);
  }

  #checkOne(document: ManifestDocument, checkers: readonly Checker[]): readonly Finding[] {
    return mergeVersions(
      checkers.map((checker) => checker.check(document)),
      this.#plan.engines,
    );
  }
}

/** In any text that has a definition, however it is written. */
const DEFINITION_KIND = "CustomResourceDefinition";

/** Objects of Kubernetes; what names neither version nor kind is passed over unless the file was named. */
function sort(documents: readonly ManifestDocument[], isNamed: boolean) {
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
    hint: "every object of Kubernetes says what it is; in folders, files without either are passed over",
  });
}
