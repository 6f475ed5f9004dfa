/** Reading options: `node:util`'s parser over a small table, with errors that become exit code 2. */
import { parseArgs } from "node:util";
import { KUBERNETES_VERSIONS, type KubernetesVersion } from "@portcullis/engine/kubecel";
import { UsageError } from "./command.ts";

/** Options by long name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
}

export interface Options {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

export function parseOptions(args: readonly string[], specs: OptionSpecs): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: specs,
      allowPositionals: true,
      strict: true,
    });
    const all = (name: string): readonly unknown[] => [values[name] ?? []].flat();
    const texts = (name: string): readonly string[] => all(name).filter((value) => typeof value === "string");
    return { positionals, texts, text: (name) => texts(name).at(-1), flag: (name) => values[name] === true };
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? lowerFirst(problem.message) : String(problem));
  }
}

export const OUTPUT_FORMATS = ["text", "json", "junit", "sarif", "github"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export function readFormat(text: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((each) => each === text);
  if (format === undefined) throw new UsageError(`unknown output \`${text}\`; one of ${OUTPUT_FORMATS.join(", ")}`);
  return format;
}

/** Where a report goes, and in which form. */
export interface Output {
  readonly format: OutputFormat;
  /** Standard output where absent. */
  readonly file: string | undefined;
}

/** `FORMAT` or `FORMAT=FILE`, any number of times; text to standard output where none is given. */
export function readOutputs(texts: readonly string[]): readonly Output[] {
  if (texts.length === 0) return [{ format: "text", file: undefined }];
  const outputs = texts.map((text) => {
    const [format = "", ...file] = text.split("=");
    return { format: readFormat(format), file: file.length === 0 ? undefined : file.join("=") };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError("only one output can go to standard output; write the others as FORMAT=FILE");
  }
  return outputs;
}

export function readVersion(text: string): KubernetesVersion {
  const version = KUBERNETES_VERSIONS.find((each) => each === text.replace(/^v/, ""));
  if (version === undefined) {
    throw new UsageError(`unknown Kubernetes version \`${text}\`; one of ${KUBERNETES_VERSIONS.join(", ")}`);
  }
  return version;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
