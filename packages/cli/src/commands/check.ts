/** `portcullis check`: what the API server would say to these objects, created or updated. */
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { buildAdmission } from "../check/admission.ts";
import { buildCatalog } from "../check/catalog.ts";
import { Checker, type FieldValidationMode } from "../check/checker.ts";
import { readInputs } from "../input/documents.ts";
import { buildReport } from "../report/build.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { parseOptions, readOutputs } from "./options.ts";
import { showReport } from "./show.ts";

const HELP = `portcullis check PATH… [options]

Checks custom resources against the definitions among the inputs, as kube-apiserver would on create,
objects of built-in kinds, and the definitions themselves. With --policies, ValidatingAdmissionPolicies
have their say in the same pass. With --old, objects that exist there too are checked as updates:
values that the update does not touch are forgiven, and the report says which and why.

  portcullis check deploy/ crds/
  portcullis check deploy/ crds/ --old live/
  portcullis check deploy/ --policies policies/
  kubectl get widgets -o yaml | portcullis check - crds/

  PATH                    a file, a folder (all .yaml, .yml and .json below it) or - for standard input
  --old PATH              the objects as they are now; repeatable
  --policies PATH         policies and bindings, with params, namespaces and roles they ask for; repeatable
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  --field-validation HOW  unknown and duplicate fields: strict (default), warn or ignore
  --feature-gates A=B,…   CRDValidationRatcheting and CRDPropertyNameSchemas, both true by default
  --allow-empty           no objects at all is not an error
  -o, --output FORMAT     text (default), json, junit, sarif or github; FORMAT=FILE writes a file; repeatable

Exit codes: 0 nothing found, 1 findings, 2 usage or unreadable input, 3 internal error.
Nothing is sent anywhere.
`;

export const check: Command = {
  name: "check",
  summary: "check objects against the definitions among the inputs",
  help: HELP,
  run: runCheck,
};

const OPTIONS = {
  old: { type: "string", multiple: true },
  policies: { type: "string", multiple: true },
  "kube-version": { type: "string" },
  "field-validation": { type: "string" },
  "feature-gates": { type: "string" },
  "allow-empty": { type: "boolean" },
  output: { type: "string", short: "o", multiple: true },
} as const;

function runCheck(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("check needs at least one path; `-` is standard input");
  const outputs = readOutputs(options.texts("output"));
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  const fieldValidation = readFieldValidation(options.text("field-validation") ?? "strict");
  const inputs = readInputs(options.positionals, io.stdin);
  const old = readInputs(options.texts("old"), io.stdin);
  if (inputs.documents.length === 0 && inputs.problems.length === 0 && !options.flag("allow-empty")) {
    io.stderr("portcullis: no objects found; --allow-empty accepts that\n");
    return EXIT.usage;
  }
  const catalog = buildCatalog(inputs.documents, engine);
  const policies = readInputs(options.texts("policies"), io.stdin);
  const admission =
    options.texts("policies").length === 0 ? undefined : buildAdmission(policies.documents, inputs.documents, engine);
  const checker = new Checker(catalog, engine, fieldValidation, old.documents, admission);
  const findings = inputs.documents.flatMap((document) => checker.check(document));
  return showReport(
    buildReport({
      command: "check",
      findings: [
        ...inputs.problems,
        ...old.problems,
        ...policies.problems,
        ...(admission?.problems ?? []),
        ...findings,
      ],
      files: inputs.files,
      objects: inputs.documents.length,
      withoutSchema: checker.withoutSchema,
    }),
    outputs,
    io,
  );
}

function readFieldValidation(text: string): FieldValidationMode {
  const mode = (["strict", "warn", "ignore"] as const).find((each) => each === text.toLowerCase());
  if (mode === undefined) throw new UsageError(`unknown field validation \`${text}\`; one of strict, warn, ignore`);
  return mode;
}
