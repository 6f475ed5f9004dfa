/** Records what `check` looks at and prints, so that the same run need not be made again while nothing changes. */
import { readFileSync, statSync } from "node:fs";
import { type InputFile, listInputs } from "@portcullis/checker/internal/input/files";
import { isSource } from "@portcullis/checker/internal/input/sources";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { CommandIo } from "../../frame/command.ts";
import type { Options } from "../../frame/options.ts";
import { outputFiles, today } from "../../frame/show.ts";
import { ObservedFiles } from "../../workers/observed-files.ts";
import { type RunOutput, runKey, statesOf, writeRecord } from "../../workers/run-record.ts";
import { crdSources } from "./references.ts";

export interface RecorderOptions {
  readonly options: Options;
  readonly io: CommandIo;
  /** Identifies the program. */
  readonly build: string;
  /** Where records are kept. */
  readonly folder: string;
}

/** Fewer files are checked almost as fast. */
const FILES_FOR_RECORD = 100;

/** Larger output is not kept. */
const MAX_OUTPUT = 1 << 25;

export class RunRecorder {
  readonly observed = new ObservedFiles();
  /** The same as that of the run. */
  readonly io: CommandIo;
  readonly #given: RecorderOptions;
  readonly #outputs: RunOutput[] = [];
  readonly #day = today();
  #files = 0;
  #isReadable = true;

  constructor(given: RecorderOptions) {
    const { io } = given;
    this.#given = given;
    this.io = {
      ...io,
      stdout: (text) => this.#print(1, text, io.stdout),
      stderr: (text) => this.#print(2, text, io.stderr),
    };
  }

  #print(to: 1 | 2, text: string, print: (text: string) => void): void {
    this.#outputs.push([to, text]);
    print(text);
  }

  /** What is read besides the inputs; call it before that. */
  lookAtOptions(): void {
    const { options } = this.#given;
    for (const name of ["env-subst", "baseline"]) for (const file of options.texts(name)) this.look(file);
    const paths = [...crdSources(options), ...options.texts("old"), ...options.texts("policies")];
    if (paths.length > 0) this.lookAtFiles(listInputs(paths, { onLook: this.look }).files);
  }

  lookAtFiles(files: readonly InputFile[]): void {
    this.#files += files.length;
    for (const { file, text } of files) if (text === undefined) this.look(file);
  }

  readonly look = (file: string): void => {
    this.observed.look(file);
  };

  /** A file that could not be read may be readable in the next run, without another time. */
  notice(findings: readonly Finding[]): void {
    if (findings.some(({ rule }) => rule === "input/unreadable")) this.#isReadable = false;
  }

  finish(code: number): void {
    const states = this.observed.stableStates();
    if (!this.#isReadable || states === undefined || this.#files < FILES_FOR_RECORD || code > 1) return;
    const { build, folder, options } = this.#given;
    const reports = outputFiles(options);
    if (!reports.every((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)) return;
    const outputs = [...reports.map((file): RunOutput => [file, readFileSync(file, "utf8")]), ...this.#outputs];
    if (outputs.reduce((sum, [, text]) => sum + text.length, 0) > MAX_OUTPUT) return;
    writeRecord(folder, {
      key: runKey(build),
      // Entries of a baseline expire.
      day: options.text("baseline") === undefined ? undefined : this.#day,
      code,
      outputs,
      files: [...states.keys()],
      states: statesOf(states),
    });
  }
}

/** Whether everything that the run reads is a file or folder on disk, and all that it writes is its report. */
export function isRepeatable(options: Options): boolean {
  const { positionals } = options;
  const paths = [...positionals, ...crdSources(options), ...options.texts("old"), ...options.texts("policies")];
  const hasOthers = ["helm", "kustomize", "write-baseline"].some((name) => options.texts(name).length > 0);
  return !(
    hasOthers ||
    options.flag("no-cache") ||
    options.flag("watch") ||
    paths.some((each) => each === "-" || isSource(each))
  );
}
