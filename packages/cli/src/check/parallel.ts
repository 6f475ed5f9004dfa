/** A run over all files: on this thread alone, or with others beside it where there is enough to do. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Finding } from "../report/finding.ts";
import type { Admission } from "./admission.ts";
import { claimed, claims, type FromWorker, newCounter, type ToWorker } from "./protocol.ts";
import { type CheckPlan, Share, type ShareResult } from "./share.ts";

export interface RunOptions {
  /** Threads; undefined leaves it to the number of files and processors. */
  readonly jobs: number | undefined;
  readonly stdin: () => string;
  /** Told how many files have been taken up. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Made from all documents, so there is one thread only. */
  readonly admission?: ((share: Share) => Admission) | undefined;
}

/** A thread of its own has to load everything again and warms up anew; below this many files it is not worth it. */
const FILES_FOR_THREADS = 1000;
const MAX_THREADS = 8;

export async function runCheck(plan: CheckPlan, options: RunOptions): Promise<ShareResult> {
  const workers = startWorkers(threadsFor(plan, options));
  try {
    const share = new Share(plan);
    // Standard input is read here, and stands first so that the others can be counted off behind it.
    const first = plan.files.filter(({ file }) => file === "-").length;
    for (let index = 0; index < plan.files.length; index++)
      share.load(index, index < first ? options.stdin() : undefined);
    const counter = newCounter();
    const definitionFiles = share.definitionFiles();
    const message: ToWorker = { plan, counter, first, definitionFiles };
    const answers = workers.map((worker) => answer(worker));
    for (const worker of workers) worker.postMessage(message);
    const mine = share.check(definitionFiles, ownIndices(plan, counter, first, options), options.admission?.(share));
    const theirs = (await Promise.all(answers)).map(({ result }) => result);
    return joinResults([mine, ...theirs]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** What nobody else can have, then what the others leave. */
function* ownIndices(plan: CheckPlan, counter: Int32Array, first: number, options: RunOptions): Generator<number> {
  for (let index = 0; index < first; index++) yield index;
  let last = 0;
  for (const index of claims(counter, plan.files.length, first)) {
    const done = claimed(counter, plan.files.length);
    if (done !== last) options.onProgress?.(done, plan.files.length);
    last = done;
    yield index;
  }
}

/** How many threads beside this one. */
function threadsFor({ files }: CheckPlan, { jobs, admission }: RunOptions): number {
  if (admission !== undefined || workerFile() === undefined) return 0;
  if (jobs !== undefined) return Math.min(jobs, files.length) - 1;
  // One processor is busy with what the engine compiles and clears away for this thread.
  return files.length < FILES_FOR_THREADS ? 0 : Math.max(0, Math.min(availableParallelism() - 1, MAX_THREADS) - 1);
}

function startWorkers(count: number): readonly Worker[] {
  const file = workerFile();
  return file === undefined ? [] : Array.from({ length: count }, () => new Worker(file));
}

/** Beside this file, once it is JavaScript; sources run on one thread. */
function workerFile(): string | undefined {
  const file = fileURLToPath(new URL("./worker.js", import.meta.url));
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
  // Where this thread fails first, nobody waits for the answer any more.
  answered.catch(() => undefined);
  return answered;
}

function joinResults(results: readonly ShareResult[]): ShareResult {
  const sum = (count: (result: ShareResult) => number): number =>
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
  };
}
