/** Requests under policies: `portcullis policy eval --explain`. */

import { policyProblems } from "@portcullis/checker/internal/check/admission";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type EvaluatedRequest, evaluateRequest } from "@portcullis/checker/internal/policy/evaluate-request";
import { explainMutation, explainVerdict } from "@portcullis/checker/internal/policy/explain";
import { Fields } from "@portcullis/checker/internal/policy/fields";
import { kubectlLines } from "@portcullis/checker/internal/policy/kubectl";
import { type PolicyCluster, policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { refusedPolicies } from "@portcullis/checker/internal/policy/policy-objects";
import type { RequestParts } from "@portcullis/checker/internal/policy/request";
import { readRequestFields } from "@portcullis/checker/internal/policy/request-fields";
import { findingInFile } from "@portcullis/checker/internal/report/build";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { newObject } from "@portcullis/engine/internal/value/json";
import type { State } from "../state.ts";
import { engineFor, readSource } from "./definitions.ts";
import { kubectlCommand } from "./kubectl.ts";
import { inputProblems } from "./objects.ts";
import type { PolicyPanel, Problem, TraceLine, Transcript, Verdict } from "./outcome.ts";
import { type Source, toProblem } from "./places.ts";
import { count, type Report } from "./report.ts";

/** Policies and what they may read. */
export interface PolicyInputs {
  readonly policy: Source;
  readonly cluster: Source;
  readonly policies: PolicyCluster;
  readonly problems: readonly Problem[];
  /** Why the API server would not accept them at all. */
  readonly refused: string | undefined;
}

export function policyKey({ version, texts }: State): string {
  return [version, texts.policy ?? "", texts.cluster ?? ""].join("\0");
}

export async function readPolicyInputs(state: State): Promise<PolicyInputs> {
  const [policy, cluster] = [readSource("policy", state), readSource("cluster", state)];
  const objects = [...policy.documents, ...cluster.documents].map(({ object }) => object);
  const engine = engineFor(state);
  const policies = policyCluster(objects, engine);
  const problems: Problem[] = [];
  for (const source of [policy, cluster]) {
    const found = await policyProblems(source.documents, policies, engine);
    problems.push(...found.map((each) => toProblem(each, source)));
  }
  const [refused] = await refusedPolicies(objects, policies.cluster);
  return { policy, cluster, policies, problems, refused };
}

interface Answer extends EvaluatedRequest {
  readonly file: string | undefined;
}

export async function reviewPolicies(
  state: State,
  { policy, cluster, policies, problems, refused }: PolicyInputs,
): Promise<Report> {
  const [object, old, request] = [
    readSource("object", state),
    readSource("old", state),
    readSource("request", { ...state, texts: { request: requestText(state) } }),
  ];
  const sources = [policy, cluster, object, old, request];
  const all = [...inputProblems(sources), ...problems];
  if (refused !== undefined) {
    const transcript = { command: "kubectl apply -f policy.yaml", output: refused, isRefusal: true };
    return {
      verdict: {
        tone: "refused",
        headline: "Refused",
        summary: "the API server refuses the policy",
        transcripts: [transcript],
      },
      problems: all,
      sources,
    };
  }
  if (!hasPolicies(policies) || all.some(isFatal)) {
    return { verdict: nothingToEvaluate(all), problems: all, sources };
  }
  try {
    const parts = readParts(request);
    const answers = await evaluateAll(parts, object, old, policies);
    return { verdict: verdictOf(answers), problems: all, sources, policy: panelOf(answers, policies) };
  } catch (problem) {
    if (!(problem instanceof UsageError)) throw problem;
    const finding = findingInFile("request.yaml", {
      rule: "input/request",
      severity: "error",
      message: problem.message,
    });
    const verdict: Verdict = {
      tone: "failed",
      headline: "Not readable",
      summary: "the request is not valid",
      transcripts: [],
    };
    return { verdict, problems: [...all, toProblem(finding, request)], sources };
  }
}

/** A text with nothing but comments has no document; it asks for nothing. */
function requestText({ texts }: State): string {
  return texts.request ?? "";
}

function hasPolicies({ policies, mutating }: PolicyCluster): boolean {
  return [policies, mutating].some(({ hooks, unbound }) => hooks.length + unbound.length > 0);
}

function isFatal({ rule }: Problem): boolean {
  return rule.startsWith("input/");
}

function nothingToEvaluate(problems: readonly Problem[]): Verdict {
  const isBroken = problems.some(isFatal);
  const headline = isBroken ? "Not readable" : "Nothing to evaluate yet";
  const summary = isBroken ? "an input is not valid YAML or not an object" : "there is no policy";
  return { tone: isBroken ? "failed" : "empty", headline, summary, transcripts: [] };
}

function readParts({ documents }: Source): RequestParts {
  const fields = new Fields(documents[0]?.object ?? newObject(), "request.yaml");
  fields.pass("apiVersion", "kind");
  const parts = readRequestFields(fields);
  fields.finish();
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** Objects are paired with old ones as on the command line. */
async function evaluateAll(
  parts: RequestParts,
  object: Source,
  old: Source,
  policies: PolicyCluster,
): Promise<Answer[]> {
  const before = new Map(old.documents.map((document) => [pairKey(document), document]));
  const requests = requestsOf(parts, object, before);
  const answers: Answer[] = [];
  for (const { request, file } of requests) answers.push({ ...(await evaluateRequest(request, policies)), file });
  return answers;
}

interface PlacedRequest {
  readonly request: RequestParts;
  readonly file: string | undefined;
}

function requestsOf(
  parts: RequestParts,
  object: Source,
  before: ReadonlyMap<string, ManifestDocument>,
): readonly PlacedRequest[] {
  if (object.documents.length > 0) {
    return object.documents.map((document) => {
      const oldObject = before.get(pairKey(document))?.object;
      return { request: { object: document.object, oldObject, ...parts }, file: document.file };
    });
  }
  if (before.size > 0) {
    return [...before.values()].map(({ object: oldObject, file }) => ({ request: { oldObject, ...parts }, file }));
  }
  if (parts.resource === undefined) throw new UsageError("enter an object, or a resource in the request");
  return [{ request: parts, file: undefined }];
}

function pairKey({ id }: ManifestDocument): string {
  const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
  return [group, id.kind, id.namespace, id.name].join("\0");
}

function verdictOf(answers: readonly Answer[]): Verdict {
  const transcripts = answers.flatMap(transcriptsOf);
  const denials = answers.reduce((sum, { verdict }) => sum + verdict.denials.length, 0);
  if (answers.some(({ verdict }) => !verdict.allowed)) {
    const summary = denials > 0 ? `${count(denials, "validation")} failed` : "";
    return { tone: "refused", headline: "Denied", summary, transcripts };
  }
  const isWarned = answers.some(({ verdict }) => verdict.warnings.length > 0);
  const summary = isWarned ? "with a warning" : "";
  return { tone: isWarned ? "warned" : "accepted", headline: "Allowed", summary, transcripts };
}

/** kubectl says nothing of what policies changed; the command line does. */
function transcriptsOf({ attributes, verdict, mutation, file = "object.yaml" }: Answer): Transcript[] {
  const transcript = {
    command: kubectlCommand(attributes.operation, file, attributes.subresource),
    output: kubectlLines(verdict, attributes, file).join("\n"),
    isRefusal: !verdict.allowed,
  };
  const changes = mutation?.error === undefined ? (mutation?.changes ?? []) : [];
  if (changes.length === 0) return [transcript];
  const output = changes.map((line) => `  ${line}`).join("\n");
  const command = `portcullis policy eval policy.yaml --object ${file}   # what policies changed`;
  return [transcript, { command, output, isRefusal: false }];
}

function panelOf(answers: readonly Answer[], { policies, mutating }: PolicyCluster): PolicyPanel {
  return {
    lines: answers
      .flatMap(({ verdict, mutation }) => [
        ...(mutation === undefined ? [] : explainMutation(mutation, mutating.hooks)),
        ...explainVerdict({ ...verdict, auditAnnotations: new Map() }, policies.hooks),
      ])
      .map(traceLine),
    annotations: answers.flatMap(({ verdict }) =>
      [...verdict.auditAnnotations].map(([key, value]) => ({ key, value })),
    ),
    notes: [
      ...answers.flatMap(({ notes }) => notes),
      ...[...mutating.unbound, ...policies.unbound].map(
        ({ name }) => `the policy \`${name}\` has no binding, so it has no effect`,
      ),
    ],
  };
}

/** The explanation is indented by two for each level; values and costs follow at the end. */
function traceLine(line: string): TraceLine {
  const text = line.trimStart();
  const depth = (line.length - text.length) / 2;
  const match = /^(.*?) = (.*?) {2}\(cost (.*)\)$/s.exec(text);
  const kind = /^(?:fails|stopped|error)/.test(text)
    ? "bad"
    : /^(?:mutating )?policy /.test(text)
      ? "policy"
      : text.startsWith("binding ")
        ? "binding"
        : "step";
  if (match === null) return { depth, kind, text, value: undefined, cost: undefined };
  return { depth, kind, text: match[1] ?? "", value: match[2], cost: match[3] };
}
