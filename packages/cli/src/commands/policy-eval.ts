/** `portcullis policy eval`: what kubectl would print if these policies were in force, and why. */
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import type { UserInfo } from "@portcullis/engine/kubecel/library/authz";
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/policy/dispatch";
import type { ManifestDocument } from "../input/manifest.ts";
import { REPORT_VERSION } from "../output/json.ts";
import { explainVerdict } from "../policy/explain.ts";
import { kubectlLines } from "../policy/kubectl.ts";
import { loadDocuments } from "../policy/load.ts";
import { makeRequest, makeUser, type RequestParts } from "../policy/request.ts";
import { readRequestFile } from "../policy/request-file.ts";
import { requestData, verdictData } from "../policy/verdict-json.ts";
import { buildWorld, refusedPolicies, type World } from "../policy/world.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { type Options, parseOptions } from "./options.ts";

const HELP = `portcullis policy eval PATH… [options]

Puts requests to ValidatingAdmissionPolicies and prints what kubectl would print. The paths hold the
policies and their bindings, and whatever they may ask for: params, namespaces, roles and role
bindings, definitions of custom resources. Objects are defaulted first, as the API server would.

  portcullis policy eval policies/ --object deployment.yaml
  portcullis policy eval policies/ --object new.yaml --old live.yaml --as alice --as-group devs
  portcullis policy eval policies/ --request review.json --explain
  portcullis policy eval policies/ --operation DELETE --object pod.yaml

  PATH                    a file, a folder or - for standard input
  --object PATH           the objects to be judged, one request each; repeatable
  --old PATH              the objects as they are now: those that are there too are updates; repeatable
  --request FILE          one request: an AdmissionReview, or YAML with object, oldObject, operation,
                          resource, subresource, objectName, namespace, user, groups, options, dryRun
  --operation OP          CREATE, UPDATE, DELETE or CONNECT; follows from the objects where not given
  --resource RESOURCE     such as pods, deployments.apps or apps/v1/deployments
  --subresource NAME      such as status, scale or exec
  --name NAME             the object's name where there is no object
  --namespace, -n NAME    the request's namespace (default: the object's, or default)
  --as USER               who asks (default \`user\`, in no group but system:authenticated)
  --as-group GROUP        a group of the user; repeatable
  --as-uid UID            the user's uid
  --dry-run               the request is a dry run
  --raw                   take the objects as they are, without defaults
  --all                   print every refusal, not only the first
  --explain               also print what matched and why, each expression with its value and cost
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  -o, --output FORMAT     text (default) or json

Exit codes: 0 allowed, 1 denied, 2 usage or unreadable input, 3 internal error.
Nothing is sent anywhere.
`;

export const policyEval: Command = {
  name: "eval",
  summary: "what kubectl would print under these policies, and why",
  help: HELP,
  run: runEval,
};

const OPTIONS = {
  object: { type: "string", multiple: true },
  old: { type: "string", multiple: true },
  request: { type: "string" },
  operation: { type: "string" },
  resource: { type: "string" },
  subresource: { type: "string" },
  name: { type: "string" },
  namespace: { type: "string", short: "n" },
  as: { type: "string" },
  "as-group": { type: "string", multiple: true },
  "as-uid": { type: "string" },
  "dry-run": { type: "boolean" },
  raw: { type: "boolean" },
  all: { type: "boolean" },
  explain: { type: "boolean" },
  "kube-version": { type: "string" },
  output: { type: "string", short: "o" },
} as const;

/** One request and its answer. */
interface Answer {
  readonly attributes: AdmissionAttributes;
  readonly verdict: PolicyVerdict;
  readonly file: string | undefined;
}

function runEval(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) {
    throw new UsageError("policy eval needs at least one path with policies; `-` is standard input");
  }
  const format = readTextOrJson(options.text("output") ?? "text");
  const engine = engineOptions(options.text("kube-version"), undefined);
  const given = loadDocuments(options.positionals, io.stdin).map(({ object }) => object);
  const [refused] = refusedPolicies(given);
  if (refused !== undefined) throw new UsageError(refused);
  const world = buildWorld(given, engine);
  if (world.policies.hooks.length + world.policies.unbound.length === 0) {
    throw new UsageError("no ValidatingAdmissionPolicy found");
  }
  const requests = readRequests(options, io);
  const answers = requests.map(({ parts, file }) => answer(parts, file, world, io));
  if (format === "json") io.stdout(`${asJson(answers, options.flag("explain"))}\n`);
  else for (const each of answers) io.stdout(asText(each, world, options));
  return answers.every(({ verdict }) => verdict.allowed) ? EXIT.ok : EXIT.findings;
}

export function readTextOrJson(text: string): "text" | "json" {
  if (text === "text" || text === "json") return text;
  throw new UsageError(`unknown output \`${text}\`; one of text, json`);
}

interface Asked {
  readonly parts: RequestParts;
  readonly file: string | undefined;
}

function readRequests(options: Options, io: CommandIo): Asked[] {
  const flags = requestFlags(options);
  const file = options.text("request");
  if (file !== undefined) {
    if (options.texts("object").length > 0) throw new UsageError("give either --request or --object");
    return [{ parts: { ...readRequestFile(file, io.stdin), ...flags }, file: undefined }];
  }
  const objects = loadDocuments(options.texts("object"), io.stdin);
  const old = new Map(loadDocuments(options.texts("old"), io.stdin).map((document) => [pairKey(document), document]));
  if (objects.length > 0) {
    return objects.map((document) => {
      const parts = { object: document.object, oldObject: old.get(pairKey(document))?.object, ...flags };
      return { parts, file: document.file };
    });
  }
  if (old.size > 0)
    return [...old.values()].map(({ object, file: from }) => ({ parts: { oldObject: object, ...flags }, file: from }));
  if (flags.resource === undefined) throw new UsageError("nothing to judge; give --object, --request or --resource");
  return [{ parts: flags, file: undefined }];
}

/** Only what was given, so that it adds to a request file. */
function requestFlags(options: Options): RequestParts {
  const texts = Object.fromEntries(
    (["operation", "resource", "subresource", "name", "namespace"] as const).flatMap((name) => {
      const text = options.text(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const user = readUser(options);
  return {
    ...texts,
    ...(user === undefined ? {} : { user }),
    ...(options.flag("dry-run") ? { dryRun: true } : {}),
    ...(options.flag("raw") ? { isSettled: true } : {}),
  };
}

function readUser(options: Options): UserInfo | undefined {
  const name = options.text("as");
  const groups = options.texts("as-group");
  if (name === undefined && groups.length === 0) return undefined;
  return makeUser(name ?? "user", groups, { uid: options.text("as-uid") ?? "" });
}

/** Objects are paired by kind, namespace and name. */
function pairKey({ id }: ManifestDocument): string {
  const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
  return [group, id.kind, id.namespace, id.name].join("\0");
}

function answer(parts: RequestParts, file: string | undefined, world: World, io: CommandIo): Answer {
  const { attributes, notes } = makeRequest(parts, world.kinds);
  for (const note of notes()) io.stderr(`portcullis: ${note}\n`);
  return { attributes, verdict: evaluatePolicies(world.policies, attributes, world.context), file };
}

function asJson(answers: readonly Answer[], explain: boolean): string {
  const results = answers.map(({ attributes, verdict, file }) => ({
    file,
    request: requestData(attributes),
    ...verdictData(verdict, { explain }),
  }));
  const allowed = answers.every(({ verdict }) => verdict.allowed);
  return JSON.stringify({ apiVersion: REPORT_VERSION, kind: "PolicyEvaluation", allowed, results }, undefined, 2);
}

function asText({ attributes, verdict, file }: Answer, { policies }: World, options: Options): string {
  const more = options.flag("all")
    ? verdict.denials
        .slice(1)
        .map(
          ({ policy, binding, message }) =>
            `also refused by ${policy}${binding === undefined ? "" : ` with binding ${binding}`}: ${message}`,
        )
    : [];
  const why = options.flag("explain") ? explainVerdict(verdict, policies.hooks).map((line) => `  ${line}`) : [];
  return `${[...kubectlLines(verdict, attributes, file), ...more, ...why].join("\n")}\n`;
}
