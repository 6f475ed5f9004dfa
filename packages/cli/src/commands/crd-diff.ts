/** `portcullis crd diff OLD NEW`: what an upgrade of definitions breaks, with proof. */
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { suggestRollout } from "@portcullis/engine/upgrade/rollout";
import { compareSets } from "../upgrade/compare-sets.ts";
import { POLICY_OPTIONS, readPolicy } from "../upgrade/configuration.ts";
import { showUpgrade } from "../upgrade/show.ts";
import { readDefinitions, type SourceSet } from "../upgrade/sources.ts";
import { type Command, type CommandIo, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { type Options, parseOptions, readFormat } from "./options.ts";

const HELP = `portcullis crd diff OLD NEW [options]

Tells what an upgrade of CustomResourceDefinitions breaks. A change is safe where that is proved, unsafe
where an object was found that the old definition accepts and the new one refuses (it is shown, with the
API server's words and with the writes such an object still takes), and unknown where neither was possible.

  portcullis crd diff old.yaml new.yaml
  portcullis crd diff git:v1.2.0:config/crd config/crd
  kustomize build config | portcullis crd diff git:main:crds -

  OLD, NEW                a file, a folder, - for standard input, or git:REF:PATH
  --profile PROFILE       writers (default): what refuses or loses data; readers: new values too; full
  --unknown LEVEL         error (default), warning, note or off
  --config FILE           an UpgradePolicy, or a configuration of crdify
  --acks FILE             acknowledgements by fingerprint, with owner, reason and expires; repeatable
  --show all              also what was proved to be safe or without effect
  --plan                  suggest a safe rollout
  --budget N              how many objects may be tried for each open question
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  --feature-gates A=B,…   CRDValidationRatcheting and CRDPropertyNameSchemas, both true by default
  -o, --output FORMAT     text (default) or json

\`portcullis explain RULE\` tells why a finding matters.
Exit codes: 0 nothing at level error, 1 findings, 2 usage or unreadable input, 3 internal error.
`;

export const crdDiff: Command = {
  name: "diff",
  summary: "what an upgrade of definitions breaks, with proof",
  help: HELP,
  run: runDiff,
};

export const UPGRADE_OPTIONS = {
  ...POLICY_OPTIONS,
  show: { type: "string" },
  plan: { type: "boolean" },
  budget: { type: "string" },
  "kube-version": { type: "string" },
  "feature-gates": { type: "string" },
  output: { type: "string", short: "o" },
} as const;

function runDiff(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, UPGRADE_OPTIONS);
  const [oldSource, newSource, third] = options.positionals;
  if (oldSource === undefined || newSource === undefined || third !== undefined) {
    throw new UsageError("crd diff needs two sources: the old definitions and the new ones");
  }
  if (oldSource === "-" && newSource === "-") throw new UsageError("only one of the two can be standard input");
  const format = readFormat(options.text("output") ?? "text");
  const settings = readUpgradeSettings(options);
  const policy = readPolicy(options);
  const old = readDefinitions([oldSource], io.stdin);
  const next = readDefinitions([newSource], io.stdin);
  const compared = compareSets(old, next, { ...settings, policy, today: today() });
  return showUpgrade(
    {
      command: "crd diff",
      files: old.files + next.files,
      definitions: next.definitions.size,
      findings: compared.findings,
      answers: compared.answers,
      rollout: options.flag("plan") ? suggestRollout(compared.raw) : [],
      showAll: readShow(options),
      format,
      textOf: textsOf(old, next),
    },
    io,
  );
}

export function readUpgradeSettings(options: Options) {
  const text = options.text("budget");
  if (text !== undefined && !/^[1-9][0-9]*$/.test(text)) throw new UsageError(`\`--budget ${text}\` is not a number`);
  return {
    ...engineOptions(options.text("kube-version"), options.text("feature-gates")),
    budget: text === undefined ? undefined : Number(text),
  };
}

export function readShow(options: Options): boolean {
  const text = options.text("show") ?? "open";
  if (text !== "all" && text !== "open") throw new UsageError(`unknown \`--show ${text}\`; one of open, all`);
  return text === "all";
}

/** The texts that were read, so that nothing is read twice. */
export function textsOf(...sets: readonly SourceSet[]): (file: string) => string | undefined {
  const texts = new Map<string, string>();
  for (const { definitions } of sets) {
    for (const { document } of definitions.values()) texts.set(document.file, document.text);
  }
  return (file) => (file === "-" ? undefined : texts.get(file));
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
