/** What two threads that divide the work by kind share; see two-threads.ts. */
import type { CheckPlan } from "@portcullis/checker/internal/check/chunk";
import { mayDefine, mayHaveContext } from "@portcullis/checker/internal/check/definition";
import type { Texts } from "@portcullis/checker/internal/check/texts";
import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { type FromWorker, newCounter, sharedNumbers } from "./protocol.ts";

export interface ToReader {
  readonly plan: CheckPlan;
  readonly shared: SharedNumbers;
}

export type FromReader = SortedFiles | FromWorker | MoreLeft;

/** Files were added to those that are left. */
export interface MoreLeft {
  readonly hasMore: true;
}

/** All files. */
export interface SortedFiles {
  /** Files with objects that the review of others reads. They are among the others, too. */
  readonly contextFiles: readonly number[];
  /** Files that obviously start with a custom resource. */
  readonly custom: readonly number[];
  readonly builtIn: readonly number[];
}

/** Counters of what has been taken, and the files that the reading thread has left. */
export interface SharedNumbers {
  readonly custom: Int32Array;
  readonly builtIn: Int32Array;
  readonly leftCounts: Int32Array;
  readonly leftFiles: Int32Array;
}

export function newSharedNumbers(count: number): SharedNumbers {
  const [custom, builtIn] = [newCounter(), newCounter()];
  return { custom, builtIn, leftCounts: sharedNumbers(2), leftFiles: sharedNumbers(count) };
}

const WRITTEN = 0;
const TAKEN = 1;

/** Files that one thread adds and both take. */
export class LeftFiles {
  readonly #counts: Int32Array;
  readonly #files: Int32Array;

  constructor({ leftCounts, leftFiles }: Pick<SharedNumbers, "leftCounts" | "leftFiles">) {
    this.#counts = leftCounts;
    this.#files = leftFiles;
  }

  get size(): number {
    return Atomics.load(this.#counts, WRITTEN) - Atomics.load(this.#counts, TAKEN);
  }

  /** Only one thread adds. */
  add(index: number): void {
    const written = Atomics.load(this.#counts, WRITTEN);
    Atomics.store(this.#files, written, index);
    Atomics.store(this.#counts, WRITTEN, written + 1);
  }

  /** Files that the other thread does not get, until there is none. */
  *take(): Generator<number> {
    for (;;) {
      const taken = Atomics.load(this.#counts, TAKEN);
      if (taken >= Atomics.load(this.#counts, WRITTEN)) return;
      if (Atomics.compareExchange(this.#counts, TAKEN, taken, taken + 1) === taken)
        yield Atomics.load(this.#files, taken);
    }
  }
}

/** Texts beyond this many characters are read again for the check. */
const MAX_KEPT = 64 * 1024 * 1024;

export function sortFiles({ files }: CheckPlan, texts: Texts): SortedFiles {
  const sorted = { contextFiles: [] as number[], custom: [] as number[], builtIn: [] as number[] };
  let kept = 0;
  for (let index = 0; index < files.length; index++) {
    const text = texts.at(index);
    kept += text.length;
    if (kept < MAX_KEPT) texts.keep(index, text);
    if (texts.inputAt(index).isTestData !== true && mayHaveContext(text)) sorted.contextFiles.push(index);
    (isPlainlyCustom(text) ? sorted.custom : sorted.builtIn).push(index);
  }
  return sorted;
}

const API_VERSION = /^apiVersion:[ \t]*([^\s#"']+)/m;
const KIND = /^kind:[ \t]*([^\s#"']+)/m;

/** Whether the text obviously contains another kind. */
function isPlainlyCustom(text: string): boolean {
  const [apiVersion, kind] = [API_VERSION.exec(text)?.[1], KIND.exec(text)?.[1]];
  if (apiVersion === undefined || kind === undefined) return false;
  return !builtInKinds().has(`${apiVersion} ${kind}`) && !mayDefine(kind);
}

let kinds: ReadonlySet<string> | undefined;

function builtInKinds(): ReadonlySet<string> {
  kinds ??= new Set(
    resourceInfos().map(({ group, version, kind }) => `${group === "" ? version : `${group}/${version}`} ${kind}`),
  );
  return kinds;
}
