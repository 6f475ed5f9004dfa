/**
 * CRDs, read, checked and compiled once for each text: while the user edits the object, nothing of this is done again.
 */

import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { crdChecker } from "@portcullis/checker/internal/check/lint";
import { readFile } from "@portcullis/checker/internal/input/documents";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { RuleCache } from "@portcullis/engine/internal/rules/rule-cache";
import { type Field, fieldInfo } from "../modes.ts";
import type { State } from "../state.ts";
import type { Source } from "./places.ts";

/** A CRD keeps nearly all of its rules from one keystroke to the next. */
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
  /** The cluster that has these CRDs. */
  readonly cluster: MemoryCluster;
  /** The same without ratcheting. */
  readonly withoutRatcheting: () => MemoryCluster;
  /** The API server's response to each document, in order. */
  readonly checked: readonly CheckedDefinition[];
}

export interface CheckedDefinition {
  readonly document: ManifestDocument;
  readonly findings: readonly Finding[];
}

/** Caches the latest results of a function by key. */
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

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** Caches promised results unless they failed: the next attempt may succeed. */
export function remember<T>(memory: Memory<Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  return memory.get(key, () => {
    const made = make();
    made.catch(() => memory.forget(key));
    return made;
  });
}

export async function readDefinitions(state: State): Promise<Definitions> {
  const engine = engineFor(state);
  const source = readSource("definition", state);
  const documents = source.documents.filter(isDefinition);
  const checker = crdChecker([], engine);
  const checked: CheckedDefinition[] = [];
  for (const document of documents) checked.push({ document, findings: await checker.check(document) });
  const crds = documents.map(({ object }) => object);
  const gates = { ...engine.gates, CRDValidationRatcheting: false };
  return {
    source,
    cluster: new MemoryCluster(crds, { engine }),
    withoutRatcheting: () => new MemoryCluster(crds, { engine: { ...engine, gates } }),
    checked,
  };
}

export function definitionKey(state: State): string {
  return `${state.version}\0${state.texts.definition ?? ""}`;
}
