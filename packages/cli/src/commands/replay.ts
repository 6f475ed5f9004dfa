/** `portcullis replay`: what policies would have decided about the writes of an audit log. */
import { writeFileSync } from "node:fs";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { refusedPolicies } from "@portcullis/checker/internal/policy/policy-objects";
import { triedPolicies } from "@portcullis/checker/internal/replay/following";
import type { Replay, ReplayOptions } from "@portcullis/checker/internal/replay/replay";
import { minimalRequest } from "@portcullis/checker/internal/replay/report/minimal";
import {
  decisionLine,
  type ReportParts,
  reportData,
  reportText,
} from "@portcullis/checker/internal/replay/report/report";
import { Summary } from "@portcullis/checker/internal/replay/report/summary";
import { runReplay } from "@portcullis/checker/internal/replay/run";
import { stringifyExact } from "@portcullis/checker/internal/report/exact-number";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { engineOptions } from "../frame/engine-options.ts";
import { KUBE_VERSION } from "../frame/kube-versions.ts";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { type Options, parseOptions, readChoice } from "../frame/options.ts";
import { fetchSources, SOURCE_OPTIONS } from "../sources/fetch-sources.ts";
import { ADMISSION_OPTIONS, readPodSecurity } from "./check-admission.ts";

const FORMATS = ["text", "json", "jsonl"] as const;
const INPUTS = "inputs";
const OUTPUT = "findings and output";

const OPTIONS = {
  policies: {
    type: "string",
    short: "p",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "the policies and bindings, and what they read: params, namespaces, roles, role bindings, CRDs",
  },
  objects: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "objects that existed when the log began, for old objects, namespaces and params",
  },
  crds: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "CRDs to try: writes of their objects are validated by them",
  },
  against: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "compare with these policies instead of what happened; validating policies then do not change as they did in the log",
  },
  ...SOURCE_OPTIONS,
  "pod-security": ADMISSION_OPTIONS["pod-security"],
  "kube-version": KUBE_VERSION,
  memory: {
    type: "string",
    value: "MIB",
    group: "the log",
    text: "memory for objects of the log in MiB (default 256); objects beyond it count as unknown",
  },
  window: {
    type: "string",
    value: "N",
    group: "the log",
    text: "how many events may be out of order (default 2000)",
  },
  output: {
    type: "string",
    short: "o",
    multiple: true,
    value: "FORMAT[=FILE]",
    values: FORMATS,
    group: OUTPUT,
    text: "text (default), json, or jsonl: one line per write; FORMAT=FILE writes to a file",
  },
  "exit-zero": { type: "boolean", group: OUTPUT, text: "exit with 0 even if there are findings" },
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["replay LOG… --policies PATH… [options]"],
  examples: [
    { does: "what would these policies have done?", run: "portcullis replay audit.log --policies policies/" },
    {
      does: "compare new policies with the current ones",
      run: "portcullis replay audit.log.gz audit-2.log.gz -p new/ --against current/ --objects cluster/",
    },
    { does: "print one line per write", run: "portcullis replay audit.log -p policies/ -o jsonl" },
    { does: "try a Pod Security level", run: "portcullis replay audit.log --pod-security restricted" },
    { does: "try a new CRD", run: "portcullis replay audit.log --crds widgets.yaml" },
  ],
  about: [
    "Reads audit logs of an API server (levels RequestResponse and Request), AdmissionReviews recorded by `portcullis webhook --record`, or exported objects, and decides each write again. Prints which users each policy affects, how often and when, and a minimal example.",
    "If the log does not contain enough information, the decision is `unknown`, with the reason. The network is used only for policies and CRDs from a URL or a cluster.",
  ],
  args: [
    [
      "LOG",
      "an audit log or a file of AdmissionReviews, also packed with gzip; - for standard input; a folder, YAML or JSON with exported objects",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "no write is decided differently"],
    ["1", "some writes are, or parts of the log could not be read"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const replay: Command = {
  name: "replay",
  summary: "report what policies would have decided for the writes in an audit log",
  manual: MANUAL,
  run: runCommand,
};

interface ReplayOutput {
  readonly format: (typeof FORMATS)[number];
  readonly file: string | undefined;
}

async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("replay needs at least one log; `-` is standard input");
  const outputs = readOutputs(options.texts("output"));
  const { given, ...settings } = await readSettings(options, "policies", io);
  const against = await readAgainst(options, io);
  const follows = against === undefined ? "all" : { tried: triedPolicies(given, against.given) };
  const lines = new LineOutput(outputs, io);
  const problems = new Problems(io);
  const summary = new Summary();
  const end = await runReplay({
    inputs: options.positionals,
    options: { ...settings, follows },
    against: against && { ...against, follows },
    onProblem: ({ file, line, message }) => problems.add(`${file}:${line}: ${message}`),
    onWrite: (replayed, before) => {
      summary.add(replayed, before);
      if (lines.isWanted) lines.write(decisionLine(replayed.write, replayed.decision));
    },
  });
  lines.end();
  const { outOfOrder } = end.replay;
  if (outOfOrder > 0)
    problems.add(`${outOfOrder} events are too far out of order, and some cannot be decided: raise --window`);
  problems.end();
  if (summary.writes === 0) throw new UsageError("no writes found");
  const parts: ReportParts = {
    summary,
    problems: problems.count,
    policyChanges: end.policyChanges,
    comparedWith: against === undefined ? "what happened" : "the other policies",
    examples: minimalExamples(summary, end.replay),
    format: (object) => formatYaml([object]),
  };
  for (const output of outputs) if (output.format !== "jsonl") put(output, render(parts, output.format), io);
  const hasFindings = summary.newlyDenied + summary.newlyAllowed + problems.count > 0;
  return hasFindings && !options.flag("exit-zero") ? EXIT.findings : EXIT.ok;
}

function render(parts: ReportParts, format: "text" | "json"): string {
  if (format === "text") return reportText(parts);
  return `${stringifyExact({ apiVersion: REPORT_VERSION, kind: "Replay", ...reportData(parts) }, 2)}\n`;
}

function minimalExamples({ policies }: Summary, replayed: Replay): ReadonlyMap<string, AdmissionAttributes> {
  const found = new Map<string, AdmissionAttributes>();
  for (const { policy, example } of policies.values()) {
    const text = example && replayed.refusalText(example.attributes, policy);
    // The same text: a request that a policy cannot be evaluated for would be refused too.
    const isAlike = (each: AdmissionAttributes): boolean => replayed.refusalText(each, policy) === text;
    if (example !== undefined && text !== undefined) found.set(policy, minimalRequest(example.attributes, isAlike));
  }
  return found;
}

interface Settings extends ReplayOptions {
  /** Policies and what they read. */
  readonly given: readonly JsonObject[];
}

async function readSettings(options: Options, policies: "policies" | "against", io: CommandIo): Promise<Settings> {
  const engine = engineOptions(options.text("kube-version"), undefined);
  await fetchSources({ policies: options.texts(policies), crds: options.texts("crds") }, options, io);
  const load = (paths: readonly string[]): JsonObject[] => loadDocuments(paths, io.stdin).map(({ object }) => object);
  const definitions = policies === "policies" ? load(options.texts("crds")) : [];
  const given = load(options.texts(policies));
  const objects = [...load(options.texts("objects")), ...given];
  const [refused] = await refusedPolicies(given, policyCluster(objects, engine).cluster);
  if (refused !== undefined) throw new UsageError(refused);
  return {
    given,
    engine,
    objects,
    definitions,
    podSecurity: readPodSecurity(options.text("pod-security")),
    memory: readNumber(options, "memory", 256) * 1024 * 1024,
    window: readNumber(options, "window", 2000),
  };
}

async function readAgainst(options: Options, io: CommandIo): Promise<Settings | undefined> {
  if (options.texts("against").length === 0) return undefined;
  const { podSecurity: _, ...rest } = await readSettings(options, "against", io);
  return { ...rest, podSecurity: readPodSecurity(undefined) };
}

function readNumber(options: Options, name: string, preset: number): number {
  const text = options.text(name);
  if (text === undefined) return preset;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new UsageError(`--${name} must be a positive number, not \`${text}\``);
}

function readOutputs(texts: readonly string[]): readonly ReplayOutput[] {
  if (texts.length === 0) return [{ format: "text", file: undefined }];
  const outputs = texts.map((text) => {
    const [format = "", ...file] = text.split("=");
    return { format: readChoice("output", format, FORMATS), file: file.length === 0 ? undefined : file.join("=") };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError("only one output can go to standard output; write the others as FORMAT=FILE");
  }
  return outputs;
}

function put({ file }: ReplayOutput, text: string, io: CommandIo): void {
  if (file === undefined) io.stdout(text);
  else writeFileSync(file, text);
}

const BUFFERED = 1 << 16;

/** Lines are written in larger pieces. */
class LineOutput {
  readonly #outputs: readonly ReplayOutput[];
  readonly #io: CommandIo;
  #text = "";

  constructor(outputs: readonly ReplayOutput[], io: CommandIo) {
    this.#outputs = outputs.filter(({ format }) => format === "jsonl");
    this.#io = io;
    for (const { file } of this.#outputs) if (file !== undefined) writeFileSync(file, "");
  }

  get isWanted(): boolean {
    return this.#outputs.length > 0;
  }

  write(line: string): void {
    this.#text += `${line}\n`;
    if (this.#text.length > BUFFERED) this.end();
  }

  end(): void {
    if (this.#text === "") return;
    for (const { file } of this.#outputs) {
      if (file === undefined) this.#io.stdout(this.#text);
      else writeFileSync(file, this.#text, { flag: "a" });
    }
    this.#text = "";
  }
}

const SHOWN_PROBLEMS = 20;

/** A damaged log may have very many. */
class Problems {
  readonly #io: CommandIo;
  count = 0;

  constructor(io: CommandIo) {
    this.#io = io;
  }

  add(text: string): void {
    this.count += 1;
    if (this.count <= SHOWN_PROBLEMS) this.#io.stderr(`portcullis: ${text}\n`);
  }

  end(): void {
    const more = this.count - SHOWN_PROBLEMS;
    if (more > 0) this.#io.stderr(`portcullis: and ${more} more lines that could not be read\n`);
  }
}
