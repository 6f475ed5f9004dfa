/** Policies compared and proved: `portcullis policy diff` and `policy prove`, with requests that can be tried. */

import { policyProblems } from "@portcullis/checker/internal/check/admission";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { type ProofInputs, proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import {
  needsOf,
  record,
  reliesText,
  requestLine,
  userJson,
  withoutServerFields,
} from "@portcullis/checker/internal/prove/proof-report";
import { comparisonText } from "@portcullis/checker/internal/prove/proof-text";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import { type Comparison, decideDirection } from "@portcullis/engine/internal/prove/compare-policies";
import type { Verdict as Proved } from "@portcullis/engine/internal/prove/difference";
import { type Fact, type ValidationFacts, validationFacts } from "@portcullis/engine/internal/prove/facts";
import type { Witness as Found } from "@portcullis/engine/internal/prove/witness";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import type { State } from "../state.ts";
import { engineFor, readSource } from "./definitions.ts";
import { inputProblems } from "./objects.ts";
import type { Problem, ProofPanel, ProofRow, Verdict, Witness } from "./outcome.ts";
import { type Source, toProblem } from "./places.ts";
import type { Report } from "./report.ts";

/** Seconds for each question. */
const BUDGET = 2;

/** Both sides, ready to be compared. */
export interface ProofSources {
  readonly sources: readonly Source[];
  readonly problems: readonly Problem[];
  readonly inputs: ProofInputs;
  readonly hasOld: boolean;
}

/** A report if there is nothing to prove. */
export async function readProof(state: State): Promise<ProofSources | Report> {
  const [old, next, cluster] = [
    readSource("oldPolicy", state),
    readSource("policy", state),
    readSource("cluster", state),
  ];
  const sources = [old, next, cluster];
  const engine = engineFor(state);
  const problems = [...inputProblems(sources)];
  if (problems.length > 0) return { verdict: stopped("failed", "Not readable", ""), problems, sources };
  const objectsOf = ({ documents }: Source): JsonObject[] => documents.map(({ object }) => object);
  for (const source of [old, next]) {
    const policies = policyCluster([...objectsOf(source), ...objectsOf(cluster)], engine);
    const found = await policyProblems(source.documents, policies, engine);
    problems.push(...found.map((each) => toProblem(each, source)));
  }
  const hasOld = old.documents.length > 0;
  const sides = hasOld ? [objectsOf(old), objectsOf(next)] : [objectsOf(next)];
  try {
    const now = (): number => performance.now();
    const inputs = await proofInputs(sides, objectsOf(cluster), { engine, seconds: BUDGET, bindsAll: !hasOld, now });
    const isEmpty = inputs.sides.every(({ policies: { hooks, unbound } }) => hooks.length + unbound.length === 0);
    const summary = "enter the policies before and after a change";
    if (isEmpty) return { verdict: stopped("warned", "Nothing to compare yet", summary), problems, sources };
    return { sources, problems, inputs, hasOld };
  } catch (refused) {
    if (!(refused instanceof UsageError)) throw refused;
    const transcript = { command: "kubectl apply -f policy.yaml", output: refused.message, isRefusal: true };
    const verdict = stopped("refused", "Refused", "the API server refuses a policy");
    return { verdict: { ...verdict, transcripts: [transcript] }, problems, sources };
  }
}

function stopped(tone: Verdict["tone"], headline: string, summary: string): Verdict {
  return { tone, headline, summary, transcripts: [] };
}

/** One question after another; what is known so far can be shown in between. */
export function* reviewProof(
  state: State,
  { sources, problems, inputs, hasOld }: ProofSources,
): Generator<() => Report, Report> {
  const { sides, options } = inputs;
  const [first, second = first] = sides;
  if (first === undefined || second === undefined) throw new Error("there is a side");
  const report = (comparison: Partial<Comparison>, facts: readonly ValidationFacts[] | undefined): Report => {
    const panel = panelOf(comparison, facts, state);
    const { newlyDenied, newlyAllowed } = comparison;
    if (!hasOld) return { verdict: proved(facts), problems, sources, proof: panel };
    if (newlyDenied === undefined || newlyAllowed === undefined)
      return { verdict: stopped("warned", "Comparing", ""), problems, sources, proof: panel };
    const output = comparisonText({ newlyDenied, newlyAllowed }, first, second).trimEnd();
    return { verdict: compared({ newlyDenied, newlyAllowed }, output), problems, sources, proof: panel };
  };
  let comparison: Partial<Comparison> = {};
  if (hasOld) {
    comparison = { newlyDenied: decideDirection(second, first, options) };
    yield () => report(comparison, undefined);
    comparison = { ...comparison, newlyAllowed: decideDirection(first, second, options) };
    yield () => report(comparison, undefined);
  }
  return report(comparison, validationFacts(second, options));
}

function compared({ newlyDenied, newlyAllowed }: Comparison, output: string): Verdict {
  const verdicts = [newlyDenied.verdict, newlyAllowed.verdict];
  const command = "portcullis policy diff old-policy.yaml policy.yaml --with cluster.yaml";
  const isAlike = verdicts.every((each) => each === "none");
  const transcripts = [{ command, output, isRefusal: !isAlike }];
  if (isAlike) return { tone: "accepted", headline: "No difference", summary: "proved for all requests", transcripts };
  const isShown = verdicts.includes("some");
  const summary = isShown ? "a request shows it" : "neither a request nor a proof was found";
  return { tone: "refused", headline: isShown ? "Different" : "Not decided", summary, transcripts };
}

function proved(facts: readonly ValidationFacts[] | undefined): Verdict {
  return stopped(
    "warned",
    facts === undefined ? "Proving" : "Nothing to compare",
    "facts about each validation are below",
  );
}

function panelOf(
  { newlyDenied, newlyAllowed }: Partial<Comparison>,
  facts: readonly ValidationFacts[] | undefined,
  state: State,
): ProofPanel {
  const directions = [
    ...(newlyDenied === undefined ? [] : [directionRow("Newly denied", newlyDenied, state)]),
    ...(newlyAllowed === undefined ? [] : [directionRow("Newly allowed", newlyAllowed, state)]),
  ];
  return { directions, facts: (facts ?? []).map((each) => factRows(each, state)) };
}

function directionRow(title: string, verdict: Proved<Found>, state: State): ProofRow {
  if (verdict.verdict === "unknown")
    return { title, answer: "unknown", tone: "open", lines: [verdict.why], witness: undefined };
  if (verdict.verdict === "none") {
    const relies = reliesText(verdict.relies, verdict.upTo);
    return { title, answer: "none, proved", tone: "good", lines: relies === "" ? [] : [relies], witness: undefined };
  }
  const { witness } = verdict;
  return {
    title,
    answer: "some",
    tone: "bad",
    lines: [requestLine(witness.attributes)],
    witness: loadable(witness, state),
  };
}

const ANSWERS = { true: "yes", false: "no", unknown: "unknown" } as const;

function factRows(
  { policy, validation, expression, ...facts }: ValidationFacts,
  state: State,
): ProofPanel["facts"][number] {
  const row = (title: string, fact: Fact): ProofRow => {
    const { verdict, witness, why, relies = [], upTo } = fact;
    const request = witness === undefined ? "" : requestLine(witness.attributes);
    const lines = [request, why ?? "", reliesText(relies, upTo)].filter((line) => line !== "");
    const tone = verdict === "unknown" ? "open" : "good";
    return { title, answer: ANSWERS[verdict], tone, lines, witness: witness && loadable(witness, state) };
  };
  return {
    validation: `${policy}, validation ${validation}: ${expression}`,
    rows: [
      row("never denies", facts.neverDenies),
      row("always denies", facts.alwaysDenies),
      row("may fail at run time", facts.mayFailAtRuntime),
      row("follows from another", facts.impliedBy),
    ],
  };
}

/** The request and the objects that it needs, as texts of the mode that evaluates policies. */
function loadable(witness: Found, { texts }: State): Witness {
  const { attributes } = witness;
  const yamlOf = (object: JsonObject | undefined): string =>
    object === undefined ? "" : formatYaml([withoutServerFields(object)]);
  const needs = (needsOf(witness) ?? []).filter(isObject).map(yamlOf);
  const cluster = [texts.cluster ?? "", ...needs].filter((text) => text.trim() !== "");
  return {
    label: "Evaluate it with the new policies",
    mode: "policy",
    fieldValidation: "strict",
    texts: {
      object: yamlOf(attributes.object),
      old: yamlOf(attributes.oldObject),
      cluster: cluster.join("---\n"),
      request: formatYaml([requestOf(attributes)]),
    },
  };
}

function requestOf({
  operation,
  resource,
  subresource,
  name,
  namespace,
  userInfo,
  dryRun,
}: AdmissionAttributes): JsonObject {
  const { group, version, resource: plural } = resource;
  const text = (value: string): string | undefined => (value === "" ? undefined : value);
  return record({
    operation,
    // "pods" or "deployments.v1.apps"
    resource: group === "" ? plural : `${plural}.${version}.${group}`,
    subresource: text(subresource),
    objectName: text(name),
    namespace: text(namespace),
    user: userJson(userInfo),
    dryRun: dryRun ? true : undefined,
  });
}
