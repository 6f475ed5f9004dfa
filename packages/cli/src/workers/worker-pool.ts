/** Checks all files: on this thread alone, or with a worker pool if there is enough work. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import type { CheckPlan, ChunkResult, MakeChecker } from "@portcullis/checker/internal/check/chunk";
import { mayHaveContext } from "@portcullis/checker/internal/check/definition";
import { Texts } from "@portcullis/checker/internal/check/texts";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import { tuneForBusyProcessors } from "../frame/short-run.ts";
import { claimed, claims, type FromWorker, newCounter, type ToWorker } from "./protocol.ts";
import { digestOf } from "./text-digest.ts";

export interface RunOptions {
  /** Number of threads; undefined chooses it by the number of files and processors. */
  readonly jobs: number | undefined;
  /** Called with the number of files that were started. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Created from all texts, so only one thread is possible. */
  readonly makeChecker?: ((texts: Texts) => Promise<MakeChecker>) | undefined;
  /** Threads that were started before the plan was complete. */
  readonly started?: StartedThreads | undefined;
}

/** A worker has to load and warm up everything again; below this many files it does not pay off. */
const FILES_FOR_THREADS = 1000;
const MAX_THREADS = 8;

export async function runCheck(plan: CheckPlan, options: RunOptions): Promise<ChunkResult> {
  const threads = threadsFor(plan.files.length, options);
  if (threads === 2)
    return joinResults(await withWorkers(READER, 1, options, (all) => runWithReader(all, plan, options)));
  return joinResults(await withWorkers(WORKER, threads - 1, options, (all) => runInChunks(all, plan, options)));
}

/** Threads take a while to start, so they can start before all files are known. */
export class StartedThreads {
  readonly #name: string;
  #workers: readonly Worker[];

  constructor(name: string, count: number) {
    this.#name = name;
    this.#workers = startWorkers(name, count);
  }

  /** The threads, for one user; none if other ones are needed. */
  take(name: string, count: number): readonly Worker[] | undefined {
    if (this.#name !== name || this.#workers.length !== count) return undefined;
    const workers = this.#workers;
    this.#workers = [];
    return workers;
  }

  /** Ends the threads that nobody took. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** The threads for a run with at least so many files, without old objects; undefined while one thread is enough. */
export function startThreads(files: number, options: RunOptions): StartedThreads | undefined {
  const threads = threadsFor(files, options);
  if (threads < 2) return undefined;
  if (threads === 2) tuneForBusyProcessors();
  return threads === 2 ? new StartedThreads(READER, 1) : new StartedThreads(WORKER, threads - 1);
}

async function withWorkers<T>(
  name: string,
  count: number,
  { started }: RunOptions,
  run: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  const workers = started?.take(name, count) ?? startWorkers(name, count);
  try {
    return await run(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Without the file of the other thread, one thread checks everything. */
async function runWithReader(workers: readonly Worker[], plan: CheckPlan, options: RunOptions) {
  const [reader] = workers;
  if (reader === undefined) return runInChunks(workers, plan, options);
  const { runOnTwoThreads } = await import("./two-threads.ts");
  return runOnTwoThreads(reader, plan, options);
}

/** Every thread does the same work for its chunk of the files. */
async function runInChunks(
  workers: readonly Worker[],
  plan: CheckPlan,
  options: RunOptions,
): Promise<readonly ChunkResult[]> {
  const { Chunk } = await import("@portcullis/checker/internal/check/chunk");
  const texts = new Texts(plan.files, plan.values);
  const contextFiles: number[] = [];
  for (let index = 0; index < plan.files.length; index++) {
    const text = texts.at(index);
    texts.keep(index, text);
    if (plan.files[index]?.isTestData !== true && mayHaveContext(text)) contextFiles.push(index);
  }
  const counter = newCounter();
  const message: ToWorker = { plan, counter, contextFiles };
  const answers = workers.map((worker) => answer(worker));
  for (const worker of workers) worker.postMessage(message);
  const chunk = new Chunk(plan, texts, {
    contextFiles,
    makeChecker: await options.makeChecker?.(texts),
    digestOf,
  });
  for (const index of ownIndices(plan, counter, options)) await chunk.check(index);
  const theirs = (await Promise.all(answers)).map(({ result }) => result);
  return [chunk.result(), ...theirs];
}

function* ownIndices(plan: CheckPlan, counter: Int32Array, options: RunOptions): Generator<number> {
  let last = 0;
  for (const index of claims(counter, plan.files.length)) {
    const done = claimed(counter, plan.files.length);
    if (done !== last) options.onProgress?.(done, plan.files.length);
    last = done;
    yield index;
  }
}

function threadsFor(files: number, { jobs, makeChecker }: RunOptions): number {
  if (makeChecker !== undefined || workerFile(WORKER) === undefined) return 1;
  if (jobs !== undefined) return Math.min(jobs, files);
  if (files < FILES_FOR_THREADS) return 1;
  const processors = availableParallelism();
  // One processor is busy with V8's compiler and garbage collector.
  return processors <= 2 ? processors : Math.min(processors - 1, MAX_THREADS);
}

const WORKER = "worker.js";
const READER = "reader.js";

function startWorkers(name: string, count: number): readonly Worker[] {
  const file = workerFile(name);
  if (file === undefined || count === 0) return [];
  // Loaded here because most runs have one thread, and with `require` because the listing of files does not wait.
  const threads: typeof import("node:worker_threads") = createRequire(import.meta.url)("node:worker_threads");
  return Array.from({ length: count }, () => new threads.Worker(file));
}

/** Next to this file in the build; from sources there is only one thread. */
function workerFile(name: string): string | undefined {
  const file = fileURLToPath(new URL(`./${name}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

function answer(worker: Worker): Promise<FromWorker> {
  const answered = new Promise<FromWorker>((resolve, reject) => {
    const onExit = (code: number): void => reject(new Error(`a thread ended with ${code}`));
    worker.once("error", reject);
    worker.once("exit", onExit);
    worker.once("message", (message: FromWorker) => {
      worker.off("error", reject);
      worker.off("exit", onExit);
      resolve(message);
    });
  });
  // If this thread fails first, the result is not awaited any more.
  answered.catch(() => undefined);
  return answered;
}

export function joinResults(results: readonly ChunkResult[]): ChunkResult {
  const sum = (count: (result: ChunkResult) => number): number =>
    results.reduce((total, each) => total + count(each), 0);
  return {
    findings: results.flatMap(({ findings }): readonly Finding[] => findings),
    oldProblems: results[0]?.oldProblems ?? [],
    subjects: results
      .flatMap(({ subjects }) => subjects)
      .sort((left, right) => (left.file < right.file ? -1 : left.file > right.file ? 1 : 0)),
    objects: sum(({ objects }) => objects),
    withoutSchema: sum(({ withoutSchema }) => withoutSchema),
    passedOver: sum(({ passedOver }) => passedOver),
    skipped: results.flatMap(({ skipped }) => skipped),
    identities: results.flatMap(({ identities }) => identities),
    verdicts: results.flatMap(({ verdicts }) => verdicts),
  };
}
