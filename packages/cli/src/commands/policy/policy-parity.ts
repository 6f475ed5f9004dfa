/** `portcullis policy parity`: a request on which two sets of policies, or policies and a running webhook, disagree. */
import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { convertLanguages } from "@portcullis/checker/internal/policy/languages/conversion";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { exactJson } from "@portcullis/checker/internal/prove/exact-json";
import { proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import {
  denialLine,
  record,
  requestLine,
  reviewOf,
  verdictJson,
  witnessLines,
} from "@portcullis/checker/internal/prove/proof-report";
import { probes } from "@portcullis/checker/internal/suites/mutate/parity";
import { newContext } from "@portcullis/checker/internal/suites/suite-run";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { type ComparedSide, comparePolicies } from "@portcullis/engine/internal/prove/compare-policies";
import type { Verdict } from "@portcullis/engine/internal/prove/difference";
import { verdictOf, type Witness } from "@portcullis/engine/internal/prove/witness";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
import { type Options, parseOptions, readOutputs } from "../../frame/options.ts";
import { proofClock } from "../../frame/proof-clock.ts";
import { writeOutput } from "./policy-output.ts";
import { checkFormats, fetchPolicies, PROOF_OPTIONS, printNotes, readSeconds } from "./policy-proof-options.ts";

const OPTIONS = {
  ...PROOF_OPTIONS,
  webhook: { type: "string", value: "URL", group: "input", text: "compare with the validating webhook at URL" },
  "webhook-ca": { type: "string", value: "FILE", group: "input", text: "the CA of the webhook, as PEM" },
} as const;

const MANUAL: Manual = {
  usage: ["policy parity A B [options]", "policy parity A --webhook URL [options]"],
  examples: [
    { does: "does the conversion decide as the original?", run: "portcullis policy parity kyverno/ policies/" },
    {
      does: "does a webhook decide as the policies?",
      run: "portcullis policy parity policies/ --webhook https://127.0.0.1:9443/validate --webhook-ca ca.crt",
    },
  ],
  about: [
    "Searches for a request that one side denies and the other allows. Policies of Kyverno and Gatekeeper are converted as by `policy convert`. For two sets of policies the answer may be a proof, as by `policy diff`.",
    "A webhook is asked about requests at the borders of the policies: for each validation one that it refuses and one that it accepts, and for each small change of an expression one that shows the change. No disagreement is then not a proof.",
  ],
  args: [
    [
      "A, B",
      "a file, a folder, an archive, git:REF:PATH, a URL, kube: for the policies of a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "no disagreement"],
    ["1", "a disagreement, or not proved"],
    ["2", "usage or unreadable input"],
    ["3", "internal error"],
  ],
};

export const policyParity: Command = {
  name: "parity",
  summary: "a request on which two sets of policies, or policies and a webhook, disagree",
  manual: MANUAL,
  run: runParity,
};

async function runParity(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const webhook = options.text("webhook");
  const wanted = webhook === undefined ? 2 : 1;
  if (options.positionals.length !== wanted)
    throw new UsageError("policy parity needs two paths, or one path and --webhook");
  const outputs = readOutputs(options.texts("output"));
  checkFormats(outputs, "policy parity");
  await fetchPolicies(options, io);
  const result = webhook === undefined ? await betweenPolicies(options, io) : await withWebhook(webhook, options, io);
  for (const output of outputs) {
    writeOutput(output, output.format === "json" ? `${exactJson(result.data)}\n` : `${result.lines.join("\n")}\n`, io);
  }
  return result.isAlike ? EXIT.ok : EXIT.findings;
}

interface Result {
  readonly isAlike: boolean;
  readonly lines: readonly string[];
  readonly data: JsonObject;
}

function read(paths: readonly string[], io: CommandIo): readonly JsonObject[] {
  const { objects, losses } = convertLanguages(loadDocuments(paths, io.stdin).map(({ object }) => object));
  printNotes(
    losses.map(({ object, path, message }) => `${object}: ${path}: ${message}`),
    io,
  );
  return objects;
}

async function betweenPolicies(options: Options, io: CommandIo): Promise<Result> {
  const given = options.positionals.map((each) => read([each], io));
  const engine = engineOptions(options.text("kube-version"), undefined);
  const now = proofClock();
  const settings = { engine, seconds: readSeconds(options), now, bindsAll: true };
  const inputs = await proofInputs(given, read(options.texts("with"), io), settings);
  const [first, second] = inputs.sides;
  if (first === undefined || second === undefined) throw new Error("there are two sides");
  printNotes(inputs.notes, io);
  const { newlyDenied, newlyAllowed } = comparePolicies(first, second, inputs.options);
  return {
    isAlike: newlyDenied.verdict === "none" && newlyAllowed.verdict === "none",
    lines: [...lines("only B denies", newlyDenied, second), ...lines("only A denies", newlyAllowed, first)],
    data: record({
      apiVersion: REPORT_VERSION,
      kind: "PolicyParity",
      onlySecondDenies: verdictJson(newlyDenied),
      onlyFirstDenies: verdictJson(newlyAllowed),
    }),
  };
}

function lines(title: string, verdict: Verdict<Witness>, denying: ComparedSide): string[] {
  if (verdict.verdict === "unknown") return [`${title}: unknown`, `  ${verdict.why}`];
  if (verdict.verdict === "none") return [`${title}: none (proved)`];
  const { witness } = verdict;
  return [
    `${title}: some`,
    `  ${requestLine(witness.attributes)}`,
    `  ${denialLine(verdictOf(denying.policies, denying.context, witness))}`,
    ...witnessLines(witness).map((line) => `    ${line}`),
  ];
}

async function withWebhook(url: string, options: Options, io: CommandIo): Promise<Result> {
  const objects = [...read(options.positionals, io), ...read(options.texts("with"), io)];
  const engine = engineOptions(options.text("kube-version"), undefined);
  const settings = { context: newContext(engine), seconds: readSeconds(options), now: proofClock() };
  const ask = webhookClient(url, options.text("webhook-ca"));
  let asked = 0;
  for await (const { attributes, allowed, about } of probes(objects, settings)) {
    asked += 1;
    const answer = await ask(reviewOf(attributes));
    if (answer.allowed === allowed) continue;
    const [denies, allows] = allowed ? ["webhook", "policies"] : ["policies", "webhook"];
    const witness = { attributes, namespace: undefined, params: [] };
    return {
      isAlike: false,
      lines: [
        `disagreement: the ${denies} ${denies === "policies" ? "deny" : "denies"}, the ${allows} ${allows === "policies" ? "allow" : "allows"}`,
        `  ${requestLine(attributes)} (${about})`,
        ...(answer.message === "" ? [] : [`  webhook: ${answer.message}`]),
        ...witnessLines(witness).map((line) => `    ${line}`),
      ],
      data: record({
        apiVersion: REPORT_VERSION,
        kind: "PolicyParity",
        asked,
        disagreement: record({ allowedByPolicies: allowed, review: reviewOf(attributes), about }),
      }),
    };
  }
  const text = `no disagreement in ${asked} requests`;
  return { isAlike: true, lines: [text], data: record({ apiVersion: REPORT_VERSION, kind: "PolicyParity", asked }) };
}

interface Answer {
  readonly allowed: boolean;
  readonly message: string;
}

const TIMEOUT_MS = 10_000;
const LARGEST_ANSWER = 4 * 1024 * 1024;

function webhookClient(url: string, caFile: string | undefined): (review: JsonObject) => Promise<Answer> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`--webhook must be a URL, not \`${url}\``);
  const ca = caFile === undefined ? undefined : readFileSync(caFile, "utf8");
  return async (review) => {
    const answer = decodeJson(await post(url, exactJson(review), ca));
    if (answer.error !== undefined || !isObject(answer.value))
      throw new UsageError(`the webhook's answer is not an AdmissionReview: ${answer.error ?? "not an object"}`);
    const response = objectOf(answer.value["response"]);
    if (typeof response["allowed"] !== "boolean") throw new UsageError("the webhook's answer has no response.allowed");
    return { allowed: response["allowed"], message: textOf(objectOf(response["status"])["message"]) };
  };
}

function post(url: string, body: string, ca: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (problem: string): void => reject(new UsageError(`the webhook cannot be asked: ${problem}`));
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    // A search takes longer than servers keep idle connections.
    const options = {
      method: "POST",
      headers,
      timeout: TIMEOUT_MS,
      agent: false,
      ...(ca !== undefined && { ca }),
    } as const;
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const request = send(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > LARGEST_ANSWER) request.destroy(new Error("the answer is too large"));
      });
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : fail(`status ${response.statusCode}`)));
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", (problem) => fail(problem.message));
    request.end(body);
  });
}
