/** `portcullis policy prove PATH`: facts about validations, properties and equivalence, each with a proof or a request. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { exactJson } from "@portcullis/checker/internal/prove/exact-json";
import { factJson, record } from "@portcullis/checker/internal/prove/proof-report";
import { factLines, factsText } from "@portcullis/checker/internal/prove/proof-text";
import { readProofInputs } from "@portcullis/checker/internal/prove/read-proof-inputs";
import {
  type ComparedSide,
  type CompareOptions,
  comparePolicies,
  decideDirection,
} from "@portcullis/engine/internal/prove/compare-policies";
import { type Fact, oppositeOf, type ValidationFacts, validationFacts } from "@portcullis/engine/internal/prove/facts";
import { withProperty } from "@portcullis/engine/internal/prove/property";
import type { JsonValue } from "@portcullis/engine/internal/value/json";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
import { type Options, parseOptions, readOutputs } from "../../frame/options.ts";
import { proofClock } from "../../frame/proof-clock.ts";
import { requirePolicies } from "./policy-diff.ts";
import { writeOutput } from "./policy-output.ts";
import { checkFormats, fetchPolicies, PROOF_OPTIONS, printNotes, readSeconds } from "./policy-proof-options.ts";

const OPTIONS = {
  ...PROOF_OPTIONS,
  property: {
    type: "string",
    multiple: true,
    value: "CEL",
    group: "what to prove",
    text: "an expression that must hold for every request that the policies match and admit",
  },
  "equivalent-to": {
    type: "string",
    value: "PATH",
    group: "what to prove",
    text: "policies that must decide every request in the same way",
  },
} as const;

const MANUAL: Manual = {
  usage: ["policy prove PATH [options]"],
  examples: [
    { does: "report what is true of each validation", run: "portcullis policy prove policies/" },
    {
      does: "check whether a property holds for all admitted requests",
      run: "portcullis policy prove policies/ --property 'object.spec.replicas <= 10'",
    },
    {
      does: "check whether two files decide every request in the same way",
      run: "portcullis policy prove old.yaml --equivalent-to new.yaml",
    },
    { does: "print JSON", run: "portcullis policy prove policies/ -o json" },
  ],
  about: [
    "Reports for each validation whether it never denies, always denies, may fail with a runtime error, or follows from another validation of the same policy. Each answer is proved for all requests that the policy matches, demonstrated by a request, or unknown.",
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
    ["0", "all properties hold, or none was given"],
    ["1", "a property or the equivalence does not hold, or is not proved"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const policyProve: Command = {
  name: "prove",
  summary: "report what is true of policies for all requests, with proof",
  manual: MANUAL,
  run: runProve,
};

interface NamedFact {
  readonly name: string;
  readonly fact: Fact;
}

async function runProve(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const [path, ...more] = options.positionals;
  if (path === undefined || more.length > 0)
    throw new UsageError("policy prove needs one path with policies; `-` is standard input");
  const outputs = readOutputs(options.texts("output"));
  checkFormats(outputs, "policy prove");
  const other = options.text("equivalent-to");
  await fetchPolicies(options, io, ...(other === undefined ? [] : [other]));
  const engine = engineOptions(options.text("kube-version"), undefined);
  const paths = other === undefined ? [path] : [path, other];
  const inputs = await readProofInputs(paths, {
    engine,
    shared: options.texts("with"),
    seconds: readSeconds(options),
    stdin: io.stdin,
    now: proofClock(),
    bindsAll: true,
  });
  const [side, counterpart] = inputs.sides;
  if (side === undefined) throw new Error("there is a side");
  requirePolicies(inputs.sides);
  const facts = validationFacts(side, inputs.options);
  const asked = [...propertyFacts(options, side, inputs.options), ...equivalence(side, counterpart, inputs.options)];
  printNotes(inputs.notes, io);
  for (const output of outputs)
    writeOutput(output, output.format === "json" ? asJson(facts, asked) : asText(facts, asked), io);
  return asked.every(({ fact }) => fact.verdict === "true") ? EXIT.ok : EXIT.findings;
}

function propertyFacts(options: Options, side: ComparedSide, compare: CompareOptions): NamedFact[] {
  return options.texts("property").map((expression) => {
    const strict = withProperty(side.policies, expression);
    if (typeof strict === "string") throw new UsageError(`\`--property ${expression}\`: ${strict}`);
    const verdict = decideDirection({ ...side, unit: "property", policies: strict }, side, compare);
    if (verdict.verdict === "none")
      return { name: expression, fact: { verdict: "true", relies: verdict.relies, upTo: verdict.upTo } };
    if (verdict.verdict === "some") return { name: expression, fact: { verdict: "false", witness: verdict.witness } };
    return { name: expression, fact: { verdict: "unknown", why: verdict.why } };
  });
}

function equivalence(side: ComparedSide, other: ComparedSide | undefined, compare: CompareOptions): NamedFact[] {
  if (other === undefined) return [];
  const { newlyDenied, newlyAllowed } = comparePolicies(side, other, compare);
  const verdicts = [newlyDenied, newlyAllowed];
  const some = verdicts.find((each) => each.verdict === "some");
  const unknown = verdicts.find((each) => each.verdict === "unknown");
  const name = "equivalent";
  if (some?.verdict === "some") return [{ name, fact: { verdict: "false", witness: some.witness } }];
  if (unknown?.verdict === "unknown") return [{ name, fact: { verdict: "unknown", why: unknown.why } }];
  const relies = verdicts.flatMap((each) => (each.verdict === "none" ? each.relies : []));
  const sizes = verdicts.flatMap((each) => (each.verdict === "none" ? (each.upTo ?? []) : []));
  const upTo = sizes.length === 0 ? undefined : Math.min(...sizes);
  return [{ name, fact: { verdict: "true", relies: [...new Set(relies)].sort(), upTo } }];
}

function asJson(facts: readonly ValidationFacts[], asked: readonly NamedFact[]): string {
  const report = record({
    apiVersion: REPORT_VERSION,
    kind: "PolicyFacts",
    facts: facts.map(
      ({ policy, validation, expression, neverDenies, alwaysDenies, mayFailAtRuntime, impliedBy }): JsonValue =>
        record({
          policy,
          validation,
          expression,
          neverDenies: factJson(neverDenies),
          alwaysDenies: factJson(alwaysDenies),
          mayFailAtRuntime: factJson(mayFailAtRuntime),
          neverFailsAtRuntime: factJson(oppositeOf(mayFailAtRuntime)),
          impliedBy: factJson(impliedBy),
        }),
    ),
    ...propertiesJson(asked),
  });
  return `${exactJson(report)}\n`;
}

function propertiesJson(asked: readonly NamedFact[]): Record<string, JsonValue | undefined> {
  const equivalent = asked.find(({ name }) => name === "equivalent");
  const properties = asked.filter((each) => each !== equivalent);
  return {
    properties:
      properties.length === 0
        ? undefined
        : properties.map(({ name, fact }) => record({ expression: name, holds: factJson(fact) })),
    equivalent: equivalent && factJson(equivalent.fact),
  };
}

function asText(facts: readonly ValidationFacts[], asked: readonly NamedFact[]): string {
  const more = asked.flatMap(({ name, fact }) =>
    name === "equivalent" ? factLines("equivalent", fact, "") : [name, ...factLines("holds", fact)],
  );
  return `${factsText(facts)}${more.map((line) => `${line}\n`).join("")}`;
}
