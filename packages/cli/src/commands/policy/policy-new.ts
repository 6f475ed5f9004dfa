/** `portcullis policy new`: a policy, its binding and a suite that passes, to start from. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type ResourceInfo, resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { parseOptions, readChoice } from "../../frame/options.ts";

const ACTIONS = ["Deny", "Warn", "Audit"] as const;

const OPTIONS = {
  resource: {
    type: "string",
    value: "PLURAL[.GROUP]",
    text: "what the policy is about, such as pods (default) or deployments.apps",
  },
  action: { type: "string", value: "ACTION", values: ACTIONS, text: "Deny (default), Warn or Audit" },
  folder: { type: "string", short: "d", value: "DIR", text: "where to write the files (default: a folder NAME)" },
} as const;

const MANUAL: Manual = {
  usage: ["policy new NAME [options]"],
  examples: [
    { does: "start a policy for pods", run: "portcullis policy new require-owner" },
    {
      does: "start one for deployments that only warns",
      run: "portcullis policy new require-owner --resource deployments.apps --action Warn",
    },
  ],
  about: [
    "Writes policy.yaml, binding.yaml and suite.yaml: a ValidatingAdmissionPolicy that requires a label, a binding for all namespaces, and a suite with an accepted and a refused object. Change the expression and the cases, and run `portcullis test DIR`.",
    "Files that exist are not overwritten.",
  ],
  args: [["NAME", "the name of the policy"]],
  options: OPTIONS,
  exits: [
    ["0", "the files were written"],
    ["2", "usage error, or a file exists"],
    ["3", "internal error"],
  ],
};

export const policyNew: Command = {
  name: "new",
  summary: "write a policy, its binding and a suite to start from",
  manual: MANUAL,
  run: runNew,
};

/** A DNS-1123 subdomain, as the API server requires. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_NAME = 253;

function runNew(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  const [name = "", ...rest] = options.positionals;
  if (name === "") throw new UsageError("policy new needs the name of the policy");
  if (rest.length > 0) throw new UsageError(`policy new takes one name; \`${rest[0]}\` is too much`);
  if (!NAME.test(name) || name.length > MAX_NAME)
    throw new UsageError(`\`${name}\` is not a name: use lowercase letters, digits, \`-\` and \`.\``);
  const resource = findResource(options.text("resource") ?? "pods");
  const action = readChoice("action", options.text("action") ?? "Deny", ACTIONS);
  const folder = options.text("folder") ?? name;
  const files = {
    "policy.yaml": policyText(name, resource),
    "binding.yaml": bindingText(name, action),
    "suite.yaml": suiteText(resource, action),
  };
  const existing = Object.keys(files).filter((file) => existsSync(path.join(folder, file)));
  if (existing.length > 0) throw new UsageError(`\`${path.join(folder, existing[0] ?? "")}\` exists`);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, file), text, { flag: "wx" });
    io.stdout(`${path.join(folder, file)}\n`);
  }
  return EXIT.ok;
}

function findResource(text: string): ResourceInfo {
  const [plural = "", ...group] = text.split(".");
  const known = resourceInfos();
  const found = known.find((each) => each.plural === plural && each.group === group.join("."));
  if (found !== undefined) return found;
  const names = known.map((each) => (each.group === "" ? each.plural : `${each.plural}.${each.group}`));
  throw new UsageError(`unknown resource \`${text}\`${didYouMean(text, names)}`);
}

function policyText(name: string, { group, version, plural }: ResourceInfo): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - apiGroups: ["${group}"]
      apiVersions: [${version}]
      operations: [CREATE, UPDATE]
      resources: [${plural}]
  validations:
  - expression: has(object.metadata.labels) && 'owner' in object.metadata.labels
    message: the label \`owner\` is required
`;
}

function bindingText(name: string, action: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${name}
  validationActions: [${action}]
`;
}

function suiteText({ group, version, kind, namespaced }: ResourceInfo, action: (typeof ACTIONS)[number]): string {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const namespace = namespaced ? ", namespace: default" : "";
  const object = (more: string): string =>
    `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: example${namespace}${more}}}`;
  return `apiVersion: test.portcullis.dev/v1
kind: TestSuite
policies: [policy.yaml, binding.yaml]
tests:
- name: an object with an owner
  object: ${object(", labels: {owner: me}")}
  expect: allow
- name: an object without an owner
  object: ${object("")}
${REFUSED[action]}`;
}

/** An audited request is allowed. */
const REFUSED: Readonly<Record<(typeof ACTIONS)[number], string>> = {
  Deny: "  expect: deny\n  message: {contains: the label `owner` is required}\n",
  Warn: "  expect: warn\n",
  Audit: "  expect: allow\n",
};
