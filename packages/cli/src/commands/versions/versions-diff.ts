/** `portcullis versions diff OLD NEW`: what behaves differently in two versions of Kubernetes. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { diffVersions } from "@portcullis/checker/internal/versions/diff";
import { formatVersionsDiff } from "@portcullis/checker/internal/versions/format";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { readVersion } from "../../frame/kube-versions.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { parseOptions } from "../../frame/options.ts";

const OPTIONS = {
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    values: ["text", "json"],
    group: "output",
    text: "text (default) or json",
  },
} satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["versions diff OLD NEW [options]"],
  about: [
    "Lists what behaves differently in two versions of Kubernetes: APIs, fields, feature gates and their defaults, CEL functions, validation, messages and costs. `check --kube-version OLD,NEW` shows which of your objects are concerned.",
  ],
  examples: [
    { does: "list what an upgrade changes", run: "portcullis versions diff 1.34 1.37" },
    { does: "the same as JSON", run: "portcullis versions diff 1.34 1.37 -o json" },
  ],
  args: [["OLD, NEW", "two versions, such as 1.34 and 1.37"]],
  options: OPTIONS,
  exits: [
    ["0", "compared"],
    ["2", "unknown version"],
  ],
};

export const versionsDiff: Command = {
  name: "diff",
  summary: "list what differs between two versions",
  manual: MANUAL,
  run: runDiff,
};

function runDiff(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  const [old, next, ...more] = options.positionals;
  if (old === undefined || next === undefined || more.length > 0)
    throw new UsageError("give two versions, such as 1.34 1.37");
  const diff = diffVersions(readVersion(old), readVersion(next));
  const format = options.text("output") ?? "text";
  if (format !== "text" && format !== "json")
    throw new UsageError(`unknown output format \`${format}\`; one of text, json`);
  io.stdout(format === "json" ? `${JSON.stringify(diff, null, 2)}\n` : formatVersionsDiff(diff));
  return EXIT.ok;
}
