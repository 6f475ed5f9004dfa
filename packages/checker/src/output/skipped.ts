/** Says what was left out, and how it can be checked. */
import type { SkippedFiles } from "../report/finding.ts";

/** Of charts and kustomizations, each with a line of its own. */
const MAX_LINES = 10;

/** One line per chart and kustomization, and one line for each other reason. */
export function formatSkipped(skipped: readonly SkippedFiles[], showsAll: boolean): readonly string[] {
  const folders = skipped.filter(({ reason }) => COMMANDS.has(reason));
  const shown = showsAll ? folders : folders.slice(0, MAX_LINES);
  const more = folders.length - shown.length;
  return [
    ...shown.map(folderLine),
    ...(more === 0 ? [] : [`skipped ${more} more charts and kustomizations; --show all lists them`]),
    ...[...NOUNS].flatMap(([reason, noun]) =>
      reasonLine(
        skipped.filter((each) => each.reason === reason),
        noun,
      ),
    ),
  ];
}

const COMMANDS: ReadonlyMap<string, readonly [noun: string, option: string]> = new Map([
  ["helm-chart", ["a Helm chart", "--helm"]],
  ["kustomization", ["a kustomization", "-k"]],
]);

const NOUNS: ReadonlyMap<string, string> = new Map([
  ["template", "template"],
  ["patch", "patch"],
  ["assertion", "assertion of a test"],
  ["configuration", "configuration file"],
]);

function folderLine({ path, reason, files, isPacked }: SkippedFiles): string {
  const [noun = "", option = ""] = COMMANDS.get(reason) ?? [];
  const folder = path === "" ? "." : path;
  const line = `skipped ${folder}: ${noun} with ${count(files, "file")}`;
  return isPacked === true ? line : `${line}; \`portcullis check ${option} ${folder}\` renders and checks it`;
}

function reasonLine(skipped: readonly SkippedFiles[], noun: string): readonly string[] {
  const [first] = skipped;
  if (first === undefined) return [];
  return [`skipped ${count(skipped.length, noun)}: ${first.path}${skipped.length === 1 ? "" : ", …"}`];
}

const PLURALS: ReadonlyMap<string, string> = new Map([
  ["patch", "patches"],
  ["assertion of a test", "assertions of tests"],
]);

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : (PLURALS.get(noun) ?? `${noun}s`)}`;
}
