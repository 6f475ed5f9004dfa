/** Runs the suites of many files: on this thread alone, or with others if there is enough work. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { Coverage } from "@portcullis/checker/internal/suites/coverage";
import { type FileResult, type SuitePlan, SuiteRunner } from "@portcullis/checker/internal/suites/run-files";
import type { SuiteResult } from "@portcullis/checker/internal/suites/suite-run";
import { newCounter } from "./protocol.ts";

export interface SuiteRunOptions {
  /** Number of threads; undefined chooses it by the number of files and processors. */
  readonly jobs: number | undefined;
  /** Collected on one thread. */
  readonly coverage: Coverage | undefined;
}

export interface ToSuiteWorker {
  readonly plan: SuitePlan;
  readonly counter: Int32Array;
}

/** Below this many files another thread does not pay off. */
const FILES_FOR_THREADS = 40;
const MAX_THREADS = 8;
const WORKER = "suite-worker.js";

export async function runSuites(
  plan: SuitePlan,
  options: SuiteRunOptions,
): Promise<{ readonly suites: readonly SuiteResult[]; readonly problems: readonly Finding[] }> {
  const counter = newCounter();
  const workers = await startWorkers(threadsFor(plan, options) - 1);
  try {
    const answers = workers.map((worker) => answer(worker));
    const message: ToSuiteWorker = { plan, counter };
    for (const worker of workers) worker.postMessage(message);
    const own = await runClaimed(plan, counter, options.coverage);
    const all = [own, ...(await Promise.all(answers))].flat().sort((left, right) => left.index - right.index);
    return { suites: all.flatMap(({ suites }) => suites), problems: all.flatMap(({ problems }) => problems) };
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** A few files at a time: those of a folder share what is compiled. */
const CLAIM = 4;

/** Files that no other thread runs, until none are left. */
export async function runClaimed(plan: SuitePlan, counter: Int32Array, coverage?: Coverage): Promise<FileResult[]> {
  const runner = new SuiteRunner(plan, coverage);
  const results: FileResult[] = [];
  const { length } = plan.files;
  for (let start = Atomics.add(counter, 0, CLAIM); start < length; start = Atomics.add(counter, 0, CLAIM)) {
    for (let index = start; index < Math.min(start + CLAIM, length); index++) results.push(await runner.run(index));
  }
  return results;
}

function threadsFor({ files }: SuitePlan, { jobs, coverage }: SuiteRunOptions): number {
  if (coverage !== undefined) return 1;
  if (jobs !== undefined) return jobs;
  return files.length < FILES_FOR_THREADS ? 1 : Math.min(availableParallelism(), MAX_THREADS);
}

async function startWorkers(count: number): Promise<readonly Worker[]> {
  // Next to this file in the build; from sources there is only one thread.
  const file = fileURLToPath(new URL(`./${WORKER}`, import.meta.url));
  if (count === 0 || !existsSync(file)) return [];
  const threads = await import("node:worker_threads");
  return Array.from({ length: count }, () => new threads.Worker(file));
}

function answer(worker: Worker): Promise<FileResult[]> {
  const answered = new Promise<FileResult[]>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", resolve);
  });
  // If this thread fails first, the result is not awaited any more.
  answered.catch(() => undefined);
  return answered;
}
