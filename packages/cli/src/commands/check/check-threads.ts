/** Threads of `check` that start while files are still being listed. */
import { isRemote } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Options } from "../../frame/options.ts";
import { tuneForShortRun } from "../../frame/short-run.ts";
import { type StartedThreads, startThreads } from "../../workers/worker-pool.ts";
import { showsWebhooks } from "../check-admission.ts";
import { hasVerdicts } from "./cache.ts";

const MANY_FILES = 200;

export class CheckThreads {
  started: StartedThreads | undefined;
  readonly jobs: number | undefined;
  readonly #canStart: boolean;
  #isTuned = false;

  constructor(options: Options) {
    this.jobs = readJobs(options.text("jobs"));
    this.#canStart = !needsOneThread(options) && options.texts("old").length === 0 && !hasVerdicts(options);
  }

  startFor(files: number): void {
    // With a few files, the time to set the flags is longer than the time that they save.
    if (files >= MANY_FILES && !this.#isTuned) {
      tuneForShortRun();
      this.#isTuned = true;
    }
    if (this.#canStart) this.started ??= startThreads(files, { jobs: this.jobs });
  }

  async stop(): Promise<void> {
    await this.started?.stop();
  }
}

/** The checker of a run with policies is created from all files; what was downloaded is in this thread. */
export function needsOneThread(options: Options): boolean {
  return options.texts("policies").length > 0 || showsWebhooks(options) || options.texts("old").some(isRemote);
}

function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64)
    throw new UsageError(`\`--jobs ${text}\` is not a number from 1 to 64`);
  return jobs;
}
