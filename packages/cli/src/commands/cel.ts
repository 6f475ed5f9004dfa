/** `portcullis cel`: an expression's type, cost and value in Kubernetes' environment; a prompt where none is given. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { fromJson, type Value } from "@portcullis/cel";
import { decodeYaml } from "@portcullis/engine/codec/yaml";
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { toPlain } from "@portcullis/engine/value/copy";
import { celEvaluator } from "../cel/evaluate.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { readVersion } from "./kube-versions.ts";
import { parseOptions } from "./options.ts";

const HELP = `portcullis cel [EXPRESSION] [options]

Compiles and evaluates an expression as Kubernetes does: its type, its value, what it cost.
Without an expression it asks for one after another.

  portcullis cel "quantity('1.5Gi').asInteger()"
  portcullis cel "object.spec.replicas <= 5" --var object=deployment.yaml
  portcullis cel "[1, 2].map(i, i * x)" --var x:=3

  --var NAME=FILE         a variable from a YAML or JSON file; repeatable
  --var NAME:=YAML        a variable from the text itself
  --kube-version VERSION  the libraries of this version (default ${SERVER_VERSION})
`;

export const cel: Command = {
  name: "cel",
  summary: "evaluate CEL expressions as Kubernetes does",
  help: HELP,
  run: runCel,
};

const OPTIONS = { var: { type: "string", multiple: true }, "kube-version": { type: "string" } } as const;

async function runCel(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const variables = Object.fromEntries(options.texts("var").map(readVariable));
  const version = readVersion(options.text("kube-version") ?? SERVER_VERSION);
  const answer = celEvaluator(variables, version);
  const evaluate = (expression: string): boolean => {
    const { text, isValue } = answer(expression);
    io.stdout(`${text}\n`);
    return isValue;
  };
  const [expression] = options.positionals;
  if (expression !== undefined) return evaluate(expression) ? EXIT.ok : EXIT.findings;
  await prompt(evaluate, io);
  return EXIT.ok;
}

async function prompt(evaluate: (expression: string) => boolean, io: CommandIo): Promise<void> {
  io.stdout("CEL as Kubernetes runs it. An expression a line; an empty line or Ctrl-D ends.\n");
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "cel> " });
  lines.prompt();
  for await (const line of lines) {
    if (line.trim() === "") break;
    evaluate(line);
    lines.prompt();
  }
  lines.close();
}

function readVariable(text: string): [string, Value] {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(:?=)([\s\S]*)$/.exec(text);
  if (match === null) throw new UsageError(`\`--var ${text}\` is not NAME=FILE or NAME:=YAML`);
  const [, name = "", operator, rest = ""] = match;
  const decoded = decodeYaml(operator === ":=" ? rest : readFileSync(rest, "utf8"));
  if (decoded.error !== undefined) throw new UsageError(`\`--var ${name}\`: ${decoded.error}`);
  return [name, fromJson(toPlain(decoded.value))];
}
