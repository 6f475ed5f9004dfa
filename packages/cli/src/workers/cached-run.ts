/**
 * Checks only the files that changed since an earlier run.
 *
 * The verdict about a file depends on its text and name, on the files that count for others (CRDs, classes, namespaces
 * with labels), on the options and on this build. All of them are part of the key, so a verdict is never used after one
 * of them changed. Runs with policies or old objects are not kept.
 */
import { createHash } from "node:crypto";
import type { CheckPlan, ChunkResult, FileVerdict } from "@portcullis/checker/internal/check/chunk";
import { mayHaveContext } from "@portcullis/checker/internal/check/definition";
import { Texts } from "@portcullis/checker/internal/check/texts";
import type { ObservedFiles } from "./observed-files.ts";
import { type KnownText, Signatures } from "./signatures.ts";
import { digestOf } from "./text-digest.ts";
import type { VerdictStore } from "./verdict-store.ts";
import { joinResults, type RunOptions, runCheck } from "./worker-pool.ts";

export interface CachedRunOptions extends RunOptions {
  readonly store: VerdictStore;
  /** Identifies the program. */
  readonly build: string;
  readonly observed: ObservedFiles;
}

export async function runCached(plan: CheckPlan, options: CachedRunOptions): Promise<ChunkResult> {
  const keys = keysOf(plan, options);
  const known = options.store.read(keys.context);
  const hits = new Map<number, FileVerdict>();
  for (const [index, key] of keys.files.entries()) {
    const verdict = known.get(key);
    if (verdict !== undefined) hits.set(index, { ...verdict, index });
  }
  const open = plan.files.flatMap((_, index) => (hits.has(index) ? [] : [index]));
  if (open.length === 0) return resultOf([...hits.values()]);
  const wanted = [...new Set([...open, ...keys.contextFiles])].sort((left, right) => left - right);
  const fresh = await runCheck(partOf(plan, wanted), options);
  if (keys.contextFiles.every((index) => keys.isAsBefore(index))) {
    const entries = fresh.verdicts.map(({ digest = "", ...verdict }): [string, FileVerdict] => {
      const index = wanted[verdict.index] ?? -1;
      // The file may have changed since its digest was taken for the keys.
      return [keys.keyFor(index, digest), { ...verdict, index }];
    });
    options.store.write(keys.context, new Map([...known, ...entries]));
  }
  const isOpen = new Set(wanted);
  const kept = [...hits.values()].filter(({ index }) => !isOpen.has(index));
  // Files without a verdict could not be read; what was found there counts in this run.
  return joinResults([withIndices(fresh, wanted), resultOf(kept)]);
}

function partOf(plan: CheckPlan, indices: readonly number[]): CheckPlan {
  return { ...plan, files: indices.flatMap((index) => plan.files[index] ?? []), wantsVerdicts: true };
}

function withIndices(result: ChunkResult, indices: readonly number[]): ChunkResult {
  return { ...result, identities: result.identities.map(([key, index]) => [key, indices[index] ?? -1]) };
}

function resultOf(verdicts: readonly FileVerdict[]): ChunkResult {
  const sum = (count: (verdict: FileVerdict) => number): number =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  return {
    findings: verdicts.flatMap(({ findings }) => findings),
    oldProblems: [],
    subjects: verdicts.flatMap(({ subjects }) => subjects),
    objects: sum(({ objects }) => objects),
    withoutSchema: sum(({ withoutSchema }) => withoutSchema),
    passedOver: sum(({ passedOver }) => passedOver),
    skipped: verdicts.flatMap(({ skipped }) => skipped),
    identities: verdicts.flatMap(({ identities, index }) => identities.map((key): [string, number] => [key, index])),
    verdicts,
  };
}

interface Keys {
  /** Of everything that counts for all files. */
  readonly context: string;
  readonly contextFiles: readonly number[];
  readonly files: readonly string[];
  /** The key of a file with this content. */
  keyFor(index: number, digest: string): string;
  /** Whether a file has the content that the keys were made from. */
  isAsBefore(index: number): boolean;
}

function keysOf(plan: CheckPlan, { build, store, observed }: CachedRunOptions): Keys {
  const texts = new Texts(plan.files, plan.values);
  const signatures = new Signatures(store.readSignatures(), observed);
  const context = createHash("sha256").update(optionsText(plan, build));
  const contextFiles: number[] = [];
  const keyFor = (index: number, digest: string): string => {
    const { text, ...role } = texts.inputAt(index);
    // All properties, so that a new one cannot be forgotten.
    return `${digest} ${JSON.stringify(role)}`;
  };
  const files = plan.files.map(({ text, ...role }, index) => {
    const read = (): KnownText => describe(texts.at(index));
    // With variables, the text is not that of the file.
    const isFile = text === undefined && plan.values === undefined;
    const { digest, isContext } = isFile ? signatures.textOf(role.file, read) : read();
    const key = keyFor(index, digest);
    if (isContext && role.isTestData !== true) {
      contextFiles.push(index);
      context.update(`\0${key}`);
    }
    return key;
  });
  const changed = signatures.changed();
  if (changed !== undefined) store.writeSignatures(changed);
  const isAsBefore = (index: number): boolean => files[index] === keyFor(index, digestOf(texts.at(index)));
  return { context: context.digest("hex").slice(0, KEY_LENGTH), contextFiles, files, keyFor, isAsBefore };
}

function describe(text: string): KnownText {
  return { digest: digestOf(text), isContext: mayHaveContext(text) };
}

const KEY_LENGTH = 32;

/** All options, so that a new one cannot be forgotten; the files have keys of their own. */
function optionsText(plan: CheckPlan, build: string): string {
  const { values, ...rest } = plan;
  return JSON.stringify([build, { ...rest, files: [] }, [...(values ?? [])]]);
}
