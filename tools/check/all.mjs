/**
 * All project checks, each in its own process: words, identifiers, links, licences, folder sizes, code sizes, unused exports, API,
 * examples, notices, the table of the designs. `--update` shrinks the lists of accepted breaches and rewrites the API reports.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { root } from "./repository.mjs";

const CHECKS = [
  "words",
  "identifiers",
  "links",
  "licences",
  "folders",
  "sizes",
  "unused",
  "api",
  "examples",
  "notices",
  "designs",
];

for (const name of CHECKS) {
  const args = [path.join("tools/check", `${name}.mjs`), ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
