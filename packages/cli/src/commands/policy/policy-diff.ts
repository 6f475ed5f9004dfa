/** `portcullis policy diff OLD NEW`: which requests are denied now that were allowed, and the other way round. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { exactJson } from "@portcullis/checker/internal/prove/exact-json";
import { record, reviewOf, verdictJson } from "@portcullis/checker/internal/prove/proof-report";
import { comparisonText } from "@portcullis/checker/internal/prove/proof-text";
import { readProofInputs } from "@portcullis/checker/internal/prove/read-proof-inputs";
import {
  type ComparedSide,
  type Comparison,
  comparePolicies,
} from "@portcullis/engine/internal/prove/compare-policies";
import type { Verdict } from "@portcullis/engine/internal/prove/difference";
import type { Witness } from "@portcullis/engine/internal/prove/witness";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
import { parseOptions, readOutputs } from "../../frame/options.ts";
import { proofClock } from "../../frame/proof-clock.ts";
import { writeOutput } from "./policy-output.ts";
import { checkFormats, fetchPolicies, PROOF_OPTIONS, printNotes, readSeconds } from "./policy-proof-options.ts";

const OPTIONS = {
  ...PROOF_OPTIONS,
  "save-witnesses": {
    type: "string",
    value: "FOLDER",
    group: "findings and output",
    text: "write the requests found as AdmissionReviews, for `policy eval --request`",
  },
} as const;

const MANUAL: Manual = {
  usage: ["policy diff OLD NEW [options]"],
  examples: [
    { does: "report what the change denies or allows", run: "portcullis policy diff policies/ changed/" },
    {
      does: "add the params and CRDs that both sides need",
      run: "portcullis policy diff old.yaml new.yaml --with cluster/",
    },
    { does: "print JSON", run: "portcullis policy diff old.yaml new.yaml -o json" },
    {
      does: "explain a request that was found",
      run: "portcullis policy diff old.yaml new.yaml --save-witnesses out && portcullis policy eval new.yaml --request out/newly-denied.json --explain",
    },
  ],
  about: [
    "Compares two sets of ValidatingAdmissionPolicies with their bindings: match constraints, conditions, variables, validations, audit annotations, params and actions. The result for each direction is `some` with a request that demonstrates it, `none` with a proof that there is no such request, or `unknown` with the reason.",
    "Objects are considered as they reach admission: decoded, defaulted and valid. A proof names its premises beyond CEL, such as defaults and native validation. If params are given, no others exist; if only policies and CRDs are given, params may have any content.",
  ],
  args: [
    [
      "OLD, NEW",
      "a file, a folder, an archive, git:REF:PATH, a URL, kube: for the policies of a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "proved to decide alike"],
    ["1", "a difference, or not proved"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const policyDiff: Command = {
  name: "diff",
  summary: "report which requests a change of policies denies or allows, with proof",
  manual: MANUAL,
  run: runDiff,
};

async function runDiff(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length !== 2)
    throw new UsageError("policy diff needs two paths: the old policies and the new ones");
  const outputs = readOutputs(options.texts("output"));
  checkFormats(outputs, "policy diff");
  await fetchPolicies(options, io);
  const engine = engineOptions(options.text("kube-version"), undefined);
  const shared = options.texts("with");
  const inputs = await readProofInputs(options.positionals, {
    engine,
    shared,
    seconds: readSeconds(options),
    stdin: io.stdin,
    now: proofClock(),
    bindsAll: false,
  });
  const [old, next] = inputs.sides;
  if (old === undefined || next === undefined) throw new Error("there are two sides");
  requirePolicies([old, next]);
  const comparison = comparePolicies(old, next, inputs.options);
  printNotes(inputs.notes, io);
  saveWitnesses(options.text("save-witnesses"), comparison);
  for (const output of outputs) {
    writeOutput(output, output.format === "json" ? asJson(comparison) : comparisonText(comparison, old, next), io);
  }
  const isAlike = comparison.newlyDenied.verdict === "none" && comparison.newlyAllowed.verdict === "none";
  return isAlike ? EXIT.ok : EXIT.findings;
}

export function requirePolicies(sides: readonly ComparedSide[]): void {
  if (sides.every(({ policies: { hooks, unbound } }) => hooks.length + unbound.length === 0)) {
    throw new UsageError("no ValidatingAdmissionPolicy found");
  }
}

function saveWitnesses(folder: string | undefined, { newlyDenied, newlyAllowed }: Comparison): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const save = (name: string, verdict: Verdict<Witness>): void => {
    if (verdict.verdict !== "some") return;
    writeFileSync(path.join(folder, `${name}.json`), `${exactJson(reviewOf(verdict.witness.attributes))}\n`);
  };
  save("newly-denied", newlyDenied);
  save("newly-allowed", newlyAllowed);
}

function asJson({ newlyDenied, newlyAllowed }: Comparison): string {
  const report = record({
    apiVersion: REPORT_VERSION,
    kind: "PolicyDiff",
    newlyDenied: verdictJson(newlyDenied),
    newlyAllowed: verdictJson(newlyAllowed),
  });
  return `${exactJson(report)}\n`;
}
