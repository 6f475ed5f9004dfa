/**
 * `portcullis cel`: an expression's type, cost and value in the Kubernetes environment; without an expression, a
 * prompt.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { fromJson, type Value } from "@portcullis/cel";
import { celEnvironment, celEvaluator } from "@portcullis/checker/internal/cel/evaluate";
import { listFunctions } from "@portcullis/checker/internal/cel/functions";
import { type CelPart, celParts } from "@portcullis/checker/internal/cel/parts";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { type KubernetesVersion, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { KUBE_VERSIONS, readVersions } from "../frame/kube-versions.ts";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { parseOptions } from "../frame/options.ts";

const OPTIONS = {
  var: {
    type: "string",
    multiple: true,
    value: "NAME=FILE",
    group: "the API server",
    text: "a variable from a YAML or JSON file; NAME:=YAML sets the value directly",
  },
  vars: {
    type: "string",
    multiple: true,
    value: "FILE",
    group: "the API server",
    text: "variables from a YAML or JSON map of names and values; they replace those of --var",
  },
  "kube-version": KUBE_VERSIONS,
  explain: {
    type: "boolean",
    group: "output",
    text: "also print the value of each subexpression, and which ones had no effect",
  },
  functions: {
    type: "boolean",
    group: "output",
    text: "list the functions and macros with their documentation; EXPRESSION is then the name of one of them",
  },
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["cel [EXPRESSION] [options]"],
  examples: [
    { does: "print value, type and cost", run: `portcullis cel "quantity('1.5Gi').asInteger()"` },
    {
      does: "read a variable from a file",
      run: 'portcullis cel "object.spec.replicas <= 5" --var object=deployment.yaml',
    },
    { does: "set a variable on the command line", run: 'portcullis cel "[1, 2].map(i, i * x)" --var x:=3' },
    { does: "explain the result", run: 'portcullis cel "[1, 2].all(i, i < x)" --var x:=2 --explain' },
    { does: "compare Kubernetes versions", run: `portcullis cel "isSemver('1.0.0')" --kube-version 1.31,1.36` },
    { does: "show the documentation of a function", run: "portcullis cel --functions containsIP" },
  ],
  about: [
    "Compiles and evaluates a CEL expression in the environment that Kubernetes uses for rules and policies. Prints the value, type and cost, or cel-go's error message. Without an expression, it starts an interactive prompt.",
  ],
  args: [["EXPRESSION", "the expression, quoted for the shell"]],
  options: OPTIONS,
  exits: [
    ["0", "the expression has a value"],
    ["1", "the expression does not compile or results in an error"],
    ["2", "usage or unreadable input"],
  ],
};

export const cel: Command = {
  name: "cel",
  summary: "evaluate CEL expressions as Kubernetes does",
  manual: MANUAL,
  run: runCel,
};

async function runCel(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const variables = Object.fromEntries([
    ...options.texts("var").map(readVariable),
    ...options.texts("vars").flatMap(readVariables),
  ]);
  const versions = readVersions(options.text("kube-version") ?? SERVER_VERSION);
  if (options.flag("functions")) return showFunctions(versions[0] ?? SERVER_VERSION, options.positionals[0], io);
  const evaluators = versions.map((version) => ({ version, answer: celEvaluator(variables, version) }));
  const evaluate = (expression: string): boolean => {
    const answers = evaluators.map(({ version, answer }) => ({ version, ...answer(expression) }));
    const [first] = answers;
    const isOne = answers.every(({ text }) => text === first?.text);
    for (const { version, text } of isOne ? answers.slice(0, 1) : answers)
      io.stdout(isOne ? `${text}\n` : `${version}  ${text}\n`);
    const [newest] = versions;
    if (options.flag("explain") && newest !== undefined) {
      for (const part of celParts(expression, celEnvironment(variables, newest), variables))
        io.stdout(`${line(part)}\n`);
    }
    return answers.every(({ isValue }) => isValue);
  };
  const [expression] = options.positionals;
  if (expression !== undefined) return evaluate(expression) ? EXIT.ok : EXIT.findings;
  await prompt(evaluate, io);
  return EXIT.ok;
}

function showFunctions(version: KubernetesVersion, name: string | undefined, io: CommandIo): number {
  const paragraphs = listFunctions(celEnvironment({}, version), name);
  if (paragraphs.length === 0) throw new UsageError(`there is no function \`${name}\` in Kubernetes ${version}`);
  io.stdout(`${paragraphs.join("\n\n")}\n`);
  return EXIT.ok;
}

function line({ depth, text, value, isNeeded }: CelPart): string {
  const indent = "  ".repeat(depth + 1);
  return `${indent}${text}${value === "" ? "" : ` = ${value}`}${isNeeded ? "" : "  (not needed)"}`;
}

async function prompt(evaluate: (expression: string) => boolean, io: CommandIo): Promise<void> {
  io.stdout("CEL as in Kubernetes. Enter one expression per line; an empty line or Ctrl-D exits.\n");
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "cel> " });
  lines.prompt();
  for await (const line of lines) {
    if (line.trim() === "") break;
    evaluate(line);
    lines.prompt();
  }
  lines.close();
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function readVariables(file: string): [string, Value][] {
  const decoded = decodeYaml(readFileSync(file, "utf8"));
  if (decoded.error !== undefined) throw new UsageError(`${file}: ${decoded.error}`);
  if (decoded.value === null) return [];
  if (!isObject(decoded.value)) throw new UsageError(`${file}: write variables as \`name: value\``);
  return Object.entries(decoded.value).map(([name, value]) => {
    if (!NAME.test(name)) throw new UsageError(`${file}: \`${name}\` cannot be the name of a variable`);
    return [name, fromJson(toPlain(value))];
  });
}

function readVariable(text: string): [string, Value] {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(:?=)([\s\S]*)$/.exec(text);
  if (match === null) throw new UsageError(`\`--var ${text}\` is not NAME=FILE or NAME:=YAML`);
  const [, name = "", operator, rest = ""] = match;
  const decoded = decodeYaml(operator === ":=" ? rest : readFileSync(rest, "utf8"));
  if (decoded.error !== undefined) throw new UsageError(`\`--var ${name}\`: ${decoded.error}`);
  return [name, fromJson(toPlain(decoded.value))];
}
