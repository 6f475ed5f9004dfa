/** `portcullis crd lint`: whether the API server accepts a definition, and what its rules cost. */
import { costReport } from "@portcullis/engine/crd/cost-report";
import { decodeDefinition } from "@portcullis/engine/crd/decode";
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { isDefinition } from "../check/catalog.ts";
import { lintDefinition } from "../check/lint.ts";
import { readInputs } from "../input/documents.ts";
import { type CostFilter, formatCosts } from "../output/cost.ts";
import { buildReport } from "../report/build.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { parseOptions, readOutputs } from "./options.ts";
import { showReport } from "./show.ts";

const HELP = `portcullis crd lint FILE… [options]

Tells what the API server would say to CustomResourceDefinitions: errors and warnings at their place
in the file, and what each validation rule is estimated to cost, with the bound that would help.

  portcullis crd lint crds/
  portcullis crd lint new.yaml --old old.yaml

  FILE                    a file, a folder or - for standard input; other kinds in them are passed over
  --old PATH              the definitions as they are now: checked as an update; repeatable
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  --feature-gates A=B,…   CRDValidationRatcheting and CRDPropertyNameSchemas, both true by default
  --costs all|high|none   which rules the cost report lists: high (default) is over a tenth of a budget
  -o, --output FORMAT     text (default), json, junit, sarif or github; FORMAT=FILE writes a file; repeatable

Exit codes: 0 accepted, 1 refused, 2 usage or unreadable input, 3 internal error.
`;

export const crdLint: Command = {
  name: "lint",
  summary: "what the API server would say to a definition, and what its rules cost",
  help: HELP,
  run: runLint,
};

const OPTIONS = {
  old: { type: "string", multiple: true },
  "kube-version": { type: "string" },
  "feature-gates": { type: "string" },
  costs: { type: "string" },
  output: { type: "string", short: "o", multiple: true },
} as const;

function runLint(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("crd lint needs at least one file; `-` is standard input");
  const outputs = readOutputs(options.texts("output"));
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  const costs = readCosts(options.text("costs") ?? "high");
  const inputs = readInputs(options.positionals, io.stdin);
  const definitions = inputs.documents.filter(isDefinition);
  const old = new Map(
    readInputs(options.texts("old"), io.stdin)
      .documents.filter(isDefinition)
      .map((document) => [document.id.name, document]),
  );
  if (definitions.length === 0 && inputs.problems.length === 0) {
    io.stderr("portcullis: no CustomResourceDefinition found\n");
    return EXIT.usage;
  }
  if (costs !== "none" && outputs.some(({ format, file }) => format === "text" && file === undefined)) {
    for (const { id, object } of definitions)
      io.stdout(formatCosts(id.name, costReport(decodeDefinition(object).value, engine), costs));
  }
  const findings = definitions.flatMap((document) => lintDefinition(document, old.get(document.id.name), engine));
  return showReport(
    buildReport({
      command: "crd lint",
      findings: [...inputs.problems, ...findings],
      files: inputs.files,
      objects: definitions.length,
      withoutSchema: 0,
    }),
    outputs,
    io,
  );
}

function readCosts(text: string): CostFilter {
  const filter = (["all", "high", "none"] as const).find((each) => each === text);
  if (filter === undefined) throw new UsageError(`unknown \`--costs ${text}\`; one of all, high, none`);
  return filter;
}
