/** `portcullis policy convert`: converts policies of the KEP-3488 draft to v1 policies and bindings. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { placesOfType } from "@portcullis/checker/internal/policy/type-places";
import { convertDraftPolicy, type DraftFinding, isDraftPolicy } from "@portcullis/engine/internal/policy/draft/convert";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { parseOptions } from "../../frame/options.ts";

const OPTIONS = {
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    values: ["yaml", "json"],
    text: "yaml (default), or json with objects and findings in one document",
  },
} as const;

const MANUAL: Manual = {
  usage: ["policy convert PATH… [options]"],
  examples: [{ does: "convert all policies in a folder", run: "portcullis policy convert drafts/ > policies.yaml" }],
  about: [
    "Converts policies of the KEP-3488 draft (`spec.config`, `spec.match`, `policyType: Singleton`, `rule`, `failurePolicy` and `severity` of a validation, default configurations, scopes such as `spec.containers[*].image`) into v1 policies and bindings. Configuration objects become params, so include them.",
    "The manifests are written to standard output. Assumptions and fields that cannot be converted are reported on standard error.",
  ],
  args: [["PATH", "a file, a folder or - for standard input"]],
  options: OPTIONS,
  exits: [
    ["0", "converted"],
    ["1", "something could not be converted"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const policyConvert: Command = {
  name: "convert",
  summary: "convert policies of the KEP-3488 draft into v1",
  manual: MANUAL,
  run: runConvert,
};

function runConvert(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0)
    throw new UsageError("policy convert needs at least one path; `-` is standard input");
  const format = options.text("output") ?? "yaml";
  if (format !== "yaml" && format !== "json") throw new UsageError(`unknown output \`${format}\`; one of yaml, json`);
  const given = loadDocuments(options.positionals, io.stdin).map(({ object }) => object);
  if (!given.some(isDraftPolicy)) throw new UsageError("no policy of the KEP-3488 draft found");
  const { objects, findings } = convertDraftPolicy(given, { placesOf: placesOfType });
  if (format === "json") {
    const data = { apiVersion: REPORT_VERSION, kind: "PolicyConversion", findings, objects: objects.map(toPlain) };
    io.stdout(`${JSON.stringify(data, undefined, 2)}\n`);
  } else {
    io.stdout(formatYaml(objects));
    for (const finding of findings) io.stderr(`${formatFinding(finding)}\n`);
  }
  return findings.some(({ level }) => level === "error") ? EXIT.findings : EXIT.ok;
}

function formatFinding({ level, object, path, message }: DraftFinding): string {
  return `${level}: ${object}: ${path}: ${message}`;
}
