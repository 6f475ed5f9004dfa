/** `portcullis policy convert`: converts policies of other languages, and of the KEP-3488 draft, to v1 policies and bindings. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { convertLanguages, isOtherLanguage } from "@portcullis/checker/internal/policy/languages/conversion";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { refusedPolicies } from "@portcullis/checker/internal/policy/policy-objects";
import { placesOfType } from "@portcullis/checker/internal/policy/type-places";
import { convertDraftPolicy, type DraftFinding, isDraftPolicy } from "@portcullis/engine/internal/policy/draft/convert";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
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
  examples: [{ does: "convert all policies in a folder", run: "portcullis policy convert kyverno/ > policies.yaml" }],
  about: [
    "Converts Kyverno's ValidatingPolicies, MutatingPolicies and PolicyExceptions, and Gatekeeper's ConstraintTemplates with K8sNativeValidation and their constraints, into ValidatingAdmissionPolicies and MutatingAdmissionPolicies with bindings. A policy that uses functions that Kubernetes does not have is reported.",
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
  summary: "convert policies of Kyverno, Gatekeeper and the KEP-3488 draft",
  manual: MANUAL,
  run: runConvert,
};

async function runConvert(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0)
    throw new UsageError("policy convert needs at least one path; `-` is standard input");
  const format = options.text("output") ?? "yaml";
  if (format !== "yaml" && format !== "json") throw new UsageError(`unknown output \`${format}\`; one of yaml, json`);
  const given = loadDocuments(options.positionals, io.stdin).map(({ object }) => object);
  if (!given.some((each) => isDraftPolicy(each) || isOtherLanguage(each)))
    throw new UsageError("no policy of Kyverno, Gatekeeper or the KEP-3488 draft found");
  const { objects, findings } = await convertAll(given);
  if (format === "json") {
    const data = { apiVersion: REPORT_VERSION, kind: "PolicyConversion", findings, objects: objects.map(toPlain) };
    io.stdout(`${JSON.stringify(data, undefined, 2)}\n`);
  } else {
    io.stdout(formatYaml(objects));
    for (const finding of findings) io.stderr(`${formatFinding(finding)}\n`);
  }
  return findings.some(({ level }) => level === "error") ? EXIT.findings : EXIT.ok;
}

async function convertAll(
  given: readonly JsonObject[],
): Promise<{ objects: readonly JsonObject[]; findings: DraftFinding[] }> {
  const drafts = given.some(isDraftPolicy)
    ? convertDraftPolicy(given, { placesOf: placesOfType })
    : { objects: given, findings: [] };
  const { objects, losses } = convertLanguages(drafts.objects);
  const made = objects.filter((each) => !drafts.objects.includes(each));
  const { cluster } = policyCluster(objects, engineOptions(undefined, undefined));
  const refused = await refusedPolicies(made, cluster);
  return {
    objects,
    findings: [
      ...drafts.findings,
      ...losses.map((each): DraftFinding => ({ ...each, level: "warning" })),
      ...refused.map((message): DraftFinding => ({ level: "error", object: "", path: "", message })),
    ],
  };
}

function formatFinding({ level, object, path, message }: DraftFinding): string {
  return [level, object, path, message].filter((each) => each !== "").join(": ");
}
