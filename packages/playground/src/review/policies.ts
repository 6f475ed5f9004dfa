/** Requests under policies: `portcullis policy eval --explain`. */
import { newObject } from "@portcullis/engine/value/json";
import { reviewPolicy } from "portcullis/check/built-in";
import { UsageError } from "portcullis/commands/command";
import type { ManifestDocument } from "portcullis/input/manifest";
import { type Answered, answerRequest } from "portcullis/policy/answer";
import { explainMutation, explainVerdict } from "portcullis/policy/explain";
import { Fields } from "portcullis/policy/fields";
import { isPolicyObject, refusedPolicies } from "portcullis/policy/judge";
import { kubectlLines } from "portcullis/policy/kubectl";
import type { RequestParts } from "portcullis/policy/request";
import { readRequestFields } from "portcullis/policy/request-fields";
import { typeWarnings } from "portcullis/policy/type-check";
import { buildWorld, type World } from "portcullis/policy/world";
import { findingAt, findingInFile } from "portcullis/report/build";
import type { Finding } from "portcullis/report/finding";
import type { State } from "../state.ts";
import { engineFor, readSource } from "./definitions.ts";
import { kubectlCommand } from "./kubectl.ts";
import { inputProblems } from "./objects.ts";
import type { PolicyPanel, Problem, TraceLine, Transcript, Verdict } from "./outcome.ts";
import { type Source, toProblem } from "./places.ts";
import { count, type Report } from "./report.ts";

/** Policies and the objects they use, ready for evaluation. */
export interface PolicyWorld {
  readonly policy: Source;
  readonly cluster: Source;
  readonly world: World;
  readonly problems: readonly Problem[];
  /** Why the API server would not have them at all. */
  readonly refused: string | undefined;
}

export function worldKey({ version, texts }: State): string {
  return [version, texts.policy ?? "", texts.cluster ?? ""].join("\0");
}

export function readWorld(state: State): PolicyWorld {
  const [policy, cluster] = [readSource("policy", state), readSource("cluster", state)];
  const objects = [...policy.documents, ...cluster.documents].map(({ object }) => object);
  const world = buildWorld(objects, engineFor(state));
  const problems = [policy, cluster].flatMap((source) =>
    source.documents.flatMap((document) => judge(document, world).map((each) => toProblem(each, source))),
  );
  return { policy, cluster, world, problems, refused: refusedPolicies(objects)[0] };
}

function judge(document: ManifestDocument, { kinds }: World): readonly Finding[] {
  if (!isPolicyObject(document.object)) return [];
  const { findings } = reviewPolicy(document);
  if (findings.length > 0 || document.id.kind !== "ValidatingAdmissionPolicy") return findings;
  return typeWarnings(document.object, kinds).map(({ fieldRef, warning }) =>
    findingAt(document, { rule: "policy/type", severity: "warning", path: fieldRef, message: warning }),
  );
}

interface Answer extends Omit<Answered, "notes"> {
  readonly file: string | undefined;
  readonly notes: readonly string[];
}

export function reviewPolicies(state: State, { policy, cluster, world, problems, refused }: PolicyWorld): Report {
  const [object, old, request] = [
    readSource("object", state),
    readSource("old", state),
    readSource("request", { ...state, texts: { request: requestText(state) } }),
  ];
  const sources = [policy, cluster, object, old, request];
  const all = [...inputProblems(sources), ...problems];
  if (refused !== undefined) {
    const said = { command: "kubectl apply -f policy.yaml", output: refused, isRefusal: true };
    return {
      verdict: {
        tone: "refused",
        headline: "Refused",
        summary: "the API server refuses the policy",
        transcripts: [said],
      },
      problems: all,
      sources,
    };
  }
  if (!hasPolicies(world) || all.some(isFatal)) {
    return { verdict: nothingToJudge(all), problems: all, sources };
  }
  try {
    const parts = readParts(request);
    const answers = askAll(parts, object, old, world);
    return { verdict: verdictOf(answers), problems: all, sources, policy: panelOf(answers, world) };
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

function hasPolicies({ policies, mutating }: World): boolean {
  return [policies, mutating].some(({ hooks, unbound }) => hooks.length + unbound.length > 0);
}

function isFatal({ rule }: Problem): boolean {
  return rule.startsWith("input/");
}

function nothingToJudge(problems: readonly Problem[]): Verdict {
  const isBroken = problems.some(isFatal);
  const headline = isBroken ? "Not readable" : "Nothing to evaluate yet";
  const summary = isBroken ? "an input is not valid YAML or not an object" : "there is no policy";
  return { tone: isBroken ? "failed" : "warned", headline, summary, transcripts: [] };
}

function readParts({ documents }: Source): RequestParts {
  const fields = new Fields(documents[0]?.object ?? newObject(), "request.yaml");
  fields.pass("apiVersion", "kind");
  const parts = readRequestFields(fields);
  fields.finish();
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** As the command line pairs objects with old ones. */
function askAll(parts: RequestParts, object: Source, old: Source, world: World): Answer[] {
  const before = new Map(old.documents.map((document) => [pairKey(document), document]));
  if (object.documents.length > 0) {
    return object.documents.map((document) => {
      const oldObject = before.get(pairKey(document))?.object;
      return ask({ object: document.object, oldObject, ...parts }, document.file, world);
    });
  }
  if (before.size > 0) {
    return [...before.values()].map((document) => ask({ oldObject: document.object, ...parts }, document.file, world));
  }
  if (parts.resource === undefined) throw new UsageError("enter an object, or a resource in the request");
  return [ask(parts, undefined, world)];
}

function ask(parts: RequestParts, file: string | undefined, world: World): Answer {
  const answered = answerRequest(parts, world);
  return { ...answered, file, notes: answered.notes() };
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
  const said = {
    command: kubectlCommand(attributes.operation, file, attributes.subresource),
    output: kubectlLines(verdict, attributes, file).join("\n"),
    isRefusal: !verdict.allowed,
  };
  const changes = mutation?.error === undefined ? (mutation?.changes ?? []) : [];
  if (changes.length === 0) return [said];
  const output = changes.map((line) => `  ${line}`).join("\n");
  const command = `portcullis policy eval policy.yaml --object ${file}   # what policies changed`;
  return [said, { command, output, isRefusal: false }];
}

function panelOf(answers: readonly Answer[], { policies, mutating }: World): PolicyPanel {
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

/** The explanation is indented by two per level; values and costs are at the end. */
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
