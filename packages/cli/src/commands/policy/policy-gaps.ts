/** `portcullis policy gaps PATH`: what the author of a policy probably forgot, each with a request that slips through. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { exactJson } from "@portcullis/checker/internal/prove/exact-json";
import { record, requestLine, witnessData, witnessLines } from "@portcullis/checker/internal/prove/proof-report";
import { readProofInputs } from "@portcullis/checker/internal/prove/read-proof-inputs";
import { type PolicyGaps, policyGaps } from "@portcullis/engine/internal/prove/gaps/gaps";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
import { parseOptions, readOutputs } from "../../frame/options.ts";
import { proofClock } from "../../frame/proof-clock.ts";
import { requirePolicies } from "./policy-diff.ts";
import { writeOutput } from "./policy-output.ts";
import { checkFormats, fetchPolicies, PROOF_OPTIONS, printNotes, readSeconds } from "./policy-proof-options.ts";

const OPTIONS = {
  ...PROOF_OPTIONS,
  show: {
    type: "string",
    value: "WHICH",
    values: ["lines", "requests"],
    group: "findings and output",
    text: "lines (default), or requests: also the objects of each request",
  },
} as const;

const MANUAL: Manual = {
  usage: ["policy gaps PATH [options]"],
  examples: [
    { does: "report gaps", run: "portcullis policy gaps policies/" },
    { does: "also print the requests", run: "portcullis policy gaps policies/ --show requests" },
    { does: "print JSON", run: "portcullis policy gaps policies/ -o json" },
  ],
  about: [
    "Takes a request that a validation denies and tries to achieve the same in another way: in init and ephemeral containers, with an update, through a subresource such as scale, resize, status, binding, eviction or attach, with another version of the kind, or with another kind that has the same pod template. Requests that the policies admit are printed. A validation that could not be searched completely is printed with the reason. Expressions that read `object` although the policy matches deletions, where `object` is null, are printed too.",
    "A policy without a binding is treated as bound to everything it matches, with the action Deny.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder, an archive, git:REF:PATH, a URL, kube: for the policies of a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "no gap found"],
    ["1", "gaps, or not everything could be tried"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const policyGapsCommand: Command = {
  name: "gaps",
  summary: "report requests that policies admit but probably should not",
  manual: MANUAL,
  run: runGaps,
};

async function runGaps(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const [path, ...more] = options.positionals;
  if (path === undefined || more.length > 0)
    throw new UsageError("policy gaps needs one path with policies; `-` is standard input");
  const outputs = readOutputs(options.texts("output"));
  checkFormats(outputs, "policy gaps");
  await fetchPolicies(options, io);
  const engine = engineOptions(options.text("kube-version"), undefined);
  const inputs = await readProofInputs([path], {
    engine,
    shared: options.texts("with"),
    seconds: readSeconds(options),
    stdin: io.stdin,
    now: proofClock(),
    bindsAll: true,
  });
  const [side] = inputs.sides;
  if (side === undefined) throw new Error("there is a side");
  requirePolicies(inputs.sides);
  const found = policyGaps(side, inputs.options);
  printNotes(inputs.notes, io);
  const isLong = options.text("show") === "requests";
  for (const output of outputs)
    writeOutput(output, output.format === "json" ? asJson(found) : asText(found, isLong), io);
  return found.gaps.length + found.undecided.length === 0 ? EXIT.ok : EXIT.findings;
}

function asJson({ gaps, undecided }: PolicyGaps): string {
  const report = record({
    apiVersion: REPORT_VERSION,
    kind: "PolicyGaps",
    gaps: gaps.map(({ policy, validation, gap, text, witness }) =>
      record({ policy, validation, gap, text, ...witnessData(witness) }),
    ),
    undecided: undecided.map(({ policy, validation, why }) => record({ policy, validation, why })),
  });
  return `${exactJson(report)}\n`;
}

function asText({ gaps, undecided }: PolicyGaps, isLong: boolean): string {
  const open = undecided.map(
    ({ policy, validation, why }) => `${policy}, validation ${validation}: not everything was tried (${why})`,
  );
  if (gaps.length + open.length === 0) return "no gap found\n";
  const lines = gaps.flatMap(({ policy, validation, text, witness }) => [
    `${policy}, validation ${validation}: ${text}`,
    `  ${requestLine(witness.attributes)}`,
    ...(isLong ? witnessLines(witness).map((line) => `    ${line}`) : []),
  ]);
  return [...lines, ...open].map((line) => `${line}\n`).join("");
}
