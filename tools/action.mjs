/**
 * What the GitHub action runs: the command with annotations, SARIF on request, and the outcome in the step summary.
 * Inputs come from the environment, so that no shell ever sees them.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bundle = path.join(root, "packages/cli/dist/bundle/portcullis.js");
const { PORTCULLIS_PATHS = "", PORTCULLIS_COMMAND = "check", PORTCULLIS_ARGS = "" } = process.env;
const { PORTCULLIS_SARIF = "", PORTCULLIS_VERSION = "" } = process.env;

const MAX_SUMMARY = 250_000;
const summary = path.join(mkdtempSync(path.join(tmpdir(), "portcullis-")), "summary.txt");
const words = (text) => text.split(/\s+/).filter((word) => word !== "");
const outputs = [
  "-o",
  "github",
  "-o",
  `text=${summary}`,
  ...(PORTCULLIS_SARIF === "" ? [] : ["-o", `sarif=${PORTCULLIS_SARIF}`]),
];
const [program, ...first] = portcullis();
const args = [...first, ...words(PORTCULLIS_COMMAND), ...words(PORTCULLIS_PATHS), ...words(PORTCULLIS_ARGS)];
const { status, error } = spawnSync(program, [...args, ...outputs], { stdio: "inherit" });
if (error !== undefined) throw error;

append("GITHUB_OUTPUT", `exit-code=${status}\n`);
if (existsSync(summary)) {
  append("GITHUB_STEP_SUMMARY", `### portcullis ${PORTCULLIS_COMMAND}\n\n${fenced(readFileSync(summary, "utf8"))}`);
}
process.exitCode = status ?? 3;

/** As a code block, whatever the manifests contain, and within the megabyte that GitHub shows. */
function fenced(text) {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  const shown = text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}\n… and more: see the log\n` : text;
  return `${fence}text\n${shown}${fence}\n`;
}

/** The published package, or these sources, built if necessary. */
function portcullis() {
  if (PORTCULLIS_VERSION !== "") return ["npx", "--yes", `portcullis@${PORTCULLIS_VERSION}`];
  if (!existsSync(bundle)) {
    const built = spawnSync("npm", ["run", "build"], { cwd: root, stdio: ["ignore", 2, "inherit"] });
    if (built.status !== 0) process.exit(3);
  }
  return [process.execPath, bundle];
}

function append(variable, text) {
  const file = process.env[variable];
  if (file !== undefined && file !== "") appendFileSync(file, text);
}
