/** `portcullis policy eval`: what kubectl would print if these policies were in force, and why. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { convertDrafts } from "@portcullis/checker/internal/policy/drafts";
import { type EvaluatedRequest, evaluateRequest } from "@portcullis/checker/internal/policy/evaluate-request";
import { explainMutation, explainVerdict } from "@portcullis/checker/internal/policy/explain";
import { FailureExplainer } from "@portcullis/checker/internal/policy/failure-parts";
import { type Place, verdictFindings } from "@portcullis/checker/internal/policy/findings";
import { kubectlLines } from "@portcullis/checker/internal/policy/kubectl";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { type PolicyCluster, policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { refusedPolicies } from "@portcullis/checker/internal/policy/policy-objects";
import type { RequestParts } from "@portcullis/checker/internal/policy/request";
import { bindingFor, unboundPolicies } from "@portcullis/checker/internal/policy/unbound";
import { mutationData, requestData, verdictData } from "@portcullis/checker/internal/policy/verdict-json";
import { webhookFindings, webhookLines, webhooksData } from "@portcullis/checker/internal/policy/webhooks";
import { buildReport } from "@portcullis/checker/internal/report/build";
import type { ObjectId, Report } from "@portcullis/checker/internal/report/finding";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import { type Options, type Output, parseOptions, readOutputs } from "../../frame/options.ts";
import { REPORT_OPTIONS } from "../../frame/show.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";
import { readRequests } from "./eval-requests.ts";
import { renderReport, writeOutput } from "./policy-output.ts";
import { BIND_OPTION, OPERATION_OPTION, readBind, USER_OPTIONS } from "./request-options.ts";

const OUTPUT = "findings and output";
const REQUEST = "the request";

const OPTIONS = {
  object: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: REQUEST,
    text: "the objects to evaluate, one request per object",
  },
  old: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: REQUEST,
    text: "the existing objects; a request for an existing object is an update",
  },
  request: {
    type: "string",
    value: "FILE",
    group: REQUEST,
    text: "one request: an AdmissionReview, or YAML with object, oldObject, operation, resource, subresource, objectName, namespace, user, groups, options, dryRun",
  },
  ...SOURCE_OPTIONS,
  ...BIND_OPTION,
  ...OPERATION_OPTION,
  resource: {
    type: "string",
    value: "RESOURCE",
    group: REQUEST,
    text: "such as pods, deployments.apps or apps/v1/deployments",
  },
  subresource: { type: "string", value: "NAME", group: REQUEST, text: "such as status, scale or exec" },
  name: { type: "string", value: "NAME", group: REQUEST, text: "the object's name if there is no object" },
  namespace: {
    type: "string",
    short: "n",
    value: "NAME",
    group: REQUEST,
    text: "the request's namespace (default: the object's, or default)",
  },
  ...USER_OPTIONS,
  "dry-run": { type: "boolean", group: REQUEST, text: "the request is a dry run" },
  raw: { type: "boolean", group: REQUEST, text: "do not default the objects" },
  "kube-version": KUBE_VERSION,
  all: { type: "boolean", group: OUTPUT, text: "print all denials, not only the first" },
  explain: {
    type: "boolean",
    group: OUTPUT,
    text: "also print what matched and why, and each expression with its value and cost",
  },
  output: REPORT_OPTIONS.output,
} as const;

const MANUAL: Manual = {
  usage: ["policy eval PATH… [options]"],
  examples: [
    { does: "evaluate the creation of an object", run: "portcullis policy eval policies/ --object deployment.yaml" },
    {
      does: "evaluate an update by a user",
      run: "portcullis policy eval policies/ --object new.yaml --old live.yaml --as alice --as-group devs",
    },
    {
      does: "explain an AdmissionReview",
      run: "portcullis policy eval policies/ --request review.json --explain",
    },
    {
      does: "evaluate the policies of the cluster",
      run: "portcullis policy eval kube: --object deployment.yaml",
    },
    { does: "evaluate a deletion", run: "portcullis policy eval policies/ --operation DELETE --object pod.yaml" },
    {
      does: "in CI: write GitHub annotations, and JUnit to a file",
      run: "portcullis policy eval policies/ --object deploy/ -o github -o junit=policies.xml",
    },
  ],
  about: [
    "Evaluates MutatingAdmissionPolicies and then ValidatingAdmissionPolicies for requests. Prints what kubectl would print, and the changed fields. The paths contain the policies and their bindings, and the objects they use: params, namespaces, roles, role bindings and CRDs. Objects are defaulted first, as in the API server. If there are webhook configurations among them, it prints which webhooks would be called; none is called.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder, an archive, git:REF:PATH, a URL, kube: for the policies of a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "allowed"],
    ["1", "denied"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const policyEval: Command = {
  name: "eval",
  summary: "print what kubectl would print under policies, and why",
  manual: MANUAL,
  run: runEval,
};

/** One request and its response. */
interface Answer extends EvaluatedRequest {
  readonly place: Place | undefined;
}

async function runEval(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) {
    throw new UsageError("policy eval needs at least one path with policies; `-` is standard input");
  }
  const outputs = readOutputs(options.texts("output"));
  const engine = engineOptions(options.text("kube-version"), undefined);
  const objects = [...options.texts("object"), ...options.texts("old")];
  await fetchSources({ policies: options.positionals, crds: objects }, options, io);
  const documents = loadDocuments(options.positionals, io.stdin);
  const bind = readBind(options);
  const loaded = documents.map(({ object }) => object);
  const bound = bind === undefined ? [] : unboundPolicies(documents, loaded).map((each) => bindingFor(each, bind));
  const { objects: given, notes } = convertDrafts([...loaded, ...bound]);
  for (const note of notes) io.stderr(`portcullis: ${note}\n`);
  const cluster = policyCluster(given, engine);
  const [refused] = await refusedPolicies(given, cluster.cluster);
  if (refused !== undefined) throw new UsageError(refused);
  const sets = [cluster.policies, cluster.mutating];
  if (sets.every(({ hooks, unbound }) => hooks.length + unbound.length === 0) && !given.some(isWebhookConfiguration)) {
    throw new UsageError("no ValidatingAdmissionPolicy or MutatingAdmissionPolicy found");
  }
  const answers: Answer[] = [];
  for (const { parts, place } of readRequests(options, io)) answers.push(await answer(parts, place, cluster, io));
  for (const output of outputs) writeOutput(output, render(answers, cluster, options, output), io);
  return answers.every(isAllowed) ? EXIT.ok : EXIT.findings;
}

function render(answers: readonly Answer[], cluster: PolicyCluster, options: Options, { format }: Output): string {
  if (format === "text") return answers.map((each) => asText(each, cluster, options)).join("");
  if (format === "json") return `${asJson(answers, options.flag("explain"))}\n`;
  return renderReport(reportOf(answers, cluster), format);
}

/** Requests without a file come from the command line. */
function reportOf(answers: readonly Answer[], { policies, version }: PolicyCluster): Report {
  const explainer = new FailureExplainer(version);
  const placed = answers.map((each) => ({ ...each, place: each.place ?? "-", policies, explainer }));
  return buildReport({
    command: "policy eval",
    findings: placed.flatMap((each) => [
      ...verdictFindings(each.place, each),
      ...each.webhooks.flatMap((verdict) => webhookFindings(each.place, verdict)),
    ]),
    files: new Set(placed.map(({ place }) => fileOf(place))).size,
    objects: answers.length,
    withoutSchema: 0,
    subjects: placed.map(({ place, attributes }) => ({ file: fileOf(place), object: subjectOf(place, attributes) })),
  });
}

function subjectOf(place: Place, { kind, namespace, name }: AdmissionAttributes): ObjectId {
  if (typeof place !== "string") return place.id;
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  return { apiVersion, kind: kind.kind, namespace, name };
}

function fileOf(place: Place): string {
  return typeof place === "string" ? place : place.file;
}

/** A webhook that cannot be matched refuses the request. */
function isAllowed({ verdict, webhooks }: Answer): boolean {
  return verdict.allowed && !webhooks.some(({ explanations }) => explanations.some((each) => each.outcome === "error"));
}

function isWebhookConfiguration({ kind }: JsonObject): boolean {
  return kind === "MutatingWebhookConfiguration" || kind === "ValidatingWebhookConfiguration";
}

async function answer(
  parts: RequestParts,
  place: Place | undefined,
  cluster: PolicyCluster,
  io: CommandIo,
): Promise<Answer> {
  const answered = await evaluateRequest(parts, cluster);
  for (const note of answered.notes) io.stderr(`portcullis: ${note}\n`);
  return { ...answered, place };
}

/** The position of the object itself. */
function documentFile(place: Place | undefined): string | undefined {
  return typeof place === "string" ? undefined : place?.file;
}

function asJson(answers: readonly Answer[], explain: boolean): string {
  const results = answers.map(({ attributes, verdict, mutation, webhooks, place }) => ({
    file: documentFile(place),
    request: requestData(attributes),
    ...verdictData(verdict, { explain }),
    ...(mutation && { mutation: mutationData(mutation, { explain }) }),
    ...(webhooks.length > 0 && { webhooks: webhooksData(webhooks, explain) }),
  }));
  const allowed = answers.every(isAllowed);
  return JSON.stringify({ apiVersion: REPORT_VERSION, kind: "PolicyEvaluation", allowed, results }, undefined, 2);
}

function asText(each: Answer, cluster: PolicyCluster, options: Options): string {
  const { attributes, verdict, mutation, webhooks, place } = each;
  const more = options.flag("all")
    ? verdict.denials
        .slice(1)
        .map(
          ({ policy, binding, message }) =>
            `also denied by ${policy}${binding === undefined ? "" : ` with binding ${binding}`}: ${message}`,
        )
    : [];
  const changes = mutation?.error === undefined ? (mutation?.changes ?? []) : [];
  const why = options.flag("explain")
    ? [
        ...(mutation === undefined ? [] : explainMutation(mutation, cluster.mutating.hooks)),
        ...explainVerdict(verdict, cluster.policies.hooks, new FailureExplainer(cluster.version)),
      ]
    : [];
  const head = [...kubectlLines(verdict, attributes, documentFile(place)), ...more];
  const details = [...changes, ...why, ...webhookLines(webhooks, options.flag("explain"))];
  return `${[...head, ...details.map((line) => `  ${line}`)].join("\n")}\n`;
}
