/** Applies functions of the language to values: each function is compiled once, as a small expression. */
import { DYN, type Environment, type Program, type Value } from "@portcullis/cel/internal";
import { kubernetesEnvironment } from "../../kubecel/environment.ts";
import { defaultCompatibilityVersion } from "../../kubecel/versions.ts";

const ARGUMENTS = ["a0", "a1", "a2", "a3", "a4"] as const;

let environment: Environment | undefined;

function environmentOfFunctions(): Environment {
  environment ??= kubernetesEnvironment({
    version: defaultCompatibilityVersion(),
    mode: "stored",
    variables: Object.fromEntries(ARGUMENTS.map((name) => [name, DYN])),
  });
  return environment;
}

const programs = new Map<string, Program | undefined>();

/** The value of a call; a CelError if it fails, undefined if it cannot be compiled. */
export function callFunction(name: string, isMember: boolean, args: readonly Value[]): Value | undefined {
  const program = programFor(name, isMember, args.length);
  if (program === undefined) return undefined;
  const variables = Object.fromEntries(args.map((value, index) => [ARGUMENTS[index] ?? "", value]));
  return program.evaluate(variables).value;
}

function programFor(name: string, isMember: boolean, count: number): Program | undefined {
  const key = `${name} ${isMember} ${count}`;
  if (!programs.has(key)) programs.set(key, makeProgram(expressionFor(name, isMember, ARGUMENTS.slice(0, count))));
  return programs.get(key);
}

function makeProgram(text: string): Program | undefined {
  const compiled = environmentOfFunctions().compile(text);
  if (!compiled.ok) return undefined;
  const planned = environmentOfFunctions().program(compiled.ast);
  return planned.ok ? planned.program : undefined;
}

const INFIX = /^_(.+)_$/;

function expressionFor(name: string, isMember: boolean, args: readonly string[]): string {
  const [first = "", second = "", third = ""] = args;
  if (name === "_?_:_") return `${first} ? ${second} : ${third}`;
  if (name === "_[_]") return `${first}[${second}]`;
  if (name === "@in") return `${first} in ${second}`;
  if (name === "!_" || name === "-_") return `${name[0]}${first}`;
  const infix = INFIX.exec(name)?.[1];
  if (infix !== undefined && args.length === 2) return `${first} ${infix} ${second}`;
  return isMember ? `${first}.${name}(${args.slice(1).join(", ")})` : `${name}(${args.join(", ")})`;
}
