/**
 * Parses kubeconform's command line as Go's flag package does: one dash or two, `-flag value` or `-flag=value`, and the
 * first argument that is not a flag ends them.
 */

export interface KubeconformFlags {
  readonly cache: string;
  readonly debug: boolean;
  readonly exitOnError: boolean;
  readonly ignoreFilenamePatterns: readonly string[];
  readonly ignoreMissingSchemas: boolean;
  readonly kubernetesVersion: string;
  readonly workers: number;
  readonly output: string;
  readonly reject: ReadonlySet<string>;
  readonly schemaLocations: readonly string[];
  readonly skip: ReadonlySet<string>;
  readonly strict: boolean;
  readonly summary: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly files: readonly string[];
}

interface Flag {
  readonly kind: "bool" | "int" | "string" | "list" | "version";
  readonly text: string;
  readonly default?: string;
}

/** Sorted, as the usage lists them. */
export const FLAGS: Readonly<Record<string, Flag>> = {
  cache: { kind: "string", text: "ignored; nothing is downloaded" },
  debug: { kind: "bool", text: "ignored" },
  "exit-on-error": { kind: "bool", text: "immediately stop execution when the first error is encountered" },
  h: { kind: "bool", text: "show help information" },
  "ignore-filename-pattern": {
    kind: "list",
    text: "regular expression specifying paths to ignore (can be specified multiple times)",
  },
  "ignore-missing-schemas": { kind: "bool", text: "skip files with missing schemas instead of failing" },
  "insecure-skip-tls-verify": { kind: "bool", text: "ignored; nothing is downloaded" },
  "kubernetes-version": {
    kind: "version",
    text: "version of Kubernetes to validate against, e.g.: 1.33.0",
    default: "master",
  },
  n: { kind: "int", text: "ignored", default: "4" },
  output: { kind: "string", text: "output format - json, junit, pretty, tap, text", default: "text" },
  reject: { kind: "string", text: "comma-separated list of kinds or GVKs to reject" },
  "schema-location": {
    kind: "list",
    text: "a folder or file with CustomResourceDefinitions, or a local path template (can be specified multiple times); built-in kinds are always known",
  },
  skip: { kind: "string", text: "comma-separated list of kinds or GVKs to ignore" },
  strict: { kind: "bool", text: "disallow additional properties not in schema or duplicated keys" },
  summary: { kind: "bool", text: "print a summary at the end (ignored for junit output)" },
  v: { kind: "bool", text: "show version information" },
  verbose: { kind: "bool", text: "print results for all resources (ignored for tap and junit output)" },
};

/** A string is an error message of the flag package. */
export function parseFlags(args: readonly string[]): KubeconformFlags | string {
  const values = new Map<string, string[]>();
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg.length < 2 || !arg.startsWith("-")) break;
    if (arg === "--") {
      at++;
      break;
    }
    const [, name = "", inline] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === "" || name.startsWith("-")) return `bad flag syntax: ${arg}`;
    const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : name === "help" ? FLAGS["h"] : undefined;
    if (flag === undefined) return `flag provided but not defined: -${name}`;
    const value = inline ?? (flag.kind === "bool" ? "true" : args[++at]);
    if (value === undefined) return `flag needs an argument: -${name}`;
    const problem = checkValue(name, flag, value);
    if (problem !== undefined) return problem;
    const key = name === "help" ? "h" : name;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return toFlags(values, args.slice(at));
}

const TRUE = ["1", "t", "T", "true", "TRUE", "True"];
const FALSE = ["0", "f", "F", "false", "FALSE", "False"];

function checkValue(name: string, { kind }: Flag, value: string): string | undefined {
  if (kind === "bool" && !TRUE.includes(value) && !FALSE.includes(value))
    return `invalid boolean value "${value}" for -${name}: parse error`;
  if (kind === "int" && !/^[+-]?\d+$/.test(value)) return `invalid value "${value}" for flag -${name}: parse error`;
  if (kind === "version" && !/^(master|\d+\.\d+\.\d+)$/.test(value))
    return `invalid value "${value}" for flag -${name}: ${value} is not a valid version. Valid values are "master" (default) or full version x.y.z (e.g. "1.27.2")`;
  return undefined;
}

function toFlags(values: ReadonlyMap<string, readonly string[]>, files: readonly string[]): KubeconformFlags {
  const text = (name: string): string => values.get(name)?.at(-1) ?? FLAGS[name]?.default ?? "";
  const flag = (name: string): boolean => TRUE.includes(text(name));
  return {
    cache: text("cache"),
    debug: flag("debug"),
    exitOnError: flag("exit-on-error"),
    ignoreFilenamePatterns: values.get("ignore-filename-pattern") ?? [],
    ignoreMissingSchemas: flag("ignore-missing-schemas"),
    kubernetesVersion: text("kubernetes-version"),
    workers: Number(text("n")),
    output: text("output"),
    reject: splitList(text("reject")),
    schemaLocations: values.get("schema-location") ?? [],
    skip: splitList(text("skip")),
    strict: flag("strict"),
    summary: flag("summary"),
    verbose: flag("verbose"),
    help: flag("h"),
    version: flag("v"),
    files,
  };
}

function splitList(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== ""),
  );
}

/** What the flag package prints. */
export function usageText(): string {
  const lines = Object.entries(FLAGS).map(([name, { kind, text, default: value }]) => {
    const type = { bool: "", int: " int", string: " string", list: " value", version: " value" }[kind];
    const shown = value === undefined ? "" : ` (default ${kind === "string" ? `"${value}"` : value})`;
    return name.length === 1 && kind === "bool"
      ? `  -${name}\t${text}${shown}`
      : `  -${name}${type}\n    \t${text}${shown}`;
  });
  return `Usage: portcullis kubeconform [OPTION]... [FILE OR FOLDER]...\n${lines.join("\n")}\n`;
}
