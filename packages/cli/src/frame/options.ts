/** Parses options with `node:util` and a small table; errors become exit code 2. */
import { parseArgs } from "node:util";
import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { OptionSpecs } from "./option-spec.ts";

export interface Options {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

export function parseOptions(args: readonly string[], specs: OptionSpecs): Options {
  try {
    const options = Object.fromEntries(
      Object.entries(specs).map(([name, { type, short, multiple = false }]) => [
        name,
        { type, multiple, ...(short === undefined ? {} : { short }) },
      ]),
    );
    const { values, positionals } = parseArgs({
      args: plainBooleans(args, specs),
      options,
      allowPositionals: true,
      strict: true,
    });
    const all = (name: string): readonly unknown[] => [values[name] ?? []].flat();
    const texts = (name: string): readonly string[] => all(name).filter((value) => typeof value === "string");
    return { positionals, texts, text: (name) => texts(name).at(-1), flag: (name) => values[name] === true };
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? reword(problem, specs) : String(problem));
  }
}

/** `--flag=true` is `--flag`, and `--flag=false` is the same as no flag. */
function plainBooleans(args: readonly string[], specs: OptionSpecs): string[] {
  const end = args.indexOf("--");
  return args.flatMap((arg, index) => {
    const match = /^--([^=]+)=(true|false)$/.exec(arg);
    if (match === null || (end !== -1 && index > end) || specs[match[1] ?? ""]?.type !== "boolean") return [arg];
    return match[2] === "true" ? [`--${match[1]}`] : [];
  });
}

function reword(problem: Error, specs: OptionSpecs): string {
  const unknown = /^Unknown option '(-{1,2})([^']+)'/.exec(problem.message);
  if (unknown === null) return lowerFirst(problem.message.replaceAll("'", "`").split("\n")[0] ?? "");
  const [, dashes = "--", word = ""] = unknown;
  const names = Object.keys(specs).map((name) => `--${name}`);
  return `unknown option \`${dashes}${word}\`${didYouMean(`--${word}`, names)}`;
}

/** One of a few values, in upper or lower case. */
export function readChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each.toLowerCase() === text.toLowerCase());
  if (choice !== undefined) return choice;
  throw new UsageError(`unknown \`--${option} ${text}\`; one of ${choices.join(", ")}${didYouMean(text, choices)}`);
}

export const OUTPUT_FORMATS = ["text", "json", "junit", "sarif", "github", "markdown"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** For help: `text (default), json, junit, sarif, github or markdown`. */
export function formatList(more: readonly string[] = []): string {
  const [first, ...rest] = [...OUTPUT_FORMATS, ...more];
  return `${first} (default), ${rest.slice(0, -1).join(", ")} or ${rest.at(-1)}`;
}

function readFormat(text: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((each) => each === text);
  if (format !== undefined) return format;
  throw new UsageError(
    `unknown output \`${text}\`; one of ${OUTPUT_FORMATS.join(", ")}${didYouMean(text, OUTPUT_FORMATS)}`,
  );
}

/** A report's format and destination. */
export interface Output {
  readonly format: OutputFormat;
  /** Standard output if absent. */
  readonly file: string | undefined;
}

/** `FORMAT` or `FORMAT=FILE`, repeatable; the default is text on standard output. */
export function readOutputs(texts: readonly string[]): readonly Output[] {
  if (texts.length === 0) return [{ format: "text", file: undefined }];
  const outputs = texts.map((text) => {
    const [format = "", ...file] = text.split("=");
    if (file.length > 0 && file.join("=") === "") throw new UsageError(`\`-o ${text}\` does not name a file`);
    return { format: readFormat(format), file: file.length === 0 ? undefined : file.join("=") };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError("only one output can go to standard output; write the others as FORMAT=FILE");
  }
  return outputs;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
