/**
 * CRDs are parsed, validated and compiled once per text: while the user types in the object, nothing of this is done
 * again.
 */
import type { EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { RuleCache } from "@portcullis/engine/rules/rule-cache";
import { buildCatalog, type Catalog } from "portcullis/check/catalog";
import { isDefinition } from "portcullis/check/definition";
import { lintDefinition } from "portcullis/check/lint";
import { readFile } from "portcullis/input/documents";
import type { ManifestDocument } from "portcullis/input/manifest";
import type { Finding } from "portcullis/report/finding";
import { type Field, fieldInfo } from "../modes.ts";
import type { State } from "../state.ts";
import type { Source } from "./places.ts";

/** Of one keystroke to the next a definition keeps nearly all of its rules. */
const ruleCache: NonNullable<EngineOptions["ruleCache"]> = new RuleCache();

export function engineFor({ version }: State): EngineOptions {
  return { version, gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true }, ruleCache };
}

export function readSource(field: Field, state: State): Source {
  const text = state.texts[field] ?? "";
  const { documents, problems } = readFile(fieldInfo(field, state.mode).file, text);
  return { field, text, documents, problems };
}

export interface Definitions {
  readonly source: Source;
  readonly catalog: Catalog;
  /** What the API server says to the documents, in their order. */
  readonly judged: readonly JudgedDefinition[];
}

export interface JudgedDefinition {
  readonly document: ManifestDocument;
  readonly findings: readonly Finding[];
}

/** Remembers the results of a function that were asked for last, by a key. */
export class Memory<T> {
  readonly #known = new Map<string, T>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  find(key: string): T | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, known);
    }
    return known;
  }

  keep(key: string, value: T): T {
    this.#known.set(key, value);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#size && oldest !== undefined) this.#known.delete(oldest);
    return value;
  }

  get(key: string, make: () => T): T {
    return this.find(key) ?? this.keep(key, make());
  }
}

export function readDefinitions(state: State): Definitions {
  const engine = engineFor(state);
  const source = readSource("definition", state);
  const judged = source.documents.filter(isDefinition).map((document) => ({
    document,
    findings: lintDefinition(document, undefined, engine),
  }));
  return { source, catalog: buildCatalog(source.documents, engine), judged };
}

export function definitionKey(state: State): string {
  return `${state.version}\0${state.texts.definition ?? ""}`;
}
