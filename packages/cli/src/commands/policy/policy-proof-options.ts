/** Options that all commands about proofs have. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { CommandIo } from "../../frame/command.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import type { Options, Output } from "../../frame/options.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";

const INPUT = "input";

export const PROOF_OPTIONS = {
  with: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUT,
    text: "params, CRDs, namespaces and roles that the policies need",
  },
  ...SOURCE_OPTIONS,
  budget: {
    type: "string",
    value: "SECONDS",
    group: "what counts",
    text: "the processor time for each question (default 5); questions that are open when it is used up are unknown",
  },
  "kube-version": KUBE_VERSION,
  output: {
    type: "string",
    short: "o",
    multiple: true,
    value: "FORMAT",
    values: ["text", "json"],
    group: "findings and output",
    text: "text (default) or json; FORMAT=FILE writes to a file",
  },
} as const;

/** The policies may come from URLs and from clusters. */
export function fetchPolicies(options: Options, io: CommandIo, ...others: readonly string[]): Promise<void> {
  return fetchSources({ policies: [...options.positionals, ...others], crds: options.texts("with") }, options, io);
}

export function readSeconds(options: Options): number {
  const text = options.text("budget");
  if (text === undefined) return 5;
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new UsageError("`--budget` takes a number of seconds, such as 30");
  return seconds;
}

export function checkFormats(outputs: readonly Output[], command: string): void {
  const other = outputs.find(({ format }) => format !== "text" && format !== "json");
  if (other !== undefined) throw new UsageError(`\`${command}\` has no output \`${other.format}\`; one of text, json`);
}

export function printNotes(notes: readonly string[], io: CommandIo): void {
  for (const note of new Set(notes)) io.stderr(`portcullis: ${note}\n`);
}
