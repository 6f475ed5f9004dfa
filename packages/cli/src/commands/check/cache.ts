/** Whether `check` keeps verdicts for later runs. */
import { existsSync } from "node:fs";
import type { CheckPlan, ChunkResult } from "@portcullis/checker/internal/check/chunk";
import type { CommandIo } from "../../frame/command.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import type { Options } from "../../frame/options.ts";
import { cacheFolder } from "../../workers/cache-folder.ts";
import { ObservedFiles } from "../../workers/observed-files.ts";
import { runFolder } from "../../workers/run-record.ts";
import type { RunOptions } from "../../workers/worker-pool.ts";
import { isRepeatable, RunRecorder } from "./run-recorder.ts";

export const CACHE_OPTIONS = {
  "no-cache": {
    type: "boolean",
    group: "running",
    text: "check every file again; otherwise verdicts about unchanged files are kept in $XDG_CACHE_HOME or ~/.cache",
  },
} as const satisfies OptionSpecs;

/** With fewer files, a check takes less time than looking up its verdict. */
const FILES_FOR_CACHE = 100;

/** Whether there may be verdicts of earlier runs, so that most files need no check. */
export function hasVerdicts(options: Options): boolean {
  const folder = options.flag("no-cache") ? undefined : cacheFolder("verdicts", process.env);
  return folder !== undefined && existsSync(folder);
}

interface CachedRun {
  run(plan: CheckPlan, options: RunOptions): Promise<ChunkResult>;
}

/** Undefined if nothing is kept: without a build that can be identified, a verdict could be outdated. */
export function readCache(
  options: Options,
  { files }: CheckPlan,
  observed = new ObservedFiles(),
): CachedRun | undefined {
  const build = readBuild();
  if (options.flag("no-cache") || files.length < FILES_FOR_CACHE || build === undefined) return undefined;
  return {
    async run(plan, running) {
      const { VerdictFolder } = await import("../../workers/verdict-store.ts");
      const { runCached } = await import("../../workers/cached-run.ts");
      const { runCheck } = await import("../../workers/worker-pool.ts");
      const folder = cacheFolder("verdicts", process.env);
      if (folder === undefined) return runCheck(plan, running);
      return runCached(plan, { ...running, store: new VerdictFolder(folder), build, observed });
    },
  };
}

/** The launcher sets it. */
function readBuild(): string | undefined {
  const build: unknown = Reflect.get(globalThis, Symbol.for("portcullis.build"));
  return typeof build === "string" ? build : undefined;
}

/** Undefined if the run cannot be repeated without making it again. */
export function startRecorder(options: Options, io: CommandIo): RunRecorder | undefined {
  const [build, folder] = [readBuild(), runFolder()];
  if (build === undefined || folder === undefined || !isRepeatable(options)) return undefined;
  return new RunRecorder({ options, io, build, folder });
}
