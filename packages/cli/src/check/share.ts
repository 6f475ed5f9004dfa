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

export class Share {
  readonly #plan: CheckPlan;
  readonly #documents: ManifestDocument[] = [];
  readonly #problems: Finding[] = [];
  readonly #definitions = new Map<number, readonly ManifestDocument[]>();
  #passedOver = 0;

  constructor(plan: CheckPlan) {
    this.#plan = plan;
  }

  get documents(): readonly ManifestDocument[] {
    return this.#documents;
  }

  /** `text` where it is known already. */
  load(index: number, text?: string): void {
    const input = this.#plan.files[index];
    if (input === undefined) throw new Error(`there is no file ${index}`);
    const { documents, problems } = readFile(input.file, text ?? readFileSync(input.file, "utf8"));
    this.#problems.push(...problems);
    for (const document of documents) this.#take(document, input);
    const definitions = documents.filter(isDefinition);
    if (definitions.length > 0) this.#definitions.set(index, definitions);
  }

  #take(document: ManifestDocument, { isNamed }: InputFile): void {
    const { apiVersion, kind } = document.id;
    if (apiVersion !== "" && kind !== "") this.#documents.push(document);
    else if (!isNamed && apiVersion === "" && kind === "") this.#passedOver++;
    else this.#problems.push(unnamed(document));
  }

  /** The files with definitions among those that were loaded. */
  definitionFiles(): readonly number[] {
    return [...this.#definitions.keys()];
  }

  /** `definitionFiles` are those of all shares. */
  check(definitionFiles: readonly number[], admission?: Admission): ShareResult {
    const sorted = [...definitionFiles].sort((left, right) => left - right);
    const definitions = sorted.flatMap((index) => this.#definitionsOf(index));
    const { engines, fieldValidation, missingSchema } = this.#plan;
    const old = readInputs(this.#plan.old);
    const checkers = engines.map(
      (engine) =>
        new Checker(buildCatalog(definitions, engine), engine, fieldValidation, old.documents, {
          admission,
          missingSchema,
        }),
    );
    const findings: Finding[] = [...this.#problems];
    for (const document of this.#documents) {
      const found = checkers.map((checker) => checker.check(document));
      findings.push(...mergeVersions(found, engines));
    }
    return {
      findings: applyIgnores(findings, this.#documents),
      oldProblems: old.problems,
      subjects: this.#plan.wantsSubjects ? this.#documents.map(({ file, id }) => ({ file, object: id })) : [],
      objects: this.#documents.length,
      withoutSchema: checkers[0]?.withoutSchema ?? 0,
      passedOver: this.#passedOver,
    };
  }

  #definitionsOf(index: number): readonly ManifestDocument[] {
    const own = this.#definitions.get(index);
    if (own !== undefined) return own;
    const file = this.#plan.files[index]?.file ?? "";
    return readFile(file, readFileSync(file, "utf8")).documents.filter(isDefinition);
  }
}

function unnamed(document: ManifestDocument): Finding {
  const { apiVersion, kind } = document.id;
  const missing = [apiVersion === "" ? "apiVersion not set" : "", kind === "" ? "kind not set" : ""];
  return findingAt(document, {
    rule: "input/not-kubernetes",
    severity: "error",
    message: missing.filter((text) => text !== "").join(", "),
    hint: "every object of Kubernetes says what it is; in folders, files without either are passed over",
  });
}
