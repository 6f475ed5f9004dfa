/** `portcullis kubeconform`: kubeconform's flags, outputs and exit codes with the API server's validation. */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { readTextFile } from "@portcullis/checker/internal/input/read-text";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { VERSION } from "@portcullis/checker/internal/output/version";
import {
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
  SERVER_VERSION,
} from "@portcullis/engine/internal/kubecel/versions";
import { compileRegexp } from "@portcullis/gostd/regexp";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import type { OptionSpec } from "../frame/option-spec.ts";
import { FLAGS, type KubeconformFlags, parseFlags, usageText } from "../kubeconform/flags.ts";
import { FORMATS } from "../kubeconform/output.ts";
import { readLocations } from "../kubeconform/schemas.ts";
import { type NamedText, validateTexts } from "../kubeconform/validate.ts";

const MANUAL: Manual = {
  usage: ["kubeconform [-flag…] [FILE OR FOLDER]…"],
  examples: [
    {
      does: "replace kubeconform in a script",
      run: "portcullis kubeconform -strict -summary -output json deploy/",
    },
    {
      does: "check custom resources with their CRDs",
      run: "portcullis kubeconform -summary -schema-location default -schema-location crds/ deploy/",
    },
  ],
  about: [
    "Has the same flags, output and exit codes as kubeconform, so you can use it as a replacement. Objects are validated as in the API server: CEL rules, names, defaults and other checks that JSON schemas cannot express are included. Messages are the API server's.",
    "Nothing is downloaded. Built-in kinds are always known. -schema-location can name files or folders with CRDs, or a local path template. CRDs among the files are used too. URLs are ignored with a message on standard error.",
    "`portcullis check` has more features: lines and columns, updates, policies, baselines.",
  ],
  options: Object.fromEntries(
    Object.entries(FLAGS).map(([name, { kind, text }]): [string, OptionSpec] => [
      name,
      {
        type: kind === "bool" ? "boolean" : "string",
        value: kind === "int" ? "N" : "VALUE",
        text: `${text} (also with one dash)`,
        isHidden: name.length === 1,
      },
    ]),
  ),
  exits: [
    ["0", "all resources are valid or skipped"],
    ["1", "anything else"],
  ],
};

export const kubeconform: Command = {
  name: "kubeconform",
  summary: "a replacement for kubeconform with the same flags and outputs",
  manual: MANUAL,
  run: runKubeconform,
};

function runKubeconform(args: readonly string[], io: CommandIo): number | Promise<number> {
  const flags = parseFlags(args);
  if (typeof flags === "string") {
    io.stderr(`${flags}\n${usageText()}\n`);
    return EXIT.findings;
  }
  if (flags.help) {
    io.stdout(`${usageText()}\n`);
    return EXIT.ok;
  }
  if (flags.version) {
    io.stdout(`${VERSION}\n`);
    return EXIT.ok;
  }
  const format = Object.hasOwn(FORMATS, flags.output) ? FORMATS[flags.output] : undefined;
  if (format === undefined) {
    io.stderr("'outputFormat' must be 'json', 'junit', 'pretty', 'tap' or 'text'\n");
    return EXIT.findings;
  }
  return validate(flags, format, io);
}

async function validate(
  flags: KubeconformFlags,
  format: NonNullable<(typeof FORMATS)[string]>,
  io: CommandIo,
): Promise<number> {
  for (const location of readLocations(flags.schemaLocations).remote)
    io.stderr(`portcullis: ${location} is ignored; built-in kinds are always known\n`);
  const start = performance.now();
  const isStdin = flags.files.length === 0 || (flags.files.length === 1 && flags.files[0] === "-");
  const texts = isStdin ? [{ file: "stdin", text: io.stdin() }] : readTexts(flags);
  const engine = { version: nearestVersion(flags.kubernetesVersion), gates: GATES };
  const results = await validateTexts(texts, { flags, engine });
  const seconds = (performance.now() - start) / 1000;
  io.stdout(format(results, { summary: flags.summary, verbose: flags.verbose, isStdin, seconds }));
  const isBad = results.some(({ status }) => status === "invalid" || status === "error");
  return isBad ? EXIT.findings : EXIT.ok;
}

const GATES = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };

/** The newest for `master`; for unsupported versions, the nearest. */
function nearestVersion(text: string): KubernetesVersion {
  if (text === "master") return SERVER_VERSION;
  const minor = Number(text.split(".")[1]);
  const oldest = KUBERNETES_VERSIONS[0];
  return (
    KUBERNETES_VERSIONS.find((each) => each === `1.${minor}`) ??
    (minor < Number(oldest.split(".")[1]) ? oldest : SERVER_VERSION)
  );
}

function readTexts({ files, ignoreFilenamePatterns }: KubeconformFlags): NamedText[] {
  const ignored = ignoreFilenamePatterns.map((pattern) => compileIgnore(pattern));
  return files
    .flatMap(walk)
    .filter((file) => !ignored.some((matches) => matches(file)))
    .map((file) => ({ file, text: readTextFile(file) }));
}

function compileIgnore(pattern: string): (file: string) => boolean {
  const compiled = compileRegexp(pattern);
  if (compiled.error !== undefined) throw new UsageError(compiled.error);
  return (file) => compiled.pattern.matches(file);
}

/** Files by extension, sorted by name; a named file needs the extension too. */
function walk(target: string): string[] {
  if (statSync(target).isDirectory()) {
    return readdirSync(target)
      .sort()
      .flatMap((name) => walk(path.join(target, name)));
  }
  return /\.(ya?ml|json)$/i.test(target) ? [target] : [];
}
